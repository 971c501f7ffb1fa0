import { agentView } from '@/lib/cards/agent-view';
import { membersOf } from '@/lib/cards/read/members';
import type { CapabilityChange } from '@/lib/graph/changes/capability-change';
import type { ReadProject } from '@/lib/graph/changes/project-side';
import type { Graph } from '@/lib/graph/graph';
import type { ReviewAnchor } from './anchor';
import { linesOf } from './follow-lines';

/** What a row or a sentence of a comparison is about. */
export interface Compared {
  /** The part that is compared. It may be gone. */
  readonly part: ReviewAnchor | undefined;
  /** What a comment is about: the part, or the agent that had it. `undefined` if neither is in the later folder. */
  readonly anchor: ReviewAnchor | undefined;
}

/** A sentence of the summary, with its part. */
export interface ComparedChange extends CapabilityChange {
  readonly about: Compared;
}

/** The parts of the later folder, by which comments are offered only where there is something to comment on. */
export interface PartIndex {
  readonly project: ReadProject;
  readonly agents: ReadonlySet<string>;
  /** How hooks are written, by agent. */
  readonly hooks: ReadonlyMap<string, ReadonlySet<string>>;
  readonly edges: ReadonlySet<string>;
  /** How hooks are written, also those that are gone, by agent, file and short name. */
  readonly specs: ReadonlyMap<string, string>;
}

/** `drawn` has the parts of both folders. */
export function partIndex(project: ReadProject, graph: Graph, drawn: Graph): PartIndex {
  const named = ({ nodes }: Graph) => new Map(nodes.map(({ id, name }) => [id, name]));
  const [names, allNames] = [named(graph), named(drawn)];
  const takesWires = new Set(
    graph.nodes.flatMap(({ id, kind }) => (kind === 'agent' || kind === 'server' ? [id] : [])),
  );
  const cards = project.parsed.cards;
  return {
    project,
    agents: new Set(cards.map(({ name }) => name)),
    hooks: new Map(
      Object.entries(graph.chains).map(([id, chain]) => [names.get(id) ?? '', new Set(chain.map(({ spec }) => spec))]),
    ),
    specs: new Map(
      Object.entries(drawn.chains).flatMap(([id, chain]) =>
        chain.map((entry) => [hookKey(allNames.get(id) ?? '', entry), entry.spec] as const),
      ),
    ),
    edges: new Set([
      ...cards.flatMap((card) => membersOf(card).map((member) => `${card.name}\n${member}`)),
      ...graph.edges.flatMap(({ source, target }) =>
        takesWires.has(target) ? [`${names.get(source)}\n${names.get(target)}`] : [],
      ),
    ]),
  };
}

function hookKey(agent: string, { file, name }: { readonly file: string; readonly name: string }): string {
  return `${agent}\n${file}\n${name}`;
}

/** Returns a part with what a comment on it is about. */
export function comparedPart(part: ReviewAnchor | undefined, index: PartIndex): Compared {
  return { part, anchor: part === undefined ? undefined : anchorOf(part, index) };
}

function anchorOf(part: ReviewAnchor, index: PartIndex): ReviewAnchor | undefined {
  const { agents, hooks, edges } = index;
  const agent = (name: string): ReviewAnchor | undefined =>
    agents.has(name) ? { kind: 'agent', agent: name } : undefined;
  switch (part.kind) {
    case 'review':
      return part;
    case 'agent':
      return agent(part.agent);
    case 'line':
      return hasLine(index.project, part.file, part.to) ? part : undefined;
    case 'server':
      return Object.hasOwn(index.project.parsed.config.servers, part.server) ? part : undefined;
    case 'edge':
      return edges.has(`${part.from}\n${part.to}`) ? part : agent(part.from);
    case 'hook':
      return hooks.get(part.agent)?.has(part.hook) ? part : agent(part.agent);
    case 'tool':
    case 'field':
      return agents.has(part.agent) ? part : undefined;
  }
}

/** Finds what a sentence of the summary is about, at last its line. */
export function partOfChange(change: CapabilityChange, index: PartIndex): Compared {
  const { subject, kind, anchor } = change;
  const { agent, hook, tool, server, field, file = '' } = subject;
  if (agent !== undefined) {
    if (hook !== undefined) {
      // A sentence names a hook by its function.
      const spec = index.specs.get(hookKey(agent, { file, name: hook })) ?? hook;
      return comparedPart({ kind: 'hook', agent, hook: spec }, index);
    }
    if (tool !== undefined) {
      const isEdge = index.edges.has(`${agent}\n${tool}`) || kind === 'delegation' || kind === 'worker';
      return comparedPart(isEdge ? { kind: 'edge', from: agent, to: tool } : { kind: 'tool', agent, tool }, index);
    }
    if (server !== undefined) return comparedPart({ kind: 'edge', from: agent, to: server }, index);
    if (field !== undefined && hasField(agent, field, index)) {
      return comparedPart({ kind: 'field', agent, field: topOf(field) }, index);
    }
    return comparedPart({ kind: 'agent', agent }, index);
  }
  if (server !== undefined) return comparedPart({ kind: 'server', server }, index);
  if (anchor.side === 'before') return { part: undefined, anchor: undefined };
  return comparedPart({ kind: 'line', file: anchor.file, from: anchor.line, to: anchor.line }, index);
}

/** Fields of sentences are fields of the card, or settings. */
function hasField(agent: string, field: string, { project }: PartIndex): boolean {
  const card = project.parsed.cards.find(({ name }) => name === agent);
  if (card === undefined) return false;
  const name = topOf(field).replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.hasOwn({ ...agentView(card), ...card }, name);
}

function topOf(field: string): string {
  return field.split('.')[0] ?? field;
}

function hasLine({ folder }: ReadProject, path: string, line: number): boolean {
  const file = folder.get(path);
  return file?.kind === 'text' && line <= linesOf(file.text).length;
}
