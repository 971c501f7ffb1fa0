import { type Fingerprints, hashIn, type ListedTools, onlyReads } from '@/lib/base/known-servers';
import { filterTakes } from '@/lib/base/name-filter';
import { own } from '@/lib/base/own';
import { type Found, listChange, quoted } from './capability-change';
import type { Side } from './project-side';

/*
 * What the lists of MCP servers add to a comparison: tools that a server lists since or no more, which tools may write, and tools that
 * are described differently. A tool may write unless it declares that it only reads.
 */

interface About {
  readonly agent: string;
  readonly server: string;
  readonly before: Side;
  readonly after: Side;
}

/** With all tools allowed, a tool that the server newly lists can be called. */
export function listedChanges({ agent, server, before, after }: About): Found[] {
  const [old, now] = [own(before.listed, server), own(after.listed, server)];
  if (old === undefined || now === undefined) return [];
  return listChange(
    (tool) => ({ kind: 'tool', subject: { agent, server, tool }, at: { agent, path: ['servers'] } }),
    Object.keys(old),
    Object.keys(now),
    (tool, isNew) =>
      isNew
        ? `Agent '${agent}' can now call the tool '${tool}' of the server '${server}', which the server lists since.${writeWords(now, tool)}`
        : `Agent '${agent}' can no longer call the tool '${tool}' of the server '${server}', which the server lists no more.`,
  );
}

type Filter = readonly string[] | undefined;

/** What changed in the tools that an agent can call on both sides. */
export function toolPrintChanges(about: About, filters: { readonly before: Filter; readonly after: Filter }): Found[] {
  const { agent, server, before, after } = about;
  const [old, now] = [own(before.listed, server) ?? {}, own(after.listed, server) ?? {}];
  const kept = Object.keys(now).filter(
    (tool) => own(old, tool) !== undefined && filterTakes(filters.before, tool) && filterTakes(filters.after, tool),
  );
  return kept.flatMap((tool) => {
    const [was, is] = [own(old, tool) ?? '', own(now, tool) ?? ''];
    const common = { kind: 'tool', subject: { agent, server, tool }, at: { agent, path: ['tools', server] } } as const;
    const [name, who] = [`the tool '${tool}' of the server '${server}'`, `Agent '${agent}' can call it.`];
    const found: Found[] = [];
    if (onlyReads(was) && !onlyReads(is)) {
      const sentence = `T${name.slice(1)} may now write. It no longer declares that it only reads. ${who}`;
      found.push({ ...common, weight: 'more', sentence });
    }
    if (!onlyReads(was) && onlyReads(is)) {
      found.push({ ...common, weight: 'less', sentence: `T${name.slice(1)} now declares that it only reads. ${who}` });
    }
    if (hashIn(was) !== hashIn(is)) {
      const sentence = `The description or the arguments of ${name} are different. ${who}`;
      found.push({ ...common, weight: 'same-but-different', sentence });
    }
    return found;
  });
}

/** Says whether a listed tool may write. Of a tool that no list has, nothing is said. */
export function writeWords(listed: Fingerprints | undefined, tool: string): string {
  const print = listed === undefined ? undefined : own(listed, tool);
  if (print === undefined) return '';
  return onlyReads(print) ? ' It declares that it only reads.' : ' It may write.';
}

const mostNamed = 8;

/** Says which of all listed tools may write. */
export function allWriteWords(listed: Fingerprints | undefined): string {
  const tools = Object.entries(listed ?? {});
  if (tools.length === 0) return '';
  const writing = tools.flatMap(([name, print]) => (onlyReads(print) ? [] : [name]));
  if (writing.length === 0) return ' All tools that it lists declare that they only read.';
  const named = writing.slice(0, mostNamed);
  const more = writing.length - named.length;
  const names = more === 0 ? quoted(named) : `${named.map((name) => `'${name}'`).join(', ')} and ${more} more`;
  return ` Of the tools that it lists, ${names} may write.`;
}

/** Servers get their later names. Where only one side knows a list, both are read with it, so that nothing is told of it. */
export function alignedLists(
  before: ListedTools,
  after: ListedTools,
  servers: ReadonlyMap<string, string>,
): { readonly before: ListedTools; readonly after: ListedTools } {
  const renamed = Object.fromEntries(Object.entries(before).map(([name, list]) => [servers.get(name) ?? name, list]));
  return { before: { ...after, ...renamed }, after: { ...renamed, ...after } };
}
