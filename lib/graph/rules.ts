import { assertNever } from '@/lib/base/assert';
import type { Card } from '@/lib/cards/card';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { EdgeKind, Graph, GraphNode, NodeId } from './graph';

export type ConnectVerdict = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/**
 * Says whether a wire may be drawn, and if not, the reason for the cursor to show. Rejects wires that fast-agent's checkers
 * would reject in the card, and wires for which cards have no field.
 */
export function canConnect(graph: Graph, parsed: ParsedFolder, source: NodeId, target: NodeId): ConnectVerdict {
  const from = graph.nodes.find((node) => node.id === source);
  const to = graph.nodes.find((node) => node.id === target);
  if (from === undefined || to === undefined) return no('Drop the wire on a node.');
  if (from.kind !== 'agent') return no(`Wires start at an agent. ${nameOf(from)} is ${kindOf(from)}.`);
  if (from.missing) return no(`No card defines '${from.name}' yet. Create the card first.`);
  const card = parsed.cards.find((other) => other.file === from.file);
  if (card === undefined) return no(`The card of '${from.name}' cannot be read. Correct it first.`);
  if (source === target) {
    return no(`'${from.name}' cannot ${card.type === 'agent' ? 'delegate to itself' : 'be a member of itself'}.`);
  }
  switch (to.kind) {
    case 'agent':
      return agentVerdict(graph, card, from.id, to);
    case 'server':
      if (card.type !== 'agent' && card.type !== 'router')
        return no(`A card of type ${card.type} takes no MCP servers. Wire them to its members.`);
      if (linked(graph, source, target)) return no(`'${card.name}' already uses ${to.name}.`);
      return { ok: true };
    case 'function':
      if (card.type !== 'agent')
        return no(`A card of type ${card.type} takes no function tools. Wire them to its members.`);
      if (linked(graph, source, target)) return no(`'${card.name}' already uses ${to.name}.`);
      return { ok: true };
    case 'builtin':
      return builtinVerdict(graph, card, source, to);
    default:
      return assertNever(to);
  }
}

function agentVerdict(
  graph: Graph,
  card: Card,
  source: NodeId,
  target: Extract<GraphNode, { kind: 'agent' }>,
): ConnectVerdict {
  const child = target.name;
  switch (card.type) {
    case 'a2a':
      return no(`'${card.name}' is a remote agent: its children are set where it runs.`);
    case 'evaluator_optimizer':
      if (card.generator !== '' && card.evaluator !== '') {
        return no(`'${card.name}' has its generator and its evaluator. Remove one first.`);
      }
      break;
    case 'MAKER':
      if (card.worker !== '') return no(`'${card.name}' has its worker '${card.worker}'. Remove it first.`);
      break;
    case 'chain':
      break;
    default:
      if (graph.edges.some((edge) => edge.source === source && edge.target === target.id && !beside.has(edge.kind))) {
        return no(`'${child}' is already connected to '${card.name}'.`);
      }
  }
  return cycleVerdict(graph, card, source, target.id);
}

/** An agent may be a fan-in or be called by name and be wired too. */
const beside: ReadonlySet<EdgeKind> = new Set<EdgeKind>(['fan_in', 'may_call']);

function cycleVerdict(graph: Graph, card: Card, source: NodeId, target: NodeId): ConnectVerdict {
  const back = pathBetween(graph, target, source);
  if (back === undefined) return { ok: true };
  const names = [card.name, ...back.map((id) => id.slice('agent:'.length))];
  return no(`That would make a cycle: ${names.join(' → ')}.`);
}

/** Says whether an agent may get another one as a worker, which it calls by its name (docs/workers.md). */
export function canAllow(graph: Graph, parsed: ParsedFolder, source: NodeId, target: NodeId): ConnectVerdict {
  const from = graph.nodes.find((node) => node.id === source);
  const to = graph.nodes.find((node) => node.id === target);
  const card = parsed.cards.find(({ file }) => from?.kind === 'agent' && file === from.file);
  if (from?.kind !== 'agent' || card?.type !== 'agent') return no('Only an agent with a model calls others by name.');
  if (to?.kind !== 'agent') return no('Only agents are called by name.');
  if (source === target) return no(`'${card.name}' cannot call itself.`);
  if (from.workers?.everyone) return no(`'${card.name}' may call every agent already.`);
  const wire = graph.edges.find((edge) => edge.source === source && edge.target === target);
  if (wire?.kind === 'may_call') return no(`'${card.name}' may call '${to.name}' already.`);
  if (wire !== undefined) return no(`'${to.name}' is a child of '${card.name}' already, and called as one.`);
  return cycleVerdict(graph, card, source, target);
}

function builtinVerdict(
  graph: Graph,
  card: Card,
  source: NodeId,
  target: Extract<GraphNode, { kind: 'builtin' }>,
): ConnectVerdict {
  if (linked(graph, source, target.id)) return no(`'${card.name}' already uses ${nameOf(target)}.`);
  switch (target.name) {
    case 'shell':
      return card.type === 'agent' ? { ok: true } : no(`A card of type ${card.type} cannot use the shell.`);
    case 'human_input':
      return takesHumanInput(card) ? { ok: true } : no(`A card of type ${card.type} cannot ask a person.`);
    case 'skills':
      return no(`Name the skill directories in the card's 'skills' field.`);
    default:
      return assertNever(target.name);
  }
}

export function takesHumanInput(card: Card): card is Extract<Card, { readonly humanInput: boolean }> {
  return card.type === 'agent' || card.type === 'router' || card.type === 'orchestrator';
}

/** Returns the shortest path of agent ids from `from` to `to`, both included, or `undefined` when there is none. */
function pathBetween(graph: Graph, from: NodeId, to: NodeId): NodeId[] | undefined {
  const next = new Map<NodeId, NodeId[]>();
  for (const edge of graph.edges) {
    if (edge.kind === 'uses') continue;
    const list = next.get(edge.source);
    if (list === undefined) next.set(edge.source, [edge.target]);
    else list.push(edge.target);
  }
  const cameFrom = new Map<NodeId, NodeId | undefined>([[from, undefined]]);
  for (const id of cameFrom.keys()) {
    if (id === to) {
      const path: NodeId[] = [];
      for (let at: NodeId | undefined = id; at !== undefined; at = cameFrom.get(at)) path.unshift(at);
      return path;
    }
    for (const child of next.get(id) ?? []) if (!cameFrom.has(child)) cameFrom.set(child, id);
  }
  return undefined;
}

function linked(graph: Graph, source: NodeId, target: NodeId): boolean {
  return graph.edges.some((edge) => edge.source === source && edge.target === target);
}

function nameOf(node: GraphNode): string {
  return node.kind === 'builtin' ? node.name.replace('_', ' ') : `'${node.name}'`;
}

function kindOf(node: GraphNode): string {
  switch (node.kind) {
    case 'agent':
      return 'an agent';
    case 'server':
      return 'an MCP server';
    case 'function':
      return 'a function tool';
    case 'builtin':
      return 'a built-in tool';
  }
}

function no(reason: string): ConnectVerdict {
  return { ok: false, reason };
}
