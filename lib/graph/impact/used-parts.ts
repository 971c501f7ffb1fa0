import type { UsedPart } from '@/lib/base/uses';
import type { FastAgentConfig } from '@/lib/cards/config';
import { encodeFile } from '@/lib/cards/files';
import { fixtureNames } from '@/lib/cards/fixture-files';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { findEntry } from '@/lib/cards/project/entry';
import { fixtureOf } from '@/lib/cards/project/fixtures';
import type { Graph } from '@/lib/graph/graph';
import { projectGraph } from '@/lib/graph/project';
import { type NamedPart, namedParts } from './named-parts';

type Hash = (bytes: Uint8Array) => string;

/**
 * Lists what the agents of a folder use, with the agents and tests that need it. Pure: `hash` makes equal content equal. `config` has the servers
 * of the secrets file too.
 */
export function usedParts(
  folder: Folder,
  parsed: ParsedFolder,
  config: FastAgentConfig,
  hash: Hash,
): readonly UsedPart[] {
  const graph = projectGraph(parsed);
  const reached = testsByAgent(folder, parsed, graph);
  const hashOf = (content: NamedPart['content']) => {
    if ('text' in content) return content.text === '' ? '' : hash(new TextEncoder().encode(content.text));
    const file = folder.get(content.path);
    return file === undefined || file.kind === 'stored' ? '' : hash(encodeFile(file));
  };
  return namedParts(folder, parsed, config, graph).map(({ kind, name, content, agents }) => {
    const users = kind === 'agent' ? [name] : agents.has('*') ? parsed.cards.map((card) => card.name) : [...agents];
    const tests = [...new Set(users.flatMap((user) => [...(reached.get(user) ?? [])]))].sort();
    return { kind, name, hash: hashOf(content), agents: [...agents].sort(), tests };
  });
}

/** Returns the tests that reach each agent: from the agent of the test, down to whatever it may call. */
function testsByAgent(folder: Folder, parsed: ParsedFolder, graph: Graph): ReadonlyMap<string, ReadonlySet<string>> {
  const below = new Map<string, string[]>();
  for (const { source, target } of graph.edges) below.set(source, [...(below.get(source) ?? []), target]);
  const entry = entryName(parsed);
  const found = new Map<string, Set<string>>();
  for (const name of fixtureNames(folder)) {
    const first = fixtureOf(folder, name)?.agent ?? entry;
    const seen = new Set<string>();
    const next = first === undefined ? [] : [`agent:${first}`];
    for (let id = next.pop(); id !== undefined; id = next.pop()) {
      if (seen.has(id)) continue;
      seen.add(id);
      next.push(...(below.get(id) ?? []));
    }
    for (const id of seen) {
      if (!id.startsWith('agent:')) continue;
      const agent = id.slice('agent:'.length);
      found.set(agent, (found.get(agent) ?? new Set()).add(name));
    }
  }
  return found;
}

function entryName(parsed: ParsedFolder): string | undefined {
  const entry = findEntry(parsed);
  switch (entry.is) {
    case 'named':
      return entry.name;
    case 'card':
    case 'first':
      return entry.card.name;
    case 'unread':
    case 'none':
      return undefined;
  }
}
