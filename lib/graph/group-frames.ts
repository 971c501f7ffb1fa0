import type { CanvasGroup, CanvasNote } from '@/lib/cards/canvas-settings';
import type { Graph, NodeId, Point } from './graph';
import { nodeSize, outletWidth, type Size } from './size';

export interface Box extends Point, Size {}

/** The frame of a group: a box round its members, with room for its title above them. */
export interface GroupFrame extends Box {
  readonly group: CanvasGroup;
  /** The members that exist. */
  readonly members: readonly NodeId[];
}

const side = 20;
const head = { title: 40, description: 58 } as const;

/** Returns the frames of groups that have at least one existing member. */
export function groupFrames(groups: readonly CanvasGroup[], boxes: ReadonlyMap<NodeId, Box>): readonly GroupFrame[] {
  return groups.flatMap((group) => {
    const members = group.members.filter((id) => boxes.has(id));
    const inner = boundsOf(members.flatMap((id) => boxes.get(id) ?? []));
    if (inner === undefined) return [];
    const above = group.description === undefined ? head.title : head.description;
    return [
      {
        group,
        members,
        x: inner.x - side,
        y: inner.y - above,
        width: inner.width + 2 * side,
        height: inner.height + above + side,
      },
    ];
  });
}

/** Returns the smallest box round others, or `undefined` for none. */
export function boundsOf(boxes: readonly Box[]): Box | undefined {
  const [first] = boxes;
  if (first === undefined) return undefined;
  let [left, top, right, bottom] = [first.x, first.y, first.x + first.width, first.y + first.height];
  for (const { x, y, width, height } of boxes) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

const noteDefaults: Size = { width: 200, height: 96 };
/** The smallest note, which has room for one line. */
export const smallestNote: Size = { width: 96, height: 40 };

export function noteSize({ width, height }: Pick<CanvasNote, 'width' | 'height'>): Size {
  return {
    width: Math.max(width ?? noteDefaults.width, smallestNote.width),
    height: Math.max(height ?? noteDefaults.height, smallestNote.height),
  };
}

/** Returns the boxes of nodes and notes by their ids on the canvas. Hooks and signs beside a node belong to its box. */
export function canvasBoxes(
  graph: Graph,
  points: Readonly<Record<NodeId, Point>>,
  notes: readonly CanvasNote[],
): ReadonlyMap<NodeId, Box> {
  const boxes = new Map<NodeId, Box>();
  for (const node of graph.nodes) {
    const { width, height } = nodeSize(node);
    const reach = outletWidth(graph, node);
    boxes.set(node.id, { ...(points[node.id] ?? { x: 0, y: 0 }), width: width + reach, height });
  }
  for (const note of notes) boxes.set(`note:${note.id}`, { x: note.x, y: note.y, ...noteSize(note) });
  return boxes;
}
