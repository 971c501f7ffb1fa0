import type { Json } from '@/lib/base/json';
import type { CardFields, Written } from '@/lib/cards/dialects/form/dialect';

/** A name in `tools` or `disallowedTools`: `Read`, `Bash(git:*)`, `Agent(a, b)`, `mcp__server` or `mcp__server__tool`. */
export interface ToolName {
  readonly text: string;
  /** The name without its parentheses. */
  readonly base: string;
  /** True if it has parentheses, which narrow the tool. */
  readonly isNarrowed: boolean;
  readonly server: string | undefined;
  /** `undefined` for all tools of the server. */
  readonly tool: string | undefined;
}

/** Reads a list of names, or one text with commas between them. Commas inside parentheses belong to a name. */
export function toolNames(value: unknown): readonly ToolName[] {
  return namesIn(value).map(toolNameOf);
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

function toolNameOf(text: string): ToolName {
  const base = text.replace(/\(.*$/s, '').trim();
  const [, server, tool] = /^mcp__(.+?)(?:__(.+))?$/s.exec(base) ?? [];
  return { text, base, isNarrowed: base !== text, server, tool: tool === '*' ? undefined : tool };
}

/** Writes a list in the way in which it was written: as a text with commas, or as a list. No names are an empty list. */
export function writeNames(names: readonly string[], before: unknown): Json {
  if (names.length === 0) return [];
  return Array.isArray(before) ? names : names.join(', ');
}

/** Adds a tool of a server, or all of them, to the fields of a card. */
export function giveServer(card: CardFields, server: string, tool: string | undefined): void {
  const servers = textsOf(card.servers);
  const filters = filtersOf(card);
  const isNew = !servers.includes(server);
  const filter = filters[server];
  if (isNew) card.servers = [...servers, server];
  if (tool === undefined) delete filters[server];
  else if (isNew) filters[server] = [tool];
  else if (filter !== undefined && !filter.includes(tool)) filters[server] = [...filter, tool];
  if (Object.keys(filters).length > 0) card.tools = filters;
  else delete card.tools;
}

/** Takes a server from the fields of a card. */
export function takeServer(card: CardFields, server: string): void {
  const left = textsOf(card.servers).filter((one) => one !== server);
  const { [server]: _, ...filters } = filtersOf(card);
  setOrDelete(card, 'servers', left.length > 0 ? left : undefined);
  setOrDelete(card, 'tools', Object.keys(filters).length > 0 ? filters : undefined);
}

function setOrDelete(card: CardFields, key: string, value: unknown): void {
  if (value === undefined) delete card[key];
  else card[key] = value;
}

/**
 * Returns the names that a card needs, from those that are written: names of servers that it no longer uses are left out, and
 * missing ones are added at the end. `others` are servers that another field of the file names.
 */
export function wantedNames(
  card: Readonly<CardFields>,
  written: Written,
  others: ReadonlySet<string>,
): readonly string[] {
  const before = toolNames(written.tools);
  const servers = textsOf(card.servers);
  const filters = filtersOf(card);
  const isWanted = ({ base, server, tool }: ToolName) => {
    if (base === 'Bash') return card.shell === true;
    if (server === undefined) return true;
    if (!servers.includes(server)) return false;
    const filter = filters[server];
    return filter === undefined ? tool === undefined : tool !== undefined && filter.includes(tool);
  };
  const kept = before.filter(isWanted);
  const has = (server: string, tool: string | undefined) =>
    kept.some((one) => one.server === server && one.tool === tool);
  const added = servers.flatMap((server): readonly string[] => {
    const filter = filters[server];
    if (filter !== undefined)
      return filter.filter((tool) => !has(server, tool)).map((tool) => `mcp__${server}__${tool}`);
    return others.has(server) || has(server, undefined) ? [] : [`mcp__${server}`];
  });
  const shell = card.shell === true && !kept.some(({ base }) => base === 'Bash') ? ['Bash'] : [];
  return [...kept.map(({ text }) => text), ...added, ...shell];
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

function filtersOf(card: Readonly<CardFields>): Record<string, readonly string[]> {
  const { tools } = card;
  if (typeof tools !== 'object' || tools === null) return {};
  return Object.fromEntries(Object.entries(tools).map(([server, names]) => [server, textsOf(names)]));
}
