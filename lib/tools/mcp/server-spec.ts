import path from 'node:path';
import { type ProjectEnv, whyNeverGiven } from '@/lib/base/project-env';
import { isSecret } from '@/lib/base/secret-value';
import { trimEndOf } from '@/lib/base/trim';
import { fillVariables } from '@/lib/base/variables';
import type { McpConnectEntry } from '@/lib/cards/card';
import type { ElicitationMode, ServerConfig, ServerRoot } from '@/lib/cards/config';

/** A server as it is started or called: targets parsed, `${VAR}` filled in. */
export type ServerSpec = {
  readonly name: string;
  readonly readTimeoutMs: number;
  readonly reconnect: boolean;
  /** 0: the server is not pinged. */
  readonly pingMs: number;
  readonly maxMissedPings: number;
  readonly elicitation: ElicitationMode;
  /** Whether the server may have a model answer it, and which; no model: the calling agent's. */
  readonly sampling: { readonly model: string | undefined } | undefined;
  readonly roots: readonly ServerRoot[];
  readonly includeInstructions: boolean;
  /** What the user wrote, variables unfilled: fit to show. */
  readonly shown: string;
  /** Values that must not appear in a message: everything that came from the environment or a secrets file. */
  readonly secrets: readonly string[];
  /** Those of them that are secrets by their name, and so must not appear in a result either. */
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
    }
);

export type Env = Readonly<Record<string, string | undefined>>;

/** What the operator and the project say about all servers. */
export interface ServerPolicy {
  /** Of this, processes inherit what is named below, and nothing fills `${NAME}`. */
  readonly env: Env;
  /** What fills `${NAME}`. */
  readonly projectEnv: ProjectEnv;
  readonly sampling: boolean;
  /** Values of the project's secrets file. */
  readonly secrets: readonly string[];
}

const defaultReadTimeoutMs = 300_000;
const defaultPingMs = 30_000;
const defaultMaxMissedPings = 3;

/** What a server's process inherits: enough to find programs and a home, nothing of the worker's settings. */
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

/** A string is the reason why the server cannot be used. */
export function serverSpec(config: ServerConfig, root: string, policy: ServerPolicy): ServerSpec | string {
  const parsed: Target =
    config.url !== undefined
      ? { url: config.url, transport: config.transport === 'sse' ? 'sse' : 'http' }
      : { command: config.command ?? '', args: config.args };
  const base = {
    name: config.name,
    env: config.env,
    headers: config.headers,
    accessToken: config.accessToken,
    cwd: config.cwd,
    readTimeoutMs: (config.readTimeoutSeconds ?? defaultReadTimeoutMs / 1000) * 1000,
    reconnect: config.reconnectOnDisconnect,
    pingMs: config.pingIntervalSeconds === undefined ? undefined : config.pingIntervalSeconds * 1000,
    maxMissedPings: config.maxMissedPings,
    elicitation: config.elicitation,
    samplingModel: config.samplingModel,
    roots: config.roots,
    includeInstructions: config.includeInstructions,
  };
  return complete(parsed, base, root, policy);
}

/** A card's `mcp_connect` entry. A string is the reason why it cannot be used. */
export function connectSpec(entry: McpConnectEntry, root: string, policy: ServerPolicy): ServerSpec | string {
  if (entry.target === undefined) return 'it is a connector of a provider, which is not supported. Give it a target.';
  const base: Base = {
    name: entry.name,
    headers: entry.headers,
    accessToken: entry.accessToken,
    env: {},
    cwd: undefined,
    readTimeoutMs: defaultReadTimeoutMs,
    reconnect: true,
    pingMs: undefined,
    maxMissedPings: defaultMaxMissedPings,
    elicitation: 'forms',
    samplingModel: undefined,
    roots: [],
    includeInstructions: true,
  };
  return complete(parseTarget(entry.target), base, root, policy);
}

interface Base {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly accessToken: string | undefined;
  readonly cwd: string | undefined;
  readonly readTimeoutMs: number;
  readonly reconnect: boolean;
  readonly pingMs: number | undefined;
  readonly maxMissedPings: number;
  readonly elicitation: ElicitationMode;
  readonly samplingModel: string | undefined;
  readonly roots: readonly ServerRoot[];
  readonly includeInstructions: boolean;
}

function complete(target: Target, base: Base, root: string, policy: ServerPolicy): ServerSpec | string {
  const { env, projectEnv } = policy;
  const sealed = new Set<string>(policy.secrets);
  const secrets = new Set<string>(policy.secrets);
  const missing = new Set<string>();
  const fill = (text: string): string =>
    fillVariables(text, ({ name, fallback }) => {
      const value = Object.hasOwn(projectEnv, name) ? projectEnv[name] : undefined;
      if (value === undefined) {
        if (fallback === undefined) missing.add(name);
        return fallback ?? '';
      }
      secrets.add(value);
      if (isSecret(name, value)) sealed.add(value);
      return value;
    });
  const fillAll = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => {
        const filled = fill(value);
        if (isSecret(key, '')) {
          const secret = filled.replace(/^(?:Bearer|Basic|Token)\s+/i, '');
          secrets.add(secret);
          sealed.add(secret);
        }
        return [key, filled];
      }),
    );

  const common = {
    name: base.name,
    readTimeoutMs: base.readTimeoutMs,
    reconnect: base.reconnect,
    pingMs: base.pingMs ?? ('url' in target ? defaultPingMs : 0),
    maxMissedPings: base.maxMissedPings,
    elicitation: base.elicitation,
    sampling: policy.sampling ? { model: base.samplingModel } : undefined,
    roots: base.roots.map(({ uri, name }) => ({ uri: fill(uri), name })),
    includeInstructions: base.includeInstructions,
  };
  if ('url' in target) {
    const headers = fillAll(base.headers);
    if (base.accessToken !== undefined)
      Object.assign(headers, fillAll({ Authorization: `Bearer ${base.accessToken}` }));
    const url = fill(target.url);
    const problem = missingVariables(missing, projectEnv);
    if (problem !== undefined) return problem;
    if (!URL.canParse(url)) return `'${target.url}' is not a URL.`;
    const address = new URL(url);
    if (address.password !== '') {
      // fetch refuses such addresses, and would quote them in its message.
      const user = `${decodeURIComponent(address.username)}:${decodeURIComponent(address.password)}`;
      headers.Authorization ??= `Basic ${Buffer.from(user).toString('base64')}`;
      address.username = '';
      address.password = '';
    }
    const shown = target.url.replace(/\/\/[^@/]*@/, '//').replace(/\?.*$/s, '?…');
    return {
      ...common,
      transport: target.transport,
      url: address.href,
      headers,
      shown,
      secrets: hideable(secrets),
      sealed: hideable(sealed),
    };
  }
  if (target.command === '') return 'it has neither a command nor a url.';
  const command = fill(target.command);
  const args = target.args.map(fill);
  const processEnv: Record<string, string> = {};
  for (const name of inherited) if (env[name] !== undefined) processEnv[name] = env[name];
  Object.assign(processEnv, fillAll(base.env));
  const cwd = path.resolve(root, base.cwd === undefined ? '.' : fill(base.cwd));
  const problem = missingVariables(missing, projectEnv);
  if (problem !== undefined) return problem;
  const shown = [target.command, ...target.args].join(' ');
  return {
    ...common,
    transport: 'stdio',
    command,
    args,
    env: processEnv,
    cwd,
    shown,
    secrets: hideable(secrets),
    sealed: hideable(sealed),
  };
}

function missingVariables(missing: ReadonlySet<string>, projectEnv: ProjectEnv): string | undefined {
  const names = [...missing];
  const never = names.find((name) => whyNeverGiven(name) !== undefined);
  const unlisted = names.filter((name) => !Object.hasOwn(projectEnv, name));
  if (never !== undefined) return `it asks for the variable ${never}. ${whyNeverGiven(never)}`;
  if (unlisted.length > 0) {
    const list = unlisted.join(',');
    return `it asks for ${variables(unlisted)}, which projects are not given here. Add ${list} to CALLBOARD_PROJECT_ENV and start again.`;
  }
  if (names.length === 0) return undefined;
  return `it asks for ${variables(names)}, listed in CALLBOARD_PROJECT_ENV but not set. Set ${names.join(', ')} and start again.`;
}

function variables(names: readonly string[]): string {
  return `the variable${names.length === 1 ? '' : 's'} ${names.join(', ')}`;
}

/** Short values (`1`, `true`, `UTC`) are not secrets, and hiding them would garble every message. */
function hideable(secrets: ReadonlySet<string>): readonly string[] {
  return [...secrets].filter((secret) => secret.length >= 6).sort((a, b) => b.length - a.length);
}

type Target =
  | { readonly url: string; readonly transport: 'http' | 'sse' }
  | { readonly command: string; readonly args: readonly string[] };

/** The target grammar of fast-agent (reference 1.8): a URL, `@scope/package`, or a command line. */
export function parseTarget(target: string): Target {
  const text = target.trim();
  if (/^https?:\/\//i.test(text)) {
    const url = trimEndOf(text, '/');
    if (/\/sse$/i.test(url)) return { url, transport: 'sse' };
    return { url: url.endsWith('/mcp') || url.includes('?') ? url : `${url}/mcp`, transport: 'http' };
  }
  const [command = '', ...args] = splitCommand(text);
  return command.startsWith('@') ? { command: 'npx', args: ['-y', command, ...args] } : { command, args };
}

/** Splits at blanks outside quotes, as a shell would; nothing is expanded. */
function splitCommand(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (quote === '' && /\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (char === quote) quote = '';
    else if (quote === '' && (char === '"' || char === "'")) {
      quote = char;
      word ??= '';
    } else if (char === '\\' && quote === '"') {
      at += 1;
      word = `${word ?? ''}${text.charAt(at)}`;
    } else word = `${word ?? ''}${char}`;
  }
  if (word !== undefined) words.push(word);
  return words;
}
