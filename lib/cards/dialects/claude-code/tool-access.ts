import { globMatch } from '@/lib/base/fnmatch';
import type { CardFields, DialectContext, DialectNote, Written } from '@/lib/cards/dialects/form/dialect';
import { quoted } from '@/lib/cards/dialects/form/quoted';
import { filtersOf, giveServers, giveTools, setServers, textsOf } from '@/lib/cards/dialects/form/tool-access';
import { hasEveryTool, namesIn, type ToolName, toolNames } from './tool-names';

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
