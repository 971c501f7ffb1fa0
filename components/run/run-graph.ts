import { shownStatus } from '@/components/timeline/span-words';
import type { Status } from '@/components/ui/status';
import type { Picture, PictureNode } from '@/lib/graph/picture';
import type { Lane, Trace } from '@/lib/trace/trace';

/** Positions in CSS pixels from the top left corner of the drawing. */
export interface RunBox extends PictureNode {
  /** Made during this run: drawn dashed. */
  readonly created: boolean;
  /** Name of the agent that made it. */
  readonly creator: string | undefined;
  /** Of all its instances; undefined while it has none, and for what is not an agent. */
  readonly status: Status | undefined;
  readonly instances: number;
  /** Of them, those with that status. */
  readonly alike: number;
  /** "2 completed, 1 failed" */
  readonly counts: string;
  /** Span of its first instance. */
  readonly span: number | undefined;
}

export interface RunLine {
  readonly id: string;
  /** An SVG path. */
  readonly path: string;
  readonly dashed: boolean;
  /** The wires to servers, functions and built-ins stay in the background. */
  readonly faint: boolean;
}

export interface RunDrawing {
  readonly boxes: readonly RunBox[];
  readonly lines: readonly RunLine[];
  readonly width: number;
  readonly height: number;
}

/** Canvas units are drawn a little smaller: the panel is beside the history. */
const scale = 0.8;
const margin = 28;
/** Canvas units. */
const columnGap = 96;
const rowGap = 24;
const createdSize = { width: 224, height: 64 };

/**
 * The graph a run was started with, what its agents did so far, and the agents it made on its way.
 *
 *   ┌ lead ┐──▶┌ kid ┐
 *   └──────┘   └─────┘
 *        ╎    ┌╌ poet ╌┐
 *        ╰╌╌╌▶└╌╌╌╌╌╌╌╌┘   made by lead, right of it and clear of all other boxes
 */
export function runGraph(picture: Picture, trace: Pick<Trace, 'lanes' | 'notes'>): RunDrawing {
  const nodes: Placed[] = picture.nodes.map((node) => ({ ...node, creator: undefined, created: false }));
  const made = placeCreated(nodes, trace);
  const lanes = lanesByNode(nodes, trace.lanes);
  const left = Math.min(...nodes.map(({ x }) => x));
  const top = Math.min(...nodes.map(({ y }) => y));
  const boxes = nodes.map((node): RunBox => {
    const own = lanes.get(node.id) ?? [];
    return {
      ...node,
      x: Math.round((node.x - left) * scale) + margin,
      y: Math.round((node.y - top) * scale) + margin,
      width: Math.round(node.width * scale),
      height: Math.round(node.height * scale),
      ...summary(own),
      instances: own.length,
      span: own[0]?.span,
    };
  });
  const byId = new Map(boxes.map((box) => [box.id, box]));
  const lines = [...picture.edges, ...made].flatMap(({ id, kind, source, target }): RunLine[] => {
    const [from, to] = [byId.get(source), byId.get(target)];
    if (from === undefined || to === undefined) return [];
    return [{ id, path: wire(from, to), dashed: kind === 'created', faint: kind === 'uses' }];
  });
  return {
    boxes,
    lines,
    width: Math.max(0, ...boxes.map((box) => box.x + box.width)) + margin,
    height: Math.max(0, ...boxes.map((box) => box.y + box.height)) + margin,
  };
}

interface Placed extends PictureNode {
  readonly created: boolean;
  readonly creator: string | undefined;
}

interface CreatedEdge {
  readonly id: string;
  readonly kind: 'created';
  readonly source: string;
  readonly target: string;
}

/** Adds a node for each agent made during the run, once however often it was told; answers their edges. */
function placeCreated(nodes: Placed[], { notes, lanes }: Pick<Trace, 'lanes' | 'notes'>): readonly CreatedEdge[] {
  const edges: CreatedEdge[] = [];
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
    nodes.push({ ...look, id, name: note.name, creator, ...spot, ...createdSize });
    if (above !== undefined) edges.push({ id, kind: 'created', source: above.id, target: id });
  }
  return edges;
}

/** The place asked for, or the first one below it that is clear of all boxes. */
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

/** An instance of a name that was made during the run belongs to the one that its parent made. */
function lanesByNode(nodes: readonly Placed[], lanes: readonly Lane[]): ReadonlyMap<string, readonly Lane[]> {
  const created = new Map<string, string>();
  const frozen = new Map<string, string>();
  for (const node of nodes) {
    if (node.created) created.set(`${node.creator ?? ''}/${node.name}`, node.id);
    else if (node.kind === 'agent' && !frozen.has(node.name)) frozen.set(node.name, node.id);
  }
  const found = new Map<string, Lane[]>();
  for (const lane of lanes) {
    const parent = lane.parent === undefined ? undefined : lanes[lane.parent]?.agentName;
    const id = created.get(`${parent ?? ''}/${lane.agentName}`) ?? frozen.get(lane.agentName);
    if (id === undefined) continue;
    const own = found.get(id);
    if (own === undefined) found.set(id, [lane]);
    else own.push(lane);
  }
  return found;
}

/** The first of these that any instance has is the agent's. */
const loudest: readonly Status[] = ['running', 'queued', 'failed', 'timeout', 'lost', 'cancelled', 'completed'];

function summary(lanes: readonly Lane[]): Pick<RunBox, 'status' | 'alike' | 'counts'> {
  const counts = new Map<Status, number>();
  for (const lane of lanes) {
    const status = lane.state === 'queued' ? 'queued' : shownStatus(lane.status);
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  const present = loudest.filter((status) => counts.has(status));
  const [status] = present;
  return {
    status,
    alike: status === undefined ? 0 : (counts.get(status) ?? 0),
    counts: present.map((one) => `${counts.get(one)} ${words[one]}`).join(', '),
  };
}

const words: Readonly<Record<Status, string>> = {
  running: 'running',
  queued: 'queued',
  completed: 'completed',
  failed: 'failed',
  timeout: 'timed out',
  lost: 'interrupted',
  cancelled: 'stopped',
};

type Box = Pick<RunBox, 'x' | 'y' | 'width' | 'height'>;

/** From the right side to the left side; an agent that calls itself has a loop over its box. */
function wire(from: Box, to: Box): string {
  const [x1, y1] = [from.x + from.width, Math.round(from.y + from.height / 2)];
  const [x2, y2] = [to.x, Math.round(to.y + to.height / 2)];
  if (from === to) {
    return `M${x1} ${y1}C${x1 + 24} ${from.y - 24} ${x2 - 24} ${from.y - 24} ${x2} ${y2}`;
  }
  const bend = Math.max(32, Math.round(Math.abs(x2 - x1) / 2));
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}
