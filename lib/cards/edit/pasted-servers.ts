import { isRecord, type Json, type JsonObject, parseJson } from '@/lib/base/json';
import { inDoubleQuotes, splitCommand } from '@/lib/base/split-command';
import { PastedSecrets } from './pasted-secrets';

/** Servers that were pasted, in the form of `mcp.servers` of `fast-agent.yaml`. */
export interface PastedServers {
  readonly servers: Readonly<Record<string, JsonObject>>;
  /** Names of secrets to set. Their values were in the text, and are not in `servers`. */
  readonly secrets: readonly string[];
}

/** Programs that start MCP servers. A line that begins with another word is not taken for a command. */
const programs = /^(?:npx|uvx|bunx|pnpx|pipx|node|deno|bun|python3?|uv|docker|podman|java|dotnet)$/;

/**
 * Reads MCP servers in the form of another program: `mcpServers` (Claude, Cursor, Windsurf), `servers` or `mcp.servers` with
 * `inputs` (VS Code), the entries alone, one server alone, or a command line. Comments and trailing commas are allowed, as in
 * VS Code. Returns `undefined` for any other text.
 *
 * Values that look like secrets are left out: `${NAME}` stands in their place.
 */
export function readPastedServers(text: string): PastedServers | undefined {
  const trimmed = text.trim();
  if (trimmed.length > largest) return undefined;
  if (trimmed.startsWith('{') || trimmed.startsWith('"')) return readJson(trimmed);
  const [command = '', ...args] = splitCommand(trimmed, inDoubleQuotes).words;
  if (trimmed.includes('\n') || args.length === 0 || !programs.test(command)) return undefined;
  const secrets = new PastedSecrets();
  // Twice, because the name of the server must not be a secret either.
  const words = secrets.inArguments(args, nameOf(new PastedSecrets().inArguments(args, 'server')));
  return { servers: { [nameOf(words)]: { command, args: words } }, secrets: secrets.names };
}

/** A longer text, in characters, is not looked at. */
const largest = 200_000;

function readJson(text: string): PastedServers | undefined {
  const plain = plainJson(text);
  // An entry is often copied without the braces around it.
  const value = parseJson(plain) ?? parseJson(`{${plain}}`);
  const found = Object.entries((value === undefined ? undefined : entriesOf(value)) ?? {});
  const secrets = new PastedSecrets();
  const servers = found.map(([name, entry]) => [name, readEntry(name, entry, secrets)] as const);
  const read = servers.flatMap(([name, entry]) => (entry === undefined ? [] : [[name, entry] as const]));
  if (read.length === 0 || read.length < servers.length) return undefined;
  return { servers: Object.fromEntries(read), secrets: secrets.names };
}

function entriesOf(value: Json): Readonly<Record<string, unknown>> | undefined {
  if (!isRecord(value)) return undefined;
  const inMcp = isRecord(value.mcp) ? value.mcp.servers : undefined;
  const listed = value.mcpServers ?? value.servers ?? inMcp;
  if (isRecord(listed)) return listed;
  if (!isServer(value)) return Object.values(value).every(isServer) ? value : undefined;
  const args = Array.isArray(value.args) ? value.args.filter((arg) => typeof arg === 'string') : [];
  return { [typeof value.url === 'string' ? hostName(value.url) : nameOf(args)]: value };
}

function isServer(value: unknown): boolean {
  return isRecord(value) && (typeof value.command === 'string' || typeof (value.url ?? value.serverUrl) === 'string');
}

function readEntry(name: string, entry: unknown, secrets: PastedSecrets): JsonObject | undefined {
  if (!isRecord(entry)) return undefined;
  const { command, args, env, cwd, headers, type, transport } = entry;
  const url = entry.url ?? entry.serverUrl ?? entry.httpUrl;
  const read: Record<string, Json> = {};
  if (typeof command === 'string') {
    // Some write the whole line as the command.
    const [program = '', ...more] = Array.isArray(args) ? [command] : splitCommand(command, inDoubleQuotes).words;
    read.command = program;
    const words = [...more, ...(Array.isArray(args) ? args : []).map(String)];
    if (words.length > 0) read.args = secrets.inArguments(words, name);
    if (isRecord(env)) read.env = secrets.inPairs(env, name, (key) => key);
    if (typeof cwd === 'string') read.cwd = cwd;
  } else if (typeof url === 'string') {
    read.url = secrets.inAddress(url, name);
    if ((type ?? transport) === 'sse') read.transport = 'sse';
    if (isRecord(headers)) read.headers = secrets.inPairs(headers, name, (key) => `${name}_${key}`);
  } else return undefined;
  return read;
}

/** `-y @scope/server-time@1.2` is named `time`, and `mcp-server-git` `git`. */
function nameOf(args: readonly string[]): string {
  const word = args.find((arg) => !/^-|=|\$\{|^(?:run|exec|tool)$/.test(arg)) ?? '';
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
