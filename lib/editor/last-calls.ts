/**
 * Finds in a run the calls of one thing that the canvas draws:
 *
 *   agent               its instances
 *   wire to an agent    the calls that one agent made of the other
 *   server              the calls of its tools, and its starts
 *   function, built-in  the calls of the tool
 *   wire to one of them the same, of one agent only
 *   hook                each time it wrapped a call, or ran at its phase
 *
 * A run names agents, servers, tools and hooks as they were called when it began. What has another name now is not found here;
 * `strangersOf` lists it.
 */

import { delegationOptions } from '@/lib/cards/delegation-settings';
import type { Settings } from '@/lib/cards/settings';
import { childToolName } from '@/lib/cards/tool-name';
import type { Graph, GraphEdge, GraphNode, NodeId } from '@/lib/graph/graph';
import type { ChainEntry, HookPhase } from '@/lib/graph/hook-chain';
import { NO_SPAN } from '@/lib/trace/span-table';
import { spanDetail, spanName, type Trace } from '@/lib/trace/trace';

type ToolSource = 'mcp' | 'function' | 'runtime';

/** What the calls are of, in the words of a run. */
export type CallTarget =
  | { readonly kind: 'agent'; readonly agent: string }
  /** `toolName` is the tool with which `from` calls `to`. It finds calls that were refused before `to` began. */
  | { readonly kind: 'wire'; readonly from: string; readonly to: string; readonly toolName: string }
  /** `name` is that of the server, or of the tool. `callers` are the only agents whose calls count; without it all do. */
  | {
      readonly kind: 'tools';
      readonly source: ToolSource;
      readonly name: string;
      readonly callers: readonly string[] | undefined;
    }
  /** `nth` counts from 0 among the `alike` hooks of the chain that have the same name and phase, outermost first. */
  | {
      readonly kind: 'hook';
      readonly agent: string;
      readonly hook: string;
      readonly phase: HookPhase;
      readonly nth: number;
      readonly alike: number;
    };

/** The parts of a picture that say what a node or a wire is. */
export interface Drawn {
  readonly nodes: ReadonlyMap<NodeId, GraphNode>;
  readonly graph: Pick<Graph, 'edges' | 'chains'>;
  readonly drawn: { readonly settings: Pick<Settings, 'delegations' | 'tool_naming'> };
}

/** The tool with which an agent uses a built-in. */
const builtinTools = { shell: 'execute', human_input: '__human_input', skills: 'read_skill' } as const;

/** Returns what the calls of a node are. A second card of the same name has none, because runs use the first. */
export function targetOfNode({ nodes, graph }: Drawn, id: NodeId): CallTarget | undefined {
  const node = nodes.get(id);
  if (node === undefined) return undefined;
  if (node.kind === 'agent') return id === `agent:${node.name}` ? { kind: 'agent', agent: node.name } : undefined;
  // Functions of several files may have one name, so only the agents with a wire to this one count.
  const users = graph.edges.filter(({ kind, target }) => kind === 'uses' && target === id);
  const callers = users.flatMap(({ source }) => nodes.get(source)?.name ?? []);
  return toolsOf(node, node.kind === 'function' ? callers : undefined);
}

/** Returns what the calls of a wire are. */
export function targetOfEdge(picture: Drawn, edge: Pick<GraphEdge, 'source' | 'target'>): CallTarget | undefined {
  const { nodes, drawn } = picture;
  const [from, to] = [nodes.get(edge.source), nodes.get(edge.target)];
  if (from === undefined || to === undefined || targetOfNode(picture, edge.source) === undefined) return undefined;
  if (to.kind !== 'agent') return toolsOf(to, [from.name]);
  const { tool_name } = delegationOptions(drawn.settings, from.name, to.name);
  return {
    ...{ kind: 'wire', from: from.name, to: to.name },
    toolName: childToolName(to.name, drawn.settings.tool_naming, tool_name),
  };
}

/** Returns what the calls of a hook are. `undefined` if the agent has no such hook. */
export function targetOfHook({ nodes, graph }: Drawn, agentId: NodeId, hookId: string): CallTarget | undefined {
  const chain = graph.chains[agentId] ?? [];
  const entry = chain.find(({ id }) => id === hookId);
  const agent = nodes.get(agentId)?.name;
  if (entry === undefined || agent === undefined) return undefined;
  const alike = chain.filter((one) => one.phase === entry.phase && hookNameOf(one) === hookNameOf(entry));
  return {
    ...{ kind: 'hook', agent, hook: hookNameOf(entry), phase: entry.phase },
    ...{ nth: alike.indexOf(entry), alike: alike.length },
  };
}

/** Returns the name under which a run records a hook. */
export function hookNameOf({ kind, spec }: Pick<ChainEntry, 'kind' | 'spec'>): string {
  return kind === 'code' ? spec : kind;
}

function toolsOf(node: GraphNode, callers: readonly string[] | undefined): CallTarget | undefined {
  switch (node.kind) {
    case 'agent':
      return undefined;
    case 'server':
      return { kind: 'tools', source: 'mcp', name: node.name, callers };
    case 'function':
      return { kind: 'tools', source: 'function', name: node.name, callers };
    case 'builtin':
      return { kind: 'tools', source: 'runtime', name: builtinTools[node.name], callers };
  }
}

export interface FoundCall {
  /** The number of the call among those of its target, from 1, in the order in which they began. */
  readonly nth: number;
  readonly span: number;
}

export interface FoundCalls {
  readonly count: number;
  /** The number of calls that failed or timed out. */
  readonly failed: number;
  readonly running: number;
  /** The newest calls, newest first. */
  readonly newest: readonly FoundCall[];
}

type Read = Pick<Trace, 'spans' | 'strings' | 'lanes'>;

/** Finds the calls of a target. `most` limits those that are listed, not those that are counted. */
export function callsOf(trace: Read, target: CallTarget, most: number): FoundCalls {
  const all = spansOf(trace, target);
  let failed = 0;
  let running = 0;
  for (const span of all) {
    const status = trace.spans.statusOf(span);
    if (status === 'error' || status === 'timeout') failed++;
    if (status === 'open') running++;
  }
  const from = Math.max(0, all.length - most);
  const newest = all.slice(from).map((span, i) => ({ nth: from + i + 1, span }));
  return { count: all.length, failed, running, newest: newest.reverse() };
}

/** Returns the spans of a target's calls in the order in which they began. */
function spansOf(trace: Read, target: CallTarget): readonly number[] {
  switch (target.kind) {
    case 'agent':
      return trace.lanes.flatMap(({ agentName, span }) =>
        agentName === target.agent && span !== NO_SPAN ? [span] : [],
      );
    case 'wire':
      return wireSpans(trace, target);
    case 'tools':
      return toolSpans(trace, target);
    case 'hook':
      return hookSpans(trace, target);
  }
}

type Of<K extends CallTarget['kind']> = Extract<CallTarget, { kind: K }>;

/** A call that was tried again has one instance for each attempt, and is one call. */
function wireSpans(trace: Read, { from, to, toolName }: Of<'wire'>): readonly number[] {
  const { spans, lanes } = trace;
  const found = new Set<number>();
  const begun = new Set<number>();
  for (const lane of lanes) {
    if (lane.parentSpan !== undefined) begun.add(lane.parentSpan);
    const parent = lane.parent === undefined ? undefined : lanes[lane.parent];
    if (lane.agentName === to && parent?.agentName === from) found.add(lane.parentSpan ?? lane.span);
  }
  const callers = lanesOf(trace, [from]);
  const name = trace.strings.indexOf(toolName);
  if (name !== -1) {
    for (let span = 0; span < spans.length; span++) {
      if (spans.name.at(span) !== name || spans.kindOf(span) !== 'tool' || spans.sourceOf(span) !== 'agent') continue;
      if (callers.has(spans.lane.at(span)) && !begun.has(span)) found.add(span);
    }
  }
  return [...found].filter((span) => span !== NO_SPAN).sort((a, b) => a - b);
}

function toolSpans(trace: Read, { source, name, callers }: Of<'tools'>): readonly number[] {
  const { spans } = trace;
  const lanes = callers === undefined ? undefined : lanesOf(trace, callers);
  const found: number[] = [];
  for (let span = 0; span < spans.length; span++) {
    if (lanes?.has(spans.lane.at(span)) === false) continue;
    const kind = spans.kindOf(span);
    const isCall = kind === 'tool' && spans.sourceOf(span) === source && toolKey(trace, span) === name;
    const isStart = kind === 'setup' && source === 'mcp' && spanDetail(trace, span) === 'server';
    if (isCall || (isStart && spanName(trace, span) === name)) found.push(span);
  }
  return found;
}

/** Returns the server of a call, or the tool if it has none. */
function toolKey(trace: Read, span: number): string {
  return trace.spans.sourceOf(span) === 'mcp'
    ? spanDetail(trace, span) || spanName(trace, span)
    : spanName(trace, span);
}

function hookSpans(trace: Read, target: Of<'hook'>): readonly number[] {
  const { spans } = trace;
  const lanes = lanesOf(trace, [target.agent]);
  const found: number[] = [];
  /** Hooks of this name around one call that have not ended, outermost first. */
  const around = new Map<number, number[]>();
  for (let span = 0; span < spans.length; span++) {
    if (spans.kindOf(span) !== 'hook' || !lanes.has(spans.lane.at(span))) continue;
    if (spanName(trace, span) !== target.hook || spanDetail(trace, span) !== target.phase) continue;
    if (target.alike > 1 && target.phase === 'around') {
      const parent = spans.parent.at(span);
      const outer = (around.get(parent) ?? []).filter((one) => spans.end.at(one) > spans.start.at(span));
      around.set(parent, [...outer, span]);
      if (outer.length !== target.nth) continue;
    }
    found.push(span);
  }
  return found;
}

function lanesOf({ lanes }: Read, agents: readonly string[]): ReadonlySet<number> {
  const wanted = new Set(agents);
  return new Set(lanes.flatMap(({ agentName, index }) => (wanted.has(agentName) ? [index] : [])));
}

/** Something that a run called and that the canvas does not draw: it was renamed or removed since, or made during the run. */
export interface Stranger {
  readonly kind: 'agent' | 'server' | 'function' | 'hook';
  readonly name: string;
  readonly calls: number;
}

/** Returns what a run called that is not in the picture, in the order in which it was first called. */
export function strangersOf(
  trace: Read & Pick<Trace, 'hookTotals'>,
  { nodes, graph }: Pick<Drawn, 'nodes' | 'graph'>,
): readonly Stranger[] {
  const counts = new Map<string, Stranger>();
  const add = (kind: Stranger['kind'], name: string, calls: number) => {
    const key = `${kind} ${name}`;
    counts.set(key, { kind, name, calls: (counts.get(key)?.calls ?? 0) + calls });
  };
  const functions = new Set([...nodes.values()].flatMap((node) => (node.kind === 'function' ? [node.name] : [])));
  for (const { agentName } of trace.lanes) if (!nodes.has(`agent:${agentName}`)) add('agent', agentName, 1);
  for (let span = 0; span < trace.spans.length; span++) {
    if (trace.spans.kindOf(span) !== 'tool') continue;
    const name = toolKey(trace, span);
    const source = trace.spans.sourceOf(span);
    if (source === 'mcp' && !nodes.has(`server:${name}`)) add('server', name, 1);
    if (source === 'function' && !functions.has(name)) add('function', name, 1);
  }
  for (const [key, { calls }] of trace.hookTotals) {
    const [agent = '', phase, , hook = ''] = key.split('\n');
    const chain = graph.chains[`agent:${agent}`] ?? [];
    // The hooks of an agent that is not drawn are not told one by one.
    if (!nodes.has(`agent:${agent}`)) continue;
    if (!chain.some((entry) => entry.phase === phase && hookNameOf(entry) === hook)) {
      add('hook', `${hook} of ${agent}`, calls);
    }
  }
  return [...counts.values()];
}
