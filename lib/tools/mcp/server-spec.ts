import path from 'node:path';
import type { McpConnectEntry } from '@/lib/cards/card';
import type { ServerConfig } from '@/lib/cards/config';

/** A server as it is started or called: targets parsed, `${VAR}` filled in. */
export type ServerSpec = {
  readonly name: string;
  readonly readTimeoutMs: number;
  readonly reconnect: boolean;
  /** What the user wrote, variables unfilled: fit to show. */
  readonly shown: string;
  /** Values that must not appear in a message. */
  readonly secrets: readonly string[];
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

const defaultReadTimeoutMs = 300_000;

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
export function serverSpec(config: ServerConfig, root: string, env: Env): ServerSpec | string {
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
  };
  return complete(parsed, base, root, env);
}

/** A card's `mcp_connect` entry. A string is the reason why it cannot be used. */
export function connectSpec(entry: McpConnectEntry, root: string, env: Env): ServerSpec | string {
  if (entry.target === undefined) return 'it is a connector of a provider, which is not supported. Give it a target.';
  const base = { ...entry, env: {}, cwd: undefined, readTimeoutMs: defaultReadTimeoutMs, reconnect: true };
  return complete(parseTarget(entry.target), base, root, env);
}

interface Base {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly accessToken: string | undefined;
  readonly cwd: string | undefined;
  readonly readTimeoutMs: number;
  readonly reconnect: boolean;
}

function complete(target: Target, base: Base, root: string, env: Env): ServerSpec | string {
  const secrets = new Set<string>();
  const missing = new Set<string>();
  const fill = (text: string): string =>
    text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)(?::([^}]*))?\}/g, (_, name: string, fallback?: string) => {
      const value = env[name] ?? fallback;
      if (value === undefined) missing.add(name);
      if (env[name] !== undefined) secrets.add(env[name]);
      return value ?? '';
    });
  const fillAll = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => {
        const filled = fill(value);
        if (/key|token|secret|passw|auth|credential|cookie/i.test(key)) secrets.add(filled.replace(/^Bearer\s+/i, ''));
        return [key, filled];
      }),
    );

  const common = { name: base.name, readTimeoutMs: base.readTimeoutMs, reconnect: base.reconnect };
  if ('url' in target) {
    const headers = fillAll(base.headers);
    if (base.accessToken !== undefined)
      Object.assign(headers, fillAll({ Authorization: `Bearer ${base.accessToken}` }));
    const url = fill(target.url);
    const problem = missingVariables(missing);
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
    return { ...common, transport: target.transport, url: address.href, headers, shown, secrets: hideable(secrets) };
  }
  if (target.command === '') return 'it has neither a command nor a url.';
  const command = fill(target.command);
  const args = target.args.map(fill);
  const processEnv: Record<string, string> = {};
  for (const name of inherited) if (env[name] !== undefined) processEnv[name] = env[name];
  Object.assign(processEnv, fillAll(base.env));
  const cwd = path.resolve(root, base.cwd === undefined ? '.' : fill(base.cwd));
  const problem = missingVariables(missing);
  if (problem !== undefined) return problem;
  const shown = [target.command, ...target.args].join(' ');
  return { ...common, transport: 'stdio', command, args, env: processEnv, cwd, shown, secrets: hideable(secrets) };
}

function missingVariables(missing: ReadonlySet<string>): string | undefined {
  if (missing.size === 0) return undefined;
  return `it needs ${[...missing].join(', ')}, which the worker's environment does not have.`;
}

/** Short values (`1`, `true`, `UTC`) are not secrets, and hiding them would garble every message. */
function hideable(secrets: ReadonlySet<string>): readonly string[] {
  return [...secrets].filter((secret) => secret.length >= 6);
}

type Target =
  | { readonly url: string; readonly transport: 'http' | 'sse' }
  | { readonly command: string; readonly args: readonly string[] };

/** The target grammar of fast-agent (reference 1.8): a URL, `@scope/package`, or a command line. */
export function parseTarget(target: string): Target {
  const text = target.trim();
  if (/^https?:\/\//i.test(text)) {
    const url = text.replace(/\/+$/, '');
    if (/\/sse$/i.test(url)) return { url, transport: 'sse' };
    return { url: url.endsWith('/mcp') || url.includes('?') ? url : `${url}/mcp`, transport: 'http' };
  }
  const [command = '', ...args] = splitCommand(text);
  return command.startsWith('@') ? { command: 'npx', args: ['-y', command, ...args] } : { command, args };
}

/** Splits at blanks outside quotes, as a shell would; nothing is expanded. */
function splitCommand(text: string): string[] {
  const words = text.match(/(?:[^\s"']+|"(?:\\.|[^"\\])*"|'[^']*')+/g) ?? [];
  return words.map((word) =>
    word.replace(/"((?:\\.|[^"\\])*)"|'([^']*)'/g, (_, double?: string, single?: string) =>
      double === undefined ? (single ?? '') : double.replace(/\\(.)/g, '$1'),
    ),
  );
}
