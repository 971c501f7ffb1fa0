import { assertNever } from '@/lib/base/assert';
import type { AgentCard, Card, McpConnectEntry } from '@/lib/cards/card';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { EdgeKind, Graph, GraphEdge, GraphNode, NodeId } from './graph';
import { type ChainEntry, hookChain } from './hook-chain';
import { delegationMarks, filterMarks } from './marks';
import { type WorkerLists, workerLists } from './worker-lists';
import { refinements, workflowFace } from './workflow-face';

/**
 * Projects a read folder to the graph that the canvas draws. The nodes are in a fixed order: cards by file, undefined names,
 * servers (in config order), function tools, built-ins. An agent with several parents is one node. When two cards have the
 * same name, references go to the first, and the second is drawn as `agent:<name>#2`.
 */
export function projectGraph(parsed: ParsedFolder): Graph {
  const sink = new GraphSink(parsed);
  for (const server of Object.values(parsed.config.servers)) sink.server(server.name, server.transport);
  const placed = parsed.cards.map((card) => ({ card, id: sink.card(card) }));
  for (const { card, id } of placed) projectCard(sink, card, id);
  return sink.graph();
}

export function agentId(name: string): NodeId {
  return `agent:${name}`;
}

/** Adds the edges and the hook chain of a card. */
function projectCard(sink: GraphSink, card: Card, id: NodeId): void {
  sink.chain(id, hookChain(card, sink.parsed));
  switch (card.type) {
    case 'agent':
      projectAgent(sink, card, id);
      break;
    case 'chain':
      card.sequence.forEach((name, index) => {
        sink.agentEdge('sequence', id, name, index + 1, card.cumulative ? ['cumulative'] : []);
      });
      break;
    case 'parallel':
      card.fanOut.forEach((name, index) => {
        sink.agentEdge('fan_out', id, name, index + 1, []);
      });
      if (card.fanIn !== undefined) {
        sink.agentEdge('fan_in', id, card.fanIn, undefined, card.includeRequest ? ['with request'] : []);
      }
      break;
    case 'evaluator_optimizer':
      if (card.generator)
        sink.agentEdge('generator', id, card.generator, undefined, [refinements(card.maxRefinements)]);
      if (card.evaluator) sink.agentEdge('evaluator', id, card.evaluator, undefined, [`until ${card.minRating}`]);
      break;
    case 'router':
      for (const name of card.agents) sink.agentEdge('route', id, name, undefined, []);
      for (const name of card.servers) sink.serverEdge(id, name, filterMarks(card, name));
      if (card.humanInput) sink.builtinEdge(id, 'human_input');
      break;
    case 'orchestrator':
      for (const name of card.agents) sink.agentEdge('plan', id, name, undefined, []);
      if (card.humanInput) sink.builtinEdge(id, 'human_input');
      break;
    case 'iterative_planner':
      for (const name of card.agents) sink.agentEdge('plan', id, name, undefined, []);
      break;
    case 'MAKER':
      if (card.worker) {
        sink.agentEdge('worker', id, card.worker, undefined, [
          `first to lead by ${card.k}`,
          `≤ ${card.maxSamples} samples`,
        ]);
      }
      break;
    case 'a2a':
      break;
    default:
      assertNever(card);
  }
}

function projectAgent(sink: GraphSink, card: AgentCard, id: NodeId): void {
  const { settings } = sink.parsed;
  const { workers, children } = sink.workersOf(card);
  for (const child of card.agents) {
    const marks = delegationMarks(card, child, settings, sink.cards);
    sink.agentEdge('delegation', id, child, undefined, children.has(child) ? [...marks, 'worker_call'] : marks);
  }
  for (const { name, marks } of workers) {
    const options = delegationMarks(card, name, settings, sink.cards);
    sink.agentEdge('may_call', id, name, undefined, [...marks, ...options]);
  }
  for (const entry of card.mcpConnect) sink.server(entry.name, connectTransport(entry));
  for (const name of card.servers) sink.serverEdge(id, name, filterMarks(card, name));
  const named = new Set(card.servers);
  for (const entry of card.mcpConnect) {
    if (!named.has(entry.name)) sink.serverEdge(id, entry.name, filterMarks(card, entry.name));
  }
  for (const tool of card.functionTools) {
    sink.functionEdge(id, tool.file, tool.functionName, tool.variant === 'code' ? ['code'] : []);
  }
  if (card.shell) sink.builtinEdge(id, 'shell');
  if (card.humanInput) sink.builtinEdge(id, 'human_input');
  if (card.skills !== undefined && card.skills.length > 0) sink.builtinEdge(id, 'skills', card.skills);
}

/**
 * Returns the transport that fast-agent's grammar of `target` gives: a URL (SSE if it ends in `/sse`), otherwise a command.
 */
function connectTransport(entry: McpConnectEntry): 'stdio' | 'http' | 'sse' {
  const target = entry.target;
  if (target === undefined) return 'http';
  if (!/^https?:\/\//i.test(target)) return 'stdio';
  return /\/sse\/?$/i.test(target) ? 'sse' : 'http';
}

type ServerTransport = 'stdio' | 'http' | 'sse' | undefined;
type BuiltinName = Extract<GraphNode, { kind: 'builtin' }>['name'];

/** Collects nodes by kind, and edges in the order they are added. Each id is added once. */
class GraphSink {
  readonly parsed: ParsedFolder;
  readonly #agents = new Map<NodeId, GraphNode>();
  readonly #missingAgents = new Map<NodeId, GraphNode>();
  readonly #servers = new Map<NodeId, GraphNode>();
  readonly #functions = new Map<NodeId, GraphNode>();
  readonly #builtins = new Map<NodeId, GraphNode>();
  readonly #edges: GraphEdge[] = [];
  readonly #edgeCounts = new Map<string, number>();
  readonly #chains: Record<NodeId, readonly ChainEntry[]> = {};
  readonly #cards = new Map<string, Card>();
  /** The last number used for an id that several cards share. */
  readonly #lastNumber = new Map<NodeId, number>();

  constructor(parsed: ParsedFolder) {
    this.parsed = parsed;
    for (const card of parsed.cards) if (!this.#cards.has(card.name)) this.#cards.set(card.name, card);
  }

  /** The cards by name. Of two with the same name it has the first. */
  get cards(): ReadonlyMap<string, Card> {
    return this.#cards;
  }

  /** The lists of workers are written by name. Of two cards with the same name the first has them. */
  workersOf(card: AgentCard): WorkerLists {
    return workerLists(card, this.#cards.get(card.name) === card ? this.parsed.settings : { toolsets: {} });
  }

  card(card: Card): NodeId {
    const id = this.#freeId(card);
    const face = card.type === 'agent' ? this.workersOf(card).face : undefined;
    this.#agents.set(id, {
      kind: 'agent',
      id,
      name: card.name,
      type: card.type,
      file: card.file,
      isDefault: card.isDefault,
      description: card.description,
      model: 'model' in card ? card.model : undefined,
      missing: false,
      ...workflowFace(card),
      ...(face === undefined ? {} : { workers: face }),
    });
    return id;
  }

  /** Returns an unused id. It skips used ids, because an agent may itself be named `a#2`. */
  #freeId(card: Card): NodeId {
    const base = agentId(card.name);
    let id = base;
    let next = this.#lastNumber.get(base) ?? 1;
    if (this.#cards.get(card.name) !== card) id = `${base}#${++next}`;
    while (this.#agents.has(id)) id = `${base}#${++next}`;
    this.#lastNumber.set(base, next);
    return id;
  }

  server(name: string, transport: ServerTransport): NodeId {
    const id = `server:${name}`;
    const known = this.#servers.get(id);
    if (known === undefined || (known.kind === 'server' && known.missing && transport !== undefined)) {
      this.#servers.set(id, { kind: 'server', id, name, transport, missing: transport === undefined });
    }
    return id;
  }

  agentEdge(kind: EdgeKind, source: NodeId, name: string, order: number | undefined, marks: readonly string[]): void {
    const target = agentId(name);
    if (!this.#cards.has(name) && !this.#missingAgents.has(target)) {
      this.#missingAgents.set(target, {
        kind: 'agent',
        id: target,
        name,
        type: 'agent',
        file: '',
        isDefault: false,
        description: undefined,
        model: undefined,
        missing: true,
      });
    }
    this.#edge(kind, source, target, order, marks);
  }

  serverEdge(source: NodeId, name: string, marks: readonly string[]): void {
    this.#edge('uses', source, this.server(name, undefined), undefined, marks);
  }

  functionEdge(source: NodeId, file: string, name: string, marks: readonly string[]): void {
    const id = `function:${file}:${name}`;
    if (!this.#functions.has(id)) {
      this.#functions.set(id, { kind: 'function', id, name, file, missing: !this.parsed.roles.has(file) });
    }
    this.#edge('uses', source, id, undefined, marks);
  }

  builtinEdge(source: NodeId, name: BuiltinName, marks: readonly string[] = []): void {
    const id = `builtin:${name}`;
    if (!this.#builtins.has(id)) this.#builtins.set(id, { kind: 'builtin', id, name });
    this.#edge('uses', source, id, undefined, marks);
  }

  chain(id: NodeId, beads: readonly ChainEntry[]): void {
    if (beads.length > 0) this.#chains[id] = beads;
  }

  graph(): Graph {
    const groups = [this.#agents, this.#missingAgents, this.#servers, this.#functions, this.#builtins];
    return { nodes: groups.flatMap((group) => [...group.values()]), edges: this.#edges, chains: this.#chains };
  }

  #edge(kind: EdgeKind, source: NodeId, target: NodeId, order: number | undefined, marks: readonly string[]): void {
    const base = `${kind}:${source}→${target}`;
    const count = (this.#edgeCounts.get(base) ?? 0) + 1;
    this.#edgeCounts.set(base, count);
    this.#edges.push({ id: count === 1 ? base : `${base}#${count}`, kind, source, target, order, marks });
  }
}
