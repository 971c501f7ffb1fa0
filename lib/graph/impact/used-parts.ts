import type { UsedPart } from '@/lib/base/uses';
import type { Card } from '@/lib/cards/card';
import type { FastAgentConfig } from '@/lib/cards/config';
import { encodeFile } from '@/lib/cards/files';
import { fixtureNames } from '@/lib/cards/fixture-files';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { findEntry } from '@/lib/cards/project/entry';
import { fixtureOf } from '@/lib/cards/project/fixtures';
import { skillsOf } from '@/lib/cards/read/skills';
import type { Graph } from '@/lib/graph/graph';
import { hookChain } from '@/lib/graph/hook-chain';
import { projectGraph } from '@/lib/graph/project';

type Hash = (bytes: Uint8Array) => string;
type Found = Omit<UsedPart, 'agents' | 'tests'> & { readonly agents: Set<string> };

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
  const found = new Map<string, Found>();
  const note = (part: Omit<Found, 'agents'>, ...agents: readonly string[]) => {
    const key = `${part.kind} ${part.name}`;
    const known = found.get(key) ?? { ...part, agents: new Set<string>() };
    for (const agent of agents) known.agents.add(agent);
    found.set(key, known);
  };
  const ofFile = (path: string) => {
    const file = folder.get(path);
    return file === undefined || file.kind === 'stored' ? '' : hash(encodeFile(file));
  };
  for (const card of parsed.cards) {
    note({ kind: 'agent', name: card.name, hash: '' }, ...callersOf(graph, card.name));
    for (const { kind, file, functionName, origin, spec } of hookChain(card, parsed)) {
      const users = origin === 'run' ? ['*'] : [card.name];
      if (kind === 'code') note({ kind: 'hook', name: `${file}:${functionName}`, hash: ofFile(file) }, ...users);
      else note({ kind: 'hook', name: kind, hash: hash(new TextEncoder().encode(spec)) }, ...users);
    }
    for (const part of toolsOf(card, folder, config, ofFile, hash)) note(part, card.name);
  }
  return [...found.values()].map(({ kind, name, hash: content, agents }) => {
    const users = kind === 'agent' ? [name] : agents.has('*') ? parsed.cards.map((card) => card.name) : [...agents];
    const tests = [...new Set(users.flatMap((user) => [...(reached.get(user) ?? [])]))].sort();
    return { kind, name, hash: content, agents: [...agents].sort(), tests };
  });
}

function toolsOf(
  card: Card,
  folder: Folder,
  config: FastAgentConfig,
  ofFile: (path: string) => string,
  hash: Hash,
): readonly Omit<Found, 'agents'>[] {
  const servers = 'servers' in card ? card.servers : [];
  const declared = servers.map((name) => {
    const server = Object.hasOwn(config.servers, name) ? config.servers[name] : undefined;
    const target = server === undefined ? '' : (server.url ?? [server.command ?? '', ...server.args].join(' '));
    return { kind: 'server' as const, name, hash: target === '' ? '' : hash(new TextEncoder().encode(target)) };
  });
  if (card.type !== 'agent') return declared;
  return [
    ...declared,
    ...card.functionTools.map(({ file, functionName }) => ({
      ...{ kind: 'tool' as const, name: `${file}:${functionName}`, hash: ofFile(file) },
    })),
    ...skillsOf(card, folder).skills.map(({ name, file }) => ({ kind: 'skill' as const, name, hash: ofFile(file) })),
  ];
}

function callersOf(graph: Graph, name: string): readonly string[] {
  return graph.edges.flatMap(({ source, target }) =>
    target === `agent:${name}` && source.startsWith('agent:') ? [source.slice('agent:'.length)] : [],
  );
}

/** Returns the tests that reach each agent: from the agent of the test, down to whatever it may call. */
function testsByAgent(folder: Folder, parsed: ParsedFolder, graph: Graph): ReadonlyMap<string, ReadonlySet<string>> {
  const below = new Map<string, string[]>();
  for (const { source, target } of graph.edges) below.set(source, [...(below.get(source) ?? []), target]);
  const entry = entryName(parsed);
  const found = new Map<string, Set<string>>();
  for (const name of fixtureNames(folder)) {
    const first = fixtureOf(folder, name).fixture?.agent ?? entry;
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
