import { globMatch } from '@/lib/base/fnmatch';
import { isRecord } from '@/lib/base/json';
import type { CardFields, DialectContext, DialectNote, Written } from '@/lib/cards/dialects/form/dialect';
import { quoted } from '@/lib/cards/dialects/form/quoted';
import { hasEveryTool, namesIn, type ToolName, toolNameFor, toolNames } from './tool-names';

/*
 * What an agent of Claude Code may use, as fields of a card: `servers`, `tools` (the filters) and `shell`.
 *
 *     mcpServers ──give──▶ servers ──tools narrow or give──▶ servers and filters ──disallowedTools take──▶ the rest
 */

type Tell = (note: DialectNote) => void;

/** Returns what an agent may use in a project with these servers. An agent that does not name its tools has every server. */
export function accessOf(written: Written, context: DialectContext, tell: Tell): CardFields {
  const card: CardFields = {};
  const { tools, mcpServers, disallowedTools } = written;
  giveServers(card, hasEveryTool(tools) ? context.servers : serverNames(mcpServers));
  if (!hasEveryTool(tools)) giveTools(card, toolNames(tools, context.servers));
  denyTools(card, toolNames(disallowedTools, context.servers), tell);
  return card;
}

/** Returns the servers of `mcpServers` that are named. A mapping defines its servers. */
export function serverNames(value: unknown): readonly string[] {
  return typeof value === 'string' ? namesIn(value) : textsOf(value);
}

/** Gives servers with all their tools. */
export function giveServers(card: CardFields, servers: readonly string[]): void {
  setServers(card, [...textsOf(card.servers), ...servers], filtersOf(card));
}

/** Gives the tools that `tools` names. Servers that the agent has already are narrowed to the tools that are named of them. */
export function giveTools(card: CardFields, names: readonly ToolName[]): void {
  const filters = filtersOf(card);
  const servers = names.flatMap(({ server }) => server ?? []);
  for (const server of servers) {
    const tools = names.flatMap((name) => (name.server === server ? [name.tool] : []));
    const named = tools.filter((tool): tool is string => tool !== undefined);
    if (named.length < tools.length) filters.delete(server);
    else filters.set(server, [...new Set(named)]);
  }
  setServers(card, [...textsOf(card.servers), ...servers], filters);
  if (names.some(({ text }) => text === 'Bash')) card.shell = true;
}

/**
 * Takes what `disallowedTools` denies. A filter can only list what is allowed, so where the tools of a server are not listed, the
 * server is taken as a whole, and so is the shell where a part of it is denied. Both are told.
 */
export function denyTools(card: CardFields, denied: readonly ToolName[], tell: Tell): void {
  for (const name of denied) {
    if (name.base === 'Bash' && card.shell === true) {
      delete card.shell;
      if (name.isNarrowed) tell(partialShell(name.text));
    }
    if (name.server === '*') setServers(card, [], new Map());
    else if (name.server !== undefined) denyOf(card, name, name.server, tell);
  }
}

function denyOf(card: CardFields, { tool, text }: ToolName, server: string, tell: Tell): void {
  const servers = textsOf(card.servers);
  if (!servers.includes(server)) return;
  const filters = filtersOf(card);
  const filter = filters.get(server);
  const isPart = (pattern: string) => tool === undefined || globMatch(tool, pattern);
  const overlaps = (pattern: string) => isPart(pattern) || globMatch(pattern, tool ?? '');
  const left = filter?.filter((pattern) => !overlaps(pattern)) ?? [];
  const isMore = filter === undefined ? tool !== undefined : filter.some((one) => overlaps(one) && !isPart(one));
  if (isMore) tell(partialServer(text));
  if (left.length > 0) setServers(card, servers, filters.set(server, left));
  else
    setServers(
      card,
      servers.filter((one) => one !== server),
      filters,
    );
}

function partialServer(text: string): DialectNote {
  const say = (words: readonly string[]) =>
    `More is left out than 'disallowedTools' denies with ${quoted(words)}, because a filter here can only list the tools that are allowed. Name the tools that the agent may use in 'tools'.`;
  return { key: 'disallowed-tools', use: 'cannot-run', path: ['disallowedTools'], words: [text], say };
}

function partialShell(text: string): DialectNote {
  const say = (words: readonly string[]) =>
    `An agent has no shell here if 'disallowedTools' denies a part of it: ${quoted(words)}.`;
  return { key: 'disallowed-shell', use: 'cannot-run', path: ['disallowedTools'], words: [text], say };
}

/** Filters of servers that the agent does not have are dropped. */
function setServers(
  card: CardFields,
  servers: readonly string[],
  filters: ReadonlyMap<string, readonly string[]>,
): void {
  const own = new Set(servers);
  const kept = [...filters].filter(([server]) => own.has(server));
  if (own.size > 0) card.servers = [...own];
  else delete card.servers;
  if (kept.length > 0) card.tools = Object.fromEntries(kept);
  else delete card.tools;
}

/**
 * Returns the names that `tools` needs for a card. A written name that the edit does not touch stays as it is, whatever it means;
 * missing names are added at the end. `others` are servers that another field of the file names.
 */
export function wantedNames(
  card: Readonly<CardFields>,
  before: Readonly<CardFields>,
  written: readonly ToolName[],
  others: ReadonlySet<string>,
): readonly string[] {
  const [old, wanted] = [accessIn(before), accessIn(card)];
  const kept = written.filter((name) => staysIn(name, old, wanted));
  const has = (server: string, tool: string | undefined) =>
    kept.some((one) => one.server === server && one.tool === tool);
  const added = [...wanted.servers].flatMap((server): readonly string[] => {
    const filter = wanted.filters.get(server);
    if (filter !== undefined)
      return filter.filter((tool) => !has(server, tool)).map((tool) => toolNameFor(server, tool));
    return others.has(server) || has(server, undefined) ? [] : [toolNameFor(server, undefined)];
  });
  const shell = wanted.shell && !kept.some(({ text }) => text === 'Bash') ? ['Bash'] : [];
  return [...kept.map(({ text }) => text), ...added, ...shell];
}

interface Access {
  readonly servers: ReadonlySet<string>;
  readonly filters: ReadonlyMap<string, readonly string[]>;
  readonly shell: boolean;
}

function accessIn(card: Readonly<CardFields>): Access {
  return { servers: new Set(textsOf(card.servers)), filters: filtersOf(card), shell: card.shell === true };
}

/** A name that gave the agent nothing before, such as one that is denied, is not touched either. */
function staysIn({ text, server, tool }: ToolName, before: Access, wanted: Access): boolean {
  if (text === 'Bash') return wanted.shell || !before.shell;
  if (server === undefined || !before.servers.has(server)) return true;
  if (!wanted.servers.has(server)) return false;
  const [old, filter] = [before.filters.get(server), wanted.filters.get(server)];
  if (JSON.stringify(old) === JSON.stringify(filter)) return true;
  if (filter === undefined || tool === undefined) return filter === undefined && tool === undefined;
  return filter.includes(tool) || old?.includes(tool) === false;
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

/** Returns the filters of a card by server. */
export function filtersOf({ tools }: Readonly<CardFields>): Map<string, readonly string[]> {
  return new Map(isRecord(tools) ? Object.entries(tools).map(([server, names]) => [server, textsOf(names)]) : []);
}
