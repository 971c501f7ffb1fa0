import { isRecord, type Json, type JsonObject, parseJson } from '@/lib/base/json';
import { secretKeys } from '@/lib/base/redact';
import { splitCommand } from '@/lib/base/split-command';

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
  const [command = '', ...args] = splitCommand(trimmed);
  if (trimmed.includes('\n') || args.length === 0 || !programs.test(command)) return undefined;
  const secrets = new Set<string>();
  const words = withoutSecrets(args, secrets);
  return { servers: { [nameOf(words)]: { command, args: words } }, secrets: [...secrets] };
}

/** Longer texts are no list of servers. */
const largest = 200_000;

function readJson(text: string): PastedServers | undefined {
  // An entry is often copied without the braces around it.
  const value = parseJson(plainJson(text)) ?? parseJson(`{${plainJson(text)}}`);
  const found = value === undefined ? undefined : entriesOf(value);
  if (found === undefined || Object.keys(found).length === 0) return undefined;
  const secrets = new Set<string>();
  const servers: Record<string, JsonObject> = {};
  for (const [name, entry] of Object.entries(found)) {
    const read = readEntry(name, entry, secrets);
    if (read === undefined) return undefined;
    servers[name] = read;
  }
  return { servers, secrets: [...secrets] };
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

function readEntry(name: string, entry: unknown, secrets: Set<string>): JsonObject | undefined {
  if (!isRecord(entry)) return undefined;
  const { command, args, env, cwd, headers, type, transport } = entry;
  const url = entry.url ?? entry.serverUrl ?? entry.httpUrl;
  const read: Record<string, Json> = {};
  if (typeof command === 'string') {
    // Some write the whole line as the command.
    const [program = '', ...more] = Array.isArray(args) ? [command] : splitCommand(command);
    read.command = program;
    const words = [...more, ...(Array.isArray(args) ? args : []).map(String)];
    if (words.length > 0) read.args = withoutSecrets(words, secrets);
    if (isRecord(env)) read.env = pairs(env, (key) => key, secrets);
    if (typeof cwd === 'string') read.cwd = cwd;
  } else if (typeof url === 'string') {
    read.url = withoutQuery(withNames(url, secrets), secrets);
    if ((type ?? transport) === 'sse') read.transport = 'sse';
    if (isRecord(headers)) read.headers = pairs(headers, (key) => `${name}_${key}`, secrets);
  } else return undefined;
  return read;
}

const isSecret = secretKeys();

/** Replaces the values of options that are secrets: `--token=x`, `--api-key x`, `-e KEY=x`. */
function withoutSecrets(args: readonly string[], secrets: Set<string>): string[] {
  return args.map((arg, index) => {
    const text = withNames(arg, secrets);
    const [, option = '', value = ''] = /^-{0,2}([\w-]+)=(.+)$/s.exec(text) ?? [];
    const before = /^--?([\w-]+)$/.exec(args[index - 1] ?? '')?.[1] ?? '';
    const isValue = isSecret(option) || (isSecret(before) && !text.startsWith('-'));
    if (!isValue || text.includes('${')) return text;
    const secret = variableName(isSecret(option) ? option : before);
    secrets.add(secret);
    return isSecret(option) ? `${text.slice(0, text.length - value.length)}\${${secret}}` : `\${${secret}}`;
  });
}

/** Replaces the values of secrets in the query of an address. */
function withoutQuery(url: string, secrets: Set<string>): string {
  return url.replace(/([?&])([\w.-]+)=([^&#$]+)/g, (whole, mark: string, key: string) => {
    if (!isSecret(key)) return whole;
    const secret = variableName(key);
    secrets.add(secret);
    return `${mark}${key}=\${${secret}}`;
  });
}

function pairs(
  values: Readonly<Record<string, unknown>>,
  secretOf: (key: string) => string,
  secrets: Set<string>,
): JsonObject {
  const entries = Object.entries(values).map(([key, value]): [string, Json] => {
    const text = withNames(String(value ?? ''), secrets);
    if (text.includes('${') || !(isSecret(key) || isPlaceholder(text))) return [key, text];
    const secret = variableName(secretOf(key));
    secrets.add(secret);
    const [, scheme = ''] = /^((?:Bearer|Basic|Token)\s+)/i.exec(text) ?? [];
    return [key, `${scheme}\${${secret}}`];
  });
  return Object.fromEntries(entries);
}

/** A text that asks a person to replace it: `<your key>`, `YOUR_API_KEY`. */
function isPlaceholder(text: string): boolean {
  return /^(?:<[^<>]*>|your[_ -].*)$/i.test(text.trim());
}

/** Replaces the variables of other programs: `${input:key}`, `${env:KEY}`. */
function withNames(text: string, secrets: Set<string>): string {
  return text.replace(/\$\{(input|env):([^}]{1,100})\}/g, (_, kind: string, given: string) => {
    const name = variableName(given);
    if (kind === 'input') secrets.add(name);
    return `\${${name}}`;
  });
}

function variableName(text: string): string {
  return text
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toUpperCase();
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
  const labels = /^https?:\/\/([^/:?#]+)/i.exec(url)?.[1]?.split('.') ?? [];
  return labels.find((label) => !/^(?:mcp|www|api)$/.test(label)) ?? 'server';
}

/** Removes comments and trailing commas outside texts. */
function plainJson(text: string): string {
  const tokens = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=\s*[}\]])/g;
  const once = text.replace(tokens, (token) => (token.startsWith('"') ? token : ''));
  // A comma may have stood before a comment.
  return once.replace(/"(?:[^"\\]|\\.)*"|,(?=\s*(?:[}\]]|$))/g, (token) => (token.startsWith('"') ? token : ''));
}
