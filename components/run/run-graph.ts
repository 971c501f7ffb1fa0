import type { Picture, PictureEdge, PictureNode } from '@/lib/graph/picture';
import { decisionsOf, decisionsOfKind } from '@/lib/trace/decisions';
import { startsOf } from '@/lib/trace/failed-starts';
import { laneStatusAt } from '@/lib/trace/moment';
import { isLaneWaiting, openByLane } from '@/lib/trace/questions';
import type { Lane, Trace } from '@/lib/trace/trace';
import { addCalls, type Calls, callKey, noCalls, toolCalls } from './run-graph-calls';
import { type AgentState, agentState } from './run-graph-state';

/** Positions in CSS pixels from the top left corner of the drawing. */
export interface RunBox extends PictureNode, AgentState {
  /** For a server or a function: how often it was called so far. `live` counts the calls that are running. */
  readonly calls: number;
  /** True for an agent created during this run. It is drawn dashed. */
  readonly created: boolean;
  /** The name of the agent that created it. */
  readonly creator: string | undefined;
  /** The reasons why servers did not start: for an agent, the servers it uses; for a server, its own reason. */
  readonly failedStarts: readonly string[];
  /** The names of the routers that chose it so far. */
  readonly chosenBy: readonly string[];
}

export interface RunLine {
  readonly id: string;
  /** The path in SVG notation. */
  readonly path: string;
  readonly dashed: boolean;
  /** True if the parent calls the child by its name. Such a line is drawn once it was called. */
  readonly dotted: boolean;
  /** True for wires to servers, functions and built-ins, which are drawn faint. */
  readonly faint: boolean;
  /** The number of instances of the child that the parent has had so far, or of its calls of a server or function. */
  readonly calls: number;
  /** The number of those that are running. */
  readonly live: number;
  /** How often a router chose this wire so far. */
  readonly chosen: number;
  /** The middle of the wire, where the number of calls is written. */
  readonly x: number;
  readonly y: number;
}

export interface RunDrawing {
  readonly boxes: readonly RunBox[];
  readonly lines: readonly RunLine[];
  readonly width: number;
  readonly height: number;
}

/** Canvas units are drawn a little smaller, because the panel is beside the history. */
const scale = 0.8;
const margin = 28;
/** The gap between columns, in canvas units. */
const columnGap = 96;
const rowGap = 24;
const createdSize = { width: 224, height: 64 };

/**
 * Returns the graph with which a run was started, the work of its agents up to a moment (microseconds since the origin;
 * without one: so far), and the agents created until then. Every box has its place at the end of the run, so that nothing
 * moves with the moment.
 *
 *   ┌ lead ┐──▶┌ kid ┐
 *   └──────┘   └─────┘
 *        ╎    ┌╌ poet ╌┐
 *        ╰╌╌╌▶└╌╌╌╌╌╌╌╌┘   created by lead, right of it and clear of all other boxes
 */
export function runGraph(
  picture: Picture,
  trace: Pick<Trace, 'lanes' | 'notes' | 'questions' | 'run' | 'spans' | 'strings'>,
  moment?: number,
): RunDrawing {
  const nodes: Placed[] = picture.nodes.map((node) => ({ ...node, creator: undefined, created: false, since: 0 }));
  const made = placeCreated(nodes, trace);
  const { byNode, byEdge } = lanesByPlace(nodes, trace.lanes);
  const uses = usesByPlace(nodes, byNode, toolCalls(trace, moment));
  const choices = choicesByEdge(picture.edges, nodes, byNode, trace, moment);
  const chosenOn = (edge: string) => choices.get(edge) ?? 0;
  const routers = nodes.filter(({ type }) => type === 'router');
  const left = Math.min(...nodes.map(({ x }) => x));
  const top = Math.min(...nodes.map(({ y }) => y));
  const open = openByLane(trace);
  const asking = new Set(trace.lanes.filter((lane) => isLaneWaiting(trace, open, lane)).map(({ index }) => index));
  const drawn = nodes.map(({ since, ...node }) => ({
    since,
    box: {
      ...node,
      x: Math.round((node.x - left) * scale) + margin,
      y: Math.round((node.y - top) * scale) + margin,
      width: Math.round(node.width * scale),
      height: Math.round(node.height * scale),
      ...agentState(byNode.get(node.id) ?? [], moment, asking),
      ...(node.kind === 'agent' ? { calls: 0 } : (uses.get(node.id) ?? noCalls)),
      failedStarts: failedAt(node, trace, moment),
      chosenBy: routers.flatMap(({ id, name }) => (chosenOn(edgeKey(id, node.id)) > 0 ? [name] : [])),
    } satisfies RunBox,
  }));
  const all = new Map(drawn.map(({ box }) => [box.id, box]));
  const edges = [...picture.edges, ...made, ...calledByName([...picture.edges, ...made], byEdge)];
  const wired = edges.flatMap(({ id, kind, source, target }) => {
    const [from, to] = [all.get(source), all.get(target)];
    if (from === undefined || to === undefined) return [];
    const used = uses.get(edgeKey(source, target)) ?? noCalls;
    const states = (byEdge.get(edgeKey(source, target)) ?? []).map((lane) => laneStatusAt(lane, moment));
    const calls = used.calls + states.filter((status) => status !== undefined).length;
    const live = used.live + states.filter((status) => status === 'open').length;
    const chosen = kind === 'route' ? chosenOn(edgeKey(source, target)) : 0;
    const look = {
      dashed: kind === 'created',
      dotted: kind === 'called' || kind === 'may_call',
      faint: kind === 'uses',
    };
    return [{ source, target, line: { id, ...look, calls, live, chosen, ...wire(from, to) } satisfies RunLine }];
  });
  const boxes = drawn.filter(({ since }) => moment === undefined || since <= moment).map(({ box }) => box);
  const there = new Set<string>(boxes.map(({ id }) => id));
  return {
    boxes,
    lines: wired
      .filter(({ source, target, line }) => there.has(source) && there.has(target) && (!line.dotted || line.calls > 0))
      .map(({ line }) => line),
    width:
      Math.max(0, ...[...all.values()].map((box) => box.x + box.width), ...wired.map(({ line }) => line.x)) + margin,
    height: Math.max(0, ...[...all.values()].map((box) => box.y + box.height)) + margin,
  };
}

/** Counts how often routers chose each of their agents, by `edgeKey`. */
function choicesByEdge(
  edges: readonly PictureEdge[],
  nodes: readonly Placed[],
  byNode: LanesByPlace['byNode'],
  trace: Pick<Trace, 'notes' | 'spans'>,
  moment: number | undefined,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { kind, source, target } of edges) {
    if (kind !== 'route' || counts.has(edgeKey(source, target))) continue;
    const agent = nodes.find(({ id }) => id === target)?.name;
    const routes = (byNode.get(source) ?? []).flatMap((lane) =>
      decisionsOfKind(decisionsOf(trace, lane, moment), 'route'),
    );
    counts.set(edgeKey(source, target), routes.filter(({ decision }) => decision.agent === agent).length);
  }
  return counts;
}

function failedAt(
  { kind, name }: PictureNode,
  { run, spans }: Pick<Trace, 'run' | 'spans'>,
  moment: number | undefined,
): readonly string[] {
  if (kind !== 'agent' && kind !== 'server') return [];
  const failed = startsOf(run.failedStarts, kind === 'agent' ? { agent: name } : { server: name });
  return failed
    .filter(({ span }) => moment === undefined || spans.end.at(span) <= moment)
    .map(({ message }) => message);
}

interface Placed extends PictureNode {
  readonly created: boolean;
  readonly creator: string | undefined;
  /** When the agent was created, in microseconds since the origin. */
  readonly since: number;
}

interface DrawnEdge {
  readonly id: string;
  readonly kind: PictureEdge['kind'] | 'created' | 'called';
  readonly source: string;
  readonly target: string;
}

/** Adds one node for each agent that was created during the run. Returns their edges. */
function placeCreated(nodes: Placed[], { notes, lanes }: Pick<Trace, 'lanes' | 'notes'>): readonly DrawnEdge[] {
  const edges: DrawnEdge[] = [];
  const known = new Set<string>();
  for (const note of notes) {
    if (note.kind !== 'agent') continue;
    const creator = note.lane === undefined ? undefined : lanes[note.lane]?.agentName;
    const id = `created:${creator ?? ''}/${note.name}`;
    if (known.has(id)) continue;
    known.add(id);
    const above = nodes.find((node) => node.kind === 'agent' && node.name === creator);
    const spot = freeSpot(nodes, above === undefined ? 0 : above.x + above.width + columnGap, above?.y ?? 0);
    const look = { kind: 'agent', type: 'agent', missing: false, created: true } as const;
    nodes.push({ ...look, id, name: note.name, creator, since: note.at, ...spot, ...createdSize });
    if (above !== undefined) edges.push({ id, kind: 'created', source: above.id, target: id });
  }
  return edges;
}

/** Returns the wanted place, or the first one below it that is clear of all boxes. */
function freeSpot(nodes: readonly Placed[], x: number, wanted: number): { readonly x: number; readonly y: number } {
  let y = wanted;
  const column = nodes
    .filter((node) => node.x < x + createdSize.width + rowGap && node.x + node.width + rowGap > x)
    .sort((a, b) => a.y - b.y);
  for (const node of column) {
    if (node.y < y + createdSize.height + rowGap && node.y + node.height + rowGap > y)
      y = node.y + node.height + rowGap;
  }
  return { x, y };
}

/** Adds edges for `worker_call`, which are instances whose agent has no wire from their parent's agent. */
function calledByName(edges: readonly DrawnEdge[], byEdge: LanesByPlace['byEdge']): readonly DrawnEdge[] {
  const drawn = new Set(edges.map(({ source, target }) => edgeKey(source, target)));
  return [...byEdge.keys()].flatMap((key): DrawnEdge[] => {
    const [source = '', target = ''] = key.split('\n');
    return drawn.has(key) ? [] : [{ id: `called:${source}→${target}`, kind: 'called', source, target }];
  });
}

interface LanesByPlace {
  readonly byNode: ReadonlyMap<string, readonly Lane[]>;
  /** Instances by `edgeKey` of the parent's node and the child's. */
  readonly byEdge: ReadonlyMap<string, readonly Lane[]>;
}

/**
 * Sorts instances by the box that stands for them. An instance belongs to the agent of its name that its parent had created
 * by then, otherwise to the one in the folder.
 */
function lanesByPlace(nodes: readonly Placed[], lanes: readonly Lane[]): LanesByPlace {
  const created = new Map<string, Placed>();
  const frozen = new Map<string, string>();
  for (const node of nodes) {
    if (node.created) created.set(`${node.creator ?? ''}/${node.name}`, node);
    else if (node.kind === 'agent' && !frozen.has(node.name)) frozen.set(node.name, node.id);
  }
  const nodeOf = new Map<Lane, string>();
  const byNode = new Map<string, Lane[]>();
  const byEdge = new Map<string, Lane[]>();
  for (const lane of lanes) {
    const parent = lane.parent === undefined ? undefined : lanes[lane.parent];
    const made = created.get(`${parent?.agentName ?? ''}/${lane.agentName}`);
    const id = made !== undefined && made.since <= lane.queuedAt ? made.id : frozen.get(lane.agentName);
    if (id === undefined) continue;
    nodeOf.set(lane, id);
    addTo(byNode, id, lane);
    const above = parent === undefined ? undefined : nodeOf.get(parent);
    if (above !== undefined) addTo(byEdge, edgeKey(above, id), lane);
  }
  return { byNode, byEdge };
}

/** Sums calls of servers and functions by the node that they reached, and by `edgeKey` of the caller's node and that one. */
function usesByPlace(
  nodes: readonly Placed[],
  byNode: LanesByPlace['byNode'],
  calls: ReturnType<typeof toolCalls>,
): ReadonlyMap<string, Calls> {
  const callerOf = new Map<number, string>();
  for (const [id, lanes] of byNode) for (const lane of lanes) callerOf.set(lane.index, id);
  const uses = new Map<string, Calls>();
  const add = (key: string, more: Calls) => uses.set(key, addCalls(uses.get(key) ?? noCalls, more));
  for (const { id, kind, name } of nodes) {
    for (const [lane, of] of calls.get(callKey(kind, name)) ?? []) {
      add(id, of);
      const caller = callerOf.get(lane);
      if (caller !== undefined) add(edgeKey(caller, id), of);
    }
  }
  return uses;
}

function edgeKey(source: string, target: string): string {
  return `${source}\n${target}`;
}

function addTo(groups: Map<string, Lane[]>, key: string, lane: Lane): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [lane]);
  else group.push(lane);
}

type Box = Pick<RunBox, 'x' | 'y' | 'width' | 'height'>;

/**
 * Returns a wire from the right side to the left side, or to the right side of a box above or below. An agent that calls
 * itself has a loop over its box.
 */
function wire(from: Box, to: Box): { readonly path: string; readonly x: number; readonly y: number } {
  const [x1, y1] = [from.x + from.width, Math.round(from.y + from.height / 2)];
  const [x2, y2] = [to.x, Math.round(to.y + to.height / 2)];
  if (from === to) {
    const path = `M${x1} ${y1}C${x1 + 24} ${from.y - 24} ${x2 - 24} ${from.y - 24} ${x2} ${y2}`;
    return { path, x: Math.round((x1 + x2) / 2), y: Math.round((y1 + 3 * (from.y - 24)) / 4) };
  }
  if (Math.abs(from.x - to.x) < from.width) {
    const [x3, out] = [to.x + to.width, Math.max(x1, to.x + to.width) + 48];
    const path = `M${x1} ${y1}C${out} ${y1} ${out} ${y2} ${x3} ${y2}`;
    return { path, x: Math.round((x1 + x3 + 6 * out) / 8), y: Math.round((y1 + y2) / 2) };
  }
  const bend = Math.max(32, Math.round(Math.abs(x2 - x1) / 2));
  const path = `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  return { path, x: Math.round((x1 + x2) / 2), y: Math.round((y1 + y2) / 2) };
}
