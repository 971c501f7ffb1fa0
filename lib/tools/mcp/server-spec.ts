import path from 'node:path';
import { shownUrl } from '@/lib/base/called-address';
import { type Bindings, placeOfStarted } from '@/lib/base/places';
import type { ProjectEnv } from '@/lib/base/project-env';
import { inDoubleQuotes, splitCommand } from '@/lib/base/split-command';
import { trimEndOf } from '@/lib/base/trim';
import type { McpConnectEntry } from '@/lib/cards/card';
import type { ElicitationMode, ProtocolMode, ServerConfig, ServerConsent, ServerRoot } from '@/lib/cards/config';
import { type ServerAuth, serverAuth } from './server-auth';
import { SettingsFiller, withoutCredentials } from './settings-filler';
import type { SignIn, SignIns } from './sign-ins';

/** The settings that a command and a URL have in common. */
interface CommonSpec {
  readonly name: string;
  readonly readTimeoutMs: number;
  readonly reconnect: boolean;
  /** The time between pings. With 0 the server is not pinged. */
  readonly pingMs: number;
  readonly maxMissedPings: number;
  readonly elicitation: ElicitationMode;
  readonly protocolMode: ProtocolMode;
  /** True if people are asked what the server asks. */
  readonly asksPeople: boolean;
  /** Set if the server may use a model. `model` is `undefined` for the model of the calling agent. */
  readonly sampling: { readonly model: string | undefined; readonly policy: 'ask' | 'allow' } | undefined;
  readonly roots: readonly ServerRoot[];
  readonly includeInstructions: boolean;
}

/** The settings with which a server is started or called: targets are parsed and `${VAR}` is filled in. */
export type ServerSpec = CommonSpec & {
  /** The target as the user wrote it, with unfilled variables, for messages. */
  readonly shown: string;
  /** Values to hide in messages: every value from the environment or a secrets file. */
  readonly secrets: readonly string[];
  /** Those of the values whose names are secret. They are hidden in results too. */
  readonly sealed: readonly string[];
} & (
    | {
        readonly transport: 'stdio';
        readonly command: string;
        readonly args: readonly string[];
        readonly env: Readonly<Record<string, string>>;
        readonly cwd: string;
      }
    | {
        readonly transport: 'http' | 'sse';
        readonly url: string;
        readonly headers: Readonly<Record<string, string>>;
        /** Set if people may sign in at the server: its settings have no `Authorization` of their own. */
        readonly auth?: ServerAuth & { readonly howTo: string };
        /** The sign-in whose token is sent. */
        readonly signIn?: SignIn;
      }
  );

export type Env = Readonly<Record<string, string | undefined>>;

/** The settings of the operator and the project for all servers. */
export interface ServerPolicy {
  /** The environment from which processes inherit the variables in `inherited`. It is not used for `${NAME}`. */
  readonly env: Env;
  /** The values for `${NAME}`. */
  readonly projectEnv: ProjectEnv;
  /** Says what a server may ask for. `config` is its entry; `undefined` for a server that a card connects. */
  consentOf(name: string, config: ServerConfig | undefined): ServerConsent;
  /** Values of the project's secrets file. */
  readonly secrets: readonly string[];
  /** Where the values of variables may go. */
  readonly bound?: Bindings | undefined;
  /** The sign-ins that may be used; none where nobody can sign in, as on the command line. */
  readonly signIns?: SignIns | undefined;
}

const defaultReadTimeoutMs = 300_000;
const defaultPingMs = 30_000;
const defaultMaxMissedPings = 3;

/** The variables that a server's process inherits: those needed to find programs and a home. None is a setting of Callboard. */
const inherited = [
  'HOME',
  'LOGNAME',
  'PATH',
  'SHELL',
  'TERM',
  'USER',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'APPDATA',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATHEXT',
  'PROGRAMFILES',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'USERNAME',
  'USERPROFILE',
] as const;

/** Returns the spec of a server in the config, or a string with the reason why the server cannot be used. */
export function serverSpec(config: ServerConfig, root: string, policy: ServerPolicy): ServerSpec | string {
  const parsed: Target =
    config.url !== undefined
      ? { url: config.url, transport: config.transport === 'sse' ? 'sse' : 'http' }
      : { command: config.command ?? '', args: config.args };
  const base = {
    name: config.name,
    consent: policy.consentOf(config.name, config),
    env: config.env,
    headers: config.headers,
    accessToken: config.accessToken,
    cwd: config.cwd,
    readTimeoutMs: (config.readTimeoutSeconds ?? defaultReadTimeoutMs / 1000) * 1000,
    reconnect: config.reconnectOnDisconnect,
    pingMs: config.pingIntervalSeconds === undefined ? undefined : config.pingIntervalSeconds * 1000,
    maxMissedPings: config.maxMissedPings,
    elicitation: config.elicitation,
    protocolMode: config.protocolMode,
    samplingModel: config.samplingModel,
    roots: config.roots,
    includeInstructions: config.includeInstructions,
    auth: serverAuth(config.raw.auth),
  };
  return complete(parsed, base, root, policy);
}

/** Returns the spec of an `mcp_connect` entry of a card, or a string with the reason why the server cannot be used. */
export function connectSpec(entry: McpConnectEntry, root: string, policy: ServerPolicy): ServerSpec | string {
  if (entry.target === undefined) return 'it is a connector of a provider, which is not supported. Give it a target.';
  const base: Base = {
    name: entry.name,
    consent: policy.consentOf(entry.name, undefined),
    headers: entry.headers,
    accessToken: entry.accessToken,
    env: {},
    cwd: undefined,
    readTimeoutMs: defaultReadTimeoutMs,
    reconnect: true,
    pingMs: undefined,
    maxMissedPings: defaultMaxMissedPings,
    elicitation: 'forms',
    protocolMode: 'auto',
    samplingModel: undefined,
    roots: [],
    includeInstructions: true,
    auth: serverAuth(undefined),
  };
  return complete(parseTarget(entry.target), base, root, policy);
}

interface Base {
  readonly name: string;
  readonly consent: ServerConsent;
  readonly env: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly accessToken: string | undefined;
  readonly cwd: string | undefined;
  readonly readTimeoutMs: number;
  readonly reconnect: boolean;
  readonly pingMs: number | undefined;
  readonly maxMissedPings: number;
  readonly elicitation: ElicitationMode;
  readonly protocolMode: ProtocolMode;
  readonly samplingModel: string | undefined;
  readonly roots: readonly ServerRoot[];
  readonly includeInstructions: boolean;
  readonly auth: ServerAuth;
}

function complete(target: Target, base: Base, root: string, policy: ServerPolicy): ServerSpec | string {
  const filler = new SettingsFiller(policy);
  const common: CommonSpec = {
    name: base.name,
    readTimeoutMs: base.readTimeoutMs,
    reconnect: base.reconnect,
    pingMs: base.pingMs ?? ('url' in target ? defaultPingMs : 0),
    maxMissedPings: base.maxMissedPings,
    elicitation: base.elicitation,
    protocolMode: base.protocolMode,
    asksPeople: base.consent.elicitation,
    sampling:
      base.consent.sampling === 'never' ? undefined : { model: base.samplingModel, policy: base.consent.sampling },
    roots: base.roots.map(({ uri, name }) => ({ uri: filler.fill(uri), name })),
    includeInstructions: base.includeInstructions,
  };
  if ('url' in target) return completeUrl(target, base, common, { filler, signIns: policy.signIns });
  if (target.command === '') return 'it has neither a command nor a url.';
  const command = filler.fill(target.command);
  const args = target.args.map((arg) => filler.fill(arg));
  const processEnv: Record<string, string> = {};
  for (const name of inherited) {
    const value = policy.env[name];
    if (value !== undefined) processEnv[name] = value;
  }
  Object.assign(processEnv, filler.fillAll(base.env));
  const cwd = path.resolve(root, base.cwd === undefined ? '.' : filler.fill(base.cwd));
  const problem = filler.problem() ?? filler.misplaced(placeOfStarted(base.name));
  if (problem !== undefined) return problem;
  const shown = [target.command, ...target.args].join(' ');
  return { ...common, transport: 'stdio', command, args, env: processEnv, cwd, shown, ...filler.hidden() };
}

interface UrlFilling {
  readonly filler: SettingsFiller;
  readonly signIns: SignIns | undefined;
}

function completeUrl(
  target: UrlTarget,
  base: Base,
  common: CommonSpec,
  { filler, signIns }: UrlFilling,
): ServerSpec | string {
  const headers = filler.fillAll(base.headers);
  if (base.accessToken !== undefined) {
    Object.assign(headers, filler.fillAll({ Authorization: `Bearer ${base.accessToken}` }));
  }
  const url = filler.fill(target.url);
  const problem = filler.problem();
  if (problem !== undefined) return problem;
  if (!URL.canParse(url)) return `'${target.url}' is not a URL.`;
  const misplaced = filler.misplaced(new URL(url).host);
  if (misplaced !== undefined) return misplaced;
  const address = withoutCredentials(new URL(url), headers);
  const shown = shownUrl(target.url);
  const spec = { ...common, transport: target.transport, url: address.href, headers, shown, ...filler.hidden() };
  const hasOwn = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  if (hasOwn || !base.auth.oauth) return spec;
  const auth = { ...base.auth, howTo: signIns === undefined ? howToWithoutApp : howToInApp };
  const signIn = signIns?.at(spec.url);
  return { ...spec, auth, ...(signIn && { signIn }) };
}

const howToInApp = 'Sign in under Settings, MCP servers: press Test, then Sign in.';
const howToWithoutApp =
  'Sign-ins of the app are used by its own runs alone. Here, give the server a token as access_token or in its headers.';

interface UrlTarget {
  readonly url: string;
  readonly transport: 'http' | 'sse';
}

type Target = UrlTarget | { readonly command: string; readonly args: readonly string[] };

/** Parses a target as fast-agent does: a URL, `@scope/package`, or a command line. */
export function parseTarget(target: string): Target {
  const text = target.trim();
  if (/^https?:\/\//i.test(text)) {
    const url = trimEndOf(text, '/');
    if (/\/sse$/i.test(url)) return { url, transport: 'sse' };
    return { url: url.endsWith('/mcp') || url.includes('?') ? url : `${url}/mcp`, transport: 'http' };
  }
  const [command = '', ...args] = splitCommand(text, inDoubleQuotes).words;
  return command.startsWith('@') ? { command: 'npx', args: ['-y', command, ...args] } : { command, args };
}
