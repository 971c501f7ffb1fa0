import type { Json } from '@/lib/base/json';
import type { NamedTool, ToolWords } from '@/lib/cards/dialects/form/tool-access';

/** A name in `tools` or `disallowedTools`: `Read`, `Bash(git:*)`, `Agent(a, b)`, `mcp__server` or `mcp__server__tool`. */
export interface ToolName extends NamedTool {
  /** The name without its parentheses. */
  readonly base: string;
  /** True if it has parentheses, which narrow the tool. */
  readonly isNarrowed: boolean;
}

/**
 * Reads a list of names, or one text with commas between them. Commas inside parentheses belong to a name. `servers` are those of
 * the project: a name is the one of the longest server that fits. Another server ends at the first `__`.
 */
export function toolNames(value: unknown, servers: readonly string[]): readonly ToolName[] {
  return namesIn(value).map((text) => toolNameOf(text, servers));
}

/** True for an agent that has every tool: it names none, or all. */
export function hasEveryTool(tools: unknown): boolean {
  const names = namesIn(tools);
  return tools === undefined || (names.length === 1 && names[0] === '*');
}

/** Returns the entries of a list, or of a text with commas. */
export function namesIn(value: unknown): readonly string[] {
  const texts = Array.isArray(value) ? value : typeof value === 'string' ? splitAtCommas(value) : [];
  return texts.flatMap((one: unknown) => (typeof one === 'string' && one.trim() !== '' ? [one.trim()] : []));
}

function splitAtCommas(text: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const sign of text) {
    if (sign === '(') depth++;
    if (sign === ')') depth--;
    if (sign === ',' && depth <= 0) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  return parts;
}

function toolNameOf(text: string, servers: readonly string[]): ToolName {
  const base = text.replace(/\(.*$/s, '').trim();
  const [server, tool] = serverAndTool(base, servers);
  return {
    text,
    base,
    isShell: text === 'Bash',
    isNarrowed: base !== text,
    server,
    tool: tool === '*' ? undefined : tool,
  };
}

function serverAndTool(name: string, servers: readonly string[]): readonly (string | undefined)[] {
  if (!name.startsWith('mcp__')) return [];
  const rest = name.slice('mcp__'.length);
  const fits = servers.filter((one) => rest === serverWord(one) || rest.startsWith(`${serverWord(one)}__`));
  const [longest] = [...fits].sort((a, b) => b.length - a.length);
  if (longest === undefined) return (/^(.+?)(?:__(.+))?$/s.exec(rest) ?? []).slice(1);
  return [longest, rest === serverWord(longest) ? undefined : rest.slice(longest.length + '__'.length)];
}

/** The name of a server inside the names of its tools. Source: code.claude.com/docs/en/mcp, *How MCP tools are named*. */
export function serverWord(server: string): string {
  return server.replace(/[^A-Za-z0-9_-]/g, '_');
}

/** Writes the name of a tool of a server, or of all of them. */
export function toolNameFor(server: string, tool: string | undefined): string {
  return `mcp__${serverWord(server)}${tool === undefined ? '' : `__${tool}`}`;
}

export const toolWords: ToolWords = { shell: 'Bash', of: toolNameFor };

/** Returns a list of names of tools, in the way in which it is written, after a server has got another name. */
export function renamedIn(value: unknown, from: string, to: string, servers: readonly string[]): unknown {
  const names = toolNames(value, servers);
  if (!names.some(({ server }) => server === from)) return value;
  const [before, after] = [toolNameFor(from, undefined), toolNameFor(to, undefined)];
  return writeNames(
    names.map(({ text, server }) => (server === from ? after + text.slice(before.length) : text)),
    value,
  );
}

/** Writes a list in the way in which it was written: as a text with commas, or as a list. No names are an empty list. */
export function writeNames(names: readonly string[], before: unknown): Json {
  if (names.length === 0) return [];
  return Array.isArray(before) ? names : names.join(', ');
}
