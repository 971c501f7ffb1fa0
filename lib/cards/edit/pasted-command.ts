import { isRecord, parseJson } from '@/lib/base/json';
import { inDoubleQuotes, splitCommand } from '@/lib/base/split-command';

/** An entry of a server as another program writes it, with its name if the text gives one. */
interface ForeignEntry {
  readonly name: string | undefined;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** Programs that start MCP servers. A line that begins with another word is not taken for a command. */
const programs = /^(?:npx|uvx|bunx|pnpx|pipx|node|deno|bun|python[\d.]*|uv|docker|podman|java|dotnet)$/;
const shells = /^(?:bash|sh|zsh|cmd|powershell|pwsh)$/;
const assignment = /^([A-Za-z_]\w*)=(.*)$/s;

/**
 * Reads a command line that starts a server, the address of one, or a line that adds one to another program: `claude mcp add …`.
 * Returns `undefined` for any other text.
 */
export function readCommand(text: string): ForeignEntry | undefined {
  // A line may be continued with `\`, with `^` on Windows and with a backtick in PowerShell.
  const line = text.replace(/[\\^`]\r?\n\s*/g, ' ').replace(/^\$\s+/, '');
  if (/[\r\n]/.test(line)) return undefined;
  const { words, open } = splitCommand(line, inDoubleQuotes);
  if (open !== '') return undefined;
  const [first = '', second, third] = words;
  if (/^(?:claude|codex|gemini)$/.test(programName(first)) && second === 'mcp' && third === 'add')
    return readAdding(words.slice(3));
  if (second === 'mcp' && third === 'add-json') return readAddedJson(words.slice(3));
  if (words.length === 1) return isServerAddress(first) ? { name: undefined, entry: { url: first } } : undefined;
  return readLine(words);
}

/** True for an address that ends as those of servers do. */
function isServerAddress(text: string): boolean {
  return /^https?:\/\/[^\s/]+\/(?:[^\s?#]*\/)?(?:mcp|sse)\/?(?:[?#]\S*)?$/i.test(text);
}

/** `/usr/bin/npx` and `npx.cmd` are `npx`. */
function programName(word: string): string {
  return (word.split(/[\\/]/).at(-1) ?? '').replace(/\.(?:cmd|exe|bat|ps1)$/i, '').toLowerCase();
}

/** True for a shell, whose last argument is a command line. */
export function isShell(command: string): boolean {
  return shells.test(programName(command));
}

function readLine(words: readonly string[]): ForeignEntry | undefined {
  const env: Record<string, string> = {};
  let start = words[0] === 'env' ? 1 : 0;
  for (; assignment.test(words[start] ?? ''); start += 1) {
    const [, name = '', value = ''] = assignment.exec(words[start] ?? '') ?? [];
    env[name] = value;
  }
  const [command = '', ...args] = words.slice(start);
  const isLine = programs.test(programName(command)) || (isShell(command) && /^[-/]\w*c$/i.test(args[0] ?? ''));
  if (!isLine || args.length === 0) return undefined;
  return { name: undefined, entry: { command, args, ...(start > 0 && Object.keys(env).length > 0 ? { env } : {}) } };
}

/** Reads what follows `claude mcp add-json`. */
function readAddedJson(words: readonly string[]): ForeignEntry | undefined {
  const at = words.findIndex((word) => word.startsWith('{'));
  const entry = parseJson(words[at] ?? '');
  return at > 0 && isRecord(entry) ? { name: words[at - 1], entry } : undefined;
}

const forAdding: ReadonlyMap<string, string> = new Map([
  ['-e', 'env'],
  ['--env', 'env'],
  ['-H', 'header'],
  ['--header', 'header'],
  ['-t', 'transport'],
  ['--transport', 'transport'],
  ['--url', 'url'],
  ['-s', 'scope'],
  ['--scope', 'scope'],
  ['--timeout', 'timeout'],
  ['--bearer-token-env-var', 'token'],
]);

/** Reads what follows `claude mcp add`, `codex mcp add` or `gemini mcp add`. */
function readAdding(words: readonly string[]): ForeignEntry | undefined {
  const env: Record<string, string> = {};
  const headers: Record<string, string> = {};
  const found: Record<string, string> = {};
  const rest: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') {
      rest.push(...words.slice(at + 1));
      break;
    }
    const [option, inline] = /^--[\w-]+=/.test(word)
      ? [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]
      : [word];
    const kind = forAdding.get(option);
    // After a command, options belong to the server; after an address they do not.
    const isOfServer = rest.length >= 2 && !isAddress(rest[1]);
    if (isOfServer || kind === undefined) {
      if (isOfServer || !word.startsWith('-')) rest.push(word);
      continue;
    }
    if (inline === undefined) at += 1;
    const value = inline ?? words[at] ?? '';
    const [, name = '', given = ''] = /^([^=:\s]+)(?:=|:\s*)(.*)$/s.exec(value) ?? [];
    if (kind === 'env') env[name] = given;
    else if (kind === 'header') headers[name] = given;
    else found[kind] = value;
    // `-e A=1 B=2` takes several.
    while (kind === 'env' && rest.length > 0 && assignment.test(words[at + 1] ?? '')) {
      at += 1;
      const [, more = '', text = ''] = assignment.exec(words[at] ?? '') ?? [];
      env[more] = text;
    }
  }
  return addedEntry(rest, { env, headers, found });
}

function isAddress(text: string | undefined): boolean {
  return /^https?:\/\//i.test(text ?? '');
}

function addedEntry(
  [name, command, ...args]: readonly string[],
  { env, headers, found }: Readonly<Record<'env' | 'headers' | 'found', Readonly<Record<string, string>>>>,
): ForeignEntry | undefined {
  if (name === undefined) return undefined;
  const url = found.url ?? (isAddress(command) ? command : undefined);
  if (url !== undefined) {
    const bearer = found.token === undefined ? {} : { Authorization: `Bearer \${${found.token}}` };
    return { name, entry: { url, type: found.transport, headers: { ...headers, ...bearer } } };
  }
  return command === undefined ? undefined : { name, entry: { command, args, env } };
}
