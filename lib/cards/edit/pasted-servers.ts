import { isRecord, type Json, type JsonObject, parseJson } from '@/lib/base/json';
import { inDoubleQuotes, splitCommand } from '@/lib/base/split-command';
import { isShell, readCommand } from './pasted-command';
import { PastedSecrets } from './pasted-secrets';

/** Servers that were pasted, in the form of `mcp.servers` of `fast-agent.yaml`. */
export interface PastedServers {
  readonly servers: Readonly<Record<string, JsonObject>>;
  /** Names of secrets to set. Their values were in the text, and are not in `servers`. */
  readonly secrets: readonly string[];
  /** A command line, an address, or the settings of another program. */
  readonly kind: 'command' | 'address' | 'settings';
  /** What was not taken over, in sentences. */
  readonly remarks: readonly string[];
}

/**
 * Reads MCP servers in the form of another program: `mcpServers` (Claude, Cursor, Windsurf, Gemini), `servers` or `mcp.servers`
 * with `inputs` (VS Code), the entries alone, one server alone, a command line, `claude mcp add …`, or the address of a server.
 * Comments and trailing commas are allowed, as in VS Code. Returns `undefined` for any other text.
 *
 * Values that look like secrets are left out: `${NAME}` stands in their place.
 */
export function readPastedServers(text: string): PastedServers | undefined {
  if (text.length > largest) return undefined;
  const trimmed = withoutFence(text.trim());
  if (trimmed.startsWith('{') || trimmed.startsWith('"')) return readJson(trimmed);
  const found = readCommand(trimmed);
  if (found === undefined) return undefined;
  const secrets = new PastedSecrets();
  const name = found.name ?? nameOfEntry(found.entry);
  const entry = readEntry(name, found.entry, secrets);
  if (entry === undefined) return undefined;
  const kind = entry.url === undefined ? 'command' : 'address';
  return { servers: { [name]: entry }, secrets: secrets.names, kind, remarks: [] };
}

/** A longer text, in characters, is not looked at. */
const largest = 200_000;

/** Removes the lines of three backticks around code in Markdown. */
function withoutFence(text: string): string {
  const inner = /^(`{3,})[\w-]*[ \t]*\r?\n([\s\S]*)\1$/.exec(text)?.[2];
  return inner === undefined ? text : inner.trim();
}

function readJson(text: string): PastedServers | undefined {
  const plain = plainJson(text);
  // An entry is often copied without the braces around it.
  const value = parseJson(plain) ?? parseJson(`{${plain}}`);
  const found = Object.entries((value === undefined ? undefined : entriesOf(value)) ?? {});
  const secrets = new PastedSecrets();
  const servers = found.map(([name, entry]) => [name, readEntry(name, entry, secrets)] as const);
  const read = servers.flatMap(([name, entry]) => (entry === undefined ? [] : [[name, entry] as const]));
  if (read.length === 0) return undefined;
  const remarks = found.flatMap(([name, entry], at) =>
    servers[at]?.[1] === undefined
      ? [`'${name}' has neither a command nor an address, so it was not added.`]
      : leftOut(name, entry),
  );
  return { servers: Object.fromEntries(read), secrets: secrets.names, kind: 'settings', remarks };
}

function entriesOf(value: Json): Readonly<Record<string, unknown>> | undefined {
  if (!isRecord(value)) return undefined;
  const inMcp = isRecord(value.mcp) ? value.mcp.servers : undefined;
  const listed = value.mcpServers ?? value.servers ?? inMcp;
  if (isRecord(listed)) return listed;
  if (isServer(value)) return { [nameOfEntry(value)]: value };
  const entries = Object.values(value);
  return entries.every(isRecord) && entries.some(isServer) ? value : undefined;
}

function isServer(value: unknown): boolean {
  return isRecord(value) && (typeof value.command === 'string' || addressOf(value) !== undefined);
}

function addressOf(entry: Readonly<Record<string, unknown>>): string | undefined {
  return [entry.httpUrl, entry.url, entry.serverUrl].find((each) => typeof each === 'string');
}

function readEntry(name: string, entry: unknown, secrets: PastedSecrets): JsonObject | undefined {
  if (!isRecord(entry)) return undefined;
  const { command, env, cwd, headers, type, transport, timeout, description } = entry;
  const url = addressOf(entry);
  const read: Record<string, Json> = {};
  if (typeof command === 'string') {
    const {
      words: [program = '', ...words],
      env: assigned,
    } = lineOf(entry);
    const given = { ...assigned, ...(isFilled(env) ? env : {}) };
    read.command = program;
    if (words.length > 0) read.args = secrets.inArguments(words, name);
    if (isFilled(given)) read.env = secrets.inPairs(given, name, (key) => key);
    if (typeof cwd === 'string') read.cwd = cwd;
  } else if (url !== undefined) {
    read.url = secrets.inAddress(url, name);
    if ((type ?? transport) === 'sse') read.transport = 'sse';
    if (isFilled(headers)) read.headers = secrets.inPairs(headers, name, (key) => `${name}_${key}`);
  } else return undefined;
  // Gemini has milliseconds, Cline seconds.
  if (typeof timeout === 'number' && timeout > 0)
    read.read_timeout_seconds = timeout >= 1000 ? timeout / 1000 : timeout;
  if (typeof description === 'string' && description !== '') read.description = description;
  return read;
}

function isFilled(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && Object.keys(value).length > 0;
}

interface CommandLine {
  /** The program and its arguments. */
  readonly words: readonly string[];
  /** What is assigned before the program. */
  readonly env: Readonly<Record<string, string>>;
}

/** Some write the whole line as the command, with assignments before the program. */
function lineOf({ command, args }: Readonly<Record<string, unknown>>): CommandLine {
  if (typeof command !== 'string') return { words: [], env: {} };
  if (Array.isArray(args)) return { words: [command, ...args.map(String)], env: {} };
  const { words } = splitCommand(command, inDoubleQuotes);
  const first = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  const pairs = words
    .slice(0, Math.max(0, first))
    .map((word) => [word.split('=', 1)[0] ?? '', word.slice(word.indexOf('=') + 1)]);
  return { words: words.slice(Math.max(0, first)), env: Object.fromEntries(pairs) };
}

/** Settings that are read, or that say nothing about how the server works. */
const known = new Set(
  'command args env cwd url httpUrl serverUrl headers type transport timeout description name id title version gallery icon'.split(
    ' ',
  ),
);

/** Says which settings of an entry have no place here. */
function leftOut(name: string, entry: unknown): string[] {
  if (!isRecord(entry)) return [];
  const keys = Object.entries(entry).flatMap(([key, value]) => {
    const isEmpty =
      value === undefined || value === null || value === false || value === '' || Object.keys(value).length === 0;
    return known.has(key) || (isEmpty && typeof value !== 'number' && value !== true) ? [] : [key];
  });
  const others = keys.filter((key) => key !== 'disabled').map((key) => `'${key}'`);
  return [
    ...(keys.includes('disabled') ? [`'${name}' was switched off there and is on here.`] : []),
    ...(others.length > 0 ? [`Settings of '${name}' without a counterpart were left out: ${others.join(', ')}.`] : []),
  ];
}

function nameOfEntry(entry: Readonly<Record<string, unknown>>): string {
  const url = addressOf(entry);
  if (url !== undefined) return hostName(url);
  // The name of the server must not be a secret either.
  const [command = '', ...args] = lineOf(entry).words;
  const words = new PastedSecrets().inArguments(args, 'server');
  return nameOf(isShell(command) ? splitCommand(words.at(-1) ?? '', inDoubleQuotes).words : words);
}

/** `-y @scope/server-time@1.2` is named `time`, and `mcp-server-git` `git`. */
function nameOf(args: readonly string[]): string {
  const word =
    args.find((arg) => !/^-|=|\$\{|^(?:run|exec|tool|npx|uvx|bunx|node|python3?|uv|docker)$/.test(arg)) ?? '';
  const last =
    word
      .replace(/(?<=.)@[^/@]*$/, '')
      .split(/[\\/]/)
      .at(-1) ?? '';
  const name = last
    .replace(/\.(?:[cm]?[jt]s|py|jar)$/, '')
    .replace(/^(?:mcp[-_])?server[-_]|^mcp[-_]|[-_]mcp$|[-_](?:mcp[-_])?server$/g, '')
    .replace(/[^\w-]+/g, '-');
  return name === '' ? 'server' : name;
}

function hostName(url: string): string {
  const labels = /^https?:\/\/(?:[^/?#]*@)?([^/:?#]+)/i.exec(url)?.[1]?.split('.') ?? [];
  return labels.find((label) => !/^(?:mcp|www|api)$/.test(label)) ?? 'server';
}

/** Removes comments and trailing commas outside texts. A text or a comment without an end reaches to the end. */
function plainJson(text: string): string {
  const remarks = /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;
  const commas = /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|,(?=\s*(?:[}\]]|$))/g;
  const keep = (token: string) => (token.startsWith('"') ? token : '');
  return text.replace(remarks, keep).replace(commas, keep);
}
