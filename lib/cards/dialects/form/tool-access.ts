import { isRecord } from '@/lib/base/json';
import type { CardFields } from './dialect';

/*
 * What an agent may use, as fields of a card: `servers`, `tools` (the filters) and `shell`, from and to a list of names in another
 * program's words.
 */

/** A name in a list of tools. */
export interface NamedTool {
  readonly text: string;
  /** True for the tool that runs commands. */
  readonly isShell: boolean;
  readonly server: string | undefined;
  /** `undefined` for all tools of the server. */
  readonly tool: string | undefined;
}

/** How a program writes names of tools. */
export interface ToolWords {
  readonly shell: string;
  /** Writes the name of a tool of a server, or of all of them. */
  of(server: string, tool: string | undefined): string;
}

/** Gives servers with all their tools. */
export function giveServers(card: CardFields, servers: readonly string[]): void {
  setServers(card, [...textsOf(card.servers), ...servers], filtersOf(card));
}

/** Gives the tools that `tools` names. Servers that the agent has already are narrowed to the tools that are named of them. */
export function giveTools(card: CardFields, names: readonly NamedTool[]): void {
  const filters = filtersOf(card);
  const servers = names.flatMap(({ server }) => server ?? []);
  for (const server of servers) {
    const tools = names.flatMap((name) => (name.server === server ? [name.tool] : []));
    const named = tools.filter((tool): tool is string => tool !== undefined);
    if (named.length < tools.length) filters.delete(server);
    else filters.set(server, [...new Set(named)]);
  }
  setServers(card, [...textsOf(card.servers), ...servers], filters);
  if (names.some(({ isShell }) => isShell)) card.shell = true;
}

/** Filters of servers that the agent does not have are dropped. */
export function setServers(
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
  written: readonly NamedTool[],
  { words, others }: { readonly words: ToolWords; readonly others: ReadonlySet<string> },
): readonly string[] {
  const [old, wanted] = [accessIn(before), accessIn(card)];
  const kept = written.filter((name) => staysIn(name, old, wanted));
  const has = (server: string, tool: string | undefined) =>
    kept.some((one) => one.server === server && one.tool === tool);
  const added = [...wanted.servers].flatMap((server): readonly string[] => {
    const filter = wanted.filters.get(server);
    if (filter !== undefined) return filter.filter((tool) => !has(server, tool)).map((tool) => words.of(server, tool));
    return others.has(server) || has(server, undefined) ? [] : [words.of(server, undefined)];
  });
  const shell = wanted.shell && !kept.some(({ isShell }) => isShell) ? [words.shell] : [];
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
function staysIn({ isShell, server, tool }: NamedTool, before: Access, wanted: Access): boolean {
  if (isShell) return wanted.shell || !before.shell;
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
