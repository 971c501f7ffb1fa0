import type { PartKind } from '@/lib/base/uses';
import type { Card } from '@/lib/cards/card';
import type { FastAgentConfig } from '@/lib/cards/config';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { skillsOf } from '@/lib/cards/read/skills';
import type { Graph } from '@/lib/graph/graph';
import { hookChain } from '@/lib/graph/hook-chain';

/** A part as the agents of a folder name it. */
export interface NamedPart {
  readonly kind: PartKind;
  /** Unique among the parts of its kind, as `UsedPart` says. */
  readonly name: string;
  /** The file without which the part is gone: the card, the code, `SKILL.md`, the config of a server, callboard.yaml. */
  readonly file: string;
  /** What makes two parts equal: the bytes of a file, or a text, which is empty if nothing does. */
  readonly content: { readonly path: string } | { readonly text: string };
  /** The agents that use it. For an agent: those that may call it. `*` stands for every agent. */
  readonly agents: ReadonlySet<string>;
}

type Named = Omit<NamedPart, 'agents'>;

/** Lists the parts that the agents of a folder name, each once. */
export function namedParts(
  folder: Folder,
  parsed: ParsedFolder,
  config: FastAgentConfig,
  graph: Graph,
): readonly NamedPart[] {
  const found = new Map<string, Named & { readonly agents: Set<string> }>();
  const note = (part: Named, ...agents: readonly string[]) => {
    const key = `${part.kind} ${part.name}`;
    const known = found.get(key) ?? { ...part, agents: new Set<string>() };
    for (const agent of agents) known.agents.add(agent);
    found.set(key, known);
  };
  for (const card of parsed.cards) {
    note({ kind: 'agent', name: card.name, file: card.file, content: { text: '' } }, ...callersOf(graph, card.name));
    for (const { kind, file, functionName, origin, spec } of hookChain(card, parsed)) {
      const users = origin === 'run' ? ['*'] : [card.name];
      if (kind === 'code') note({ kind: 'hook', ...codePart(file, functionName) }, ...users);
      else note({ kind: 'hook', name: kind, file, content: { text: spec } }, ...users);
    }
    for (const part of [...serversOf(card, config), ...toolsOf(card, folder)]) note(part, card.name);
  }
  return [...found.values()];
}

function codePart(file: string, functionName: string) {
  return { name: `${file}:${functionName}`, file, content: { path: file } };
}

/** The servers of the config that a card names, then those that it connects to by itself. */
function serversOf(card: Card, config: FastAgentConfig): readonly Named[] {
  const declared = ('servers' in card ? card.servers : []).map((name): Named => {
    const server = Object.hasOwn(config.servers, name) ? config.servers[name] : undefined;
    const text = server === undefined ? '' : (server.url ?? [server.command ?? '', ...server.args].join(' '));
    return { kind: 'server', name, file: config.file ?? '', content: { text } };
  });
  if (card.type !== 'agent') return declared;
  const brought = card.mcpConnect.map(({ name, target }): Named => {
    return { kind: 'server', name, file: card.file, content: { text: target?.trim() ?? '' } };
  });
  return [...declared, ...brought];
}

function toolsOf(card: Card, folder: Folder): readonly Named[] {
  if (card.type !== 'agent') return [];
  return [
    ...card.functionTools.map((tool): Named => ({ kind: 'tool', ...codePart(tool.file, tool.functionName) })),
    ...skillsOf(card, folder).skills.map(({ name, file }): Named => {
      return { kind: 'skill', name, file, content: { path: file } };
    }),
  ];
}

function callersOf(graph: Graph, name: string): readonly string[] {
  return graph.edges.flatMap(({ source, target }) =>
    target === `agent:${name}` && source.startsWith('agent:') ? [source.slice('agent:'.length)] : [],
  );
}
