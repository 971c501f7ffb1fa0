import type { Node } from '@xyflow/react';
import { escapeHidden } from '@/lib/base/escape-hidden';
import type { CanvasNote } from '@/lib/cards/canvas-settings';
import type { NodeId } from '@/lib/graph/graph';
import { type GroupFrame, noteSize } from '@/lib/graph/group-frames';
import { agentSize } from '@/lib/graph/size';
import type { FlowNode, WireEdge } from './flow-model';

export type NoteNode = Node<{ readonly note: CanvasNote }, 'note'>;
/** It is named frame, because React Flow has a look of its own for nodes of type `group`. */
export type FrameNode = Node<{ readonly frame: GroupFrame; readonly collapsed: boolean }, 'frame'>;
export type CanvasNode = FlowNode | NoteNode | FrameNode;

/** Returns the notes as React Flow draws them. A note that has not changed keeps its object from `previous`. */
export function noteNodes(
  notes: readonly CanvasNote[],
  selection: readonly NodeId[],
  hidden: ReadonlySet<NodeId>,
  previous: readonly CanvasNode[],
): NoteNode[] {
  return notes.map((note) => {
    const id = `note:${note.id}`;
    const { width, height } = noteSize(note);
    const next: NoteNode = {
      id,
      type: 'note',
      position: { x: note.x, y: note.y },
      width,
      height,
      data: { note },
      selected: selection.includes(id),
      hidden: hidden.has(id),
      zIndex: 1,
      ariaLabel: note.text === '' ? 'Empty note' : `Note: ${escapeHidden(note.text)}`,
    };
    const was = previous.find((each) => each.id === id);
    return was?.type === 'note' && sameNote(was, next) ? was : next;
  });
}

/** Returns the frames of groups as React Flow draws them, behind all nodes. */
export function frameNodes(
  frames: readonly GroupFrame[],
  selection: readonly NodeId[],
  collapsed: ReadonlySet<string>,
  previous: readonly CanvasNode[],
): FrameNode[] {
  return frames.map((frame) => {
    const id = `group:${frame.group.id}`;
    const isCollapsed = collapsed.has(frame.group.id);
    const { width, height } = isCollapsed ? agentSize : frame;
    const count = `${frame.members.length} member${frame.members.length === 1 ? '' : 's'}`;
    const next: FrameNode = {
      id,
      type: 'frame',
      position: { x: frame.x, y: frame.y },
      width,
      height,
      data: { frame, collapsed: isCollapsed },
      selected: selection.includes(id),
      zIndex: -1,
      dragHandle: '.cb-frame-head',
      // Between the nodes of a group the pane is under the pointer.
      style: { pointerEvents: isCollapsed ? 'all' : 'none' },
      ariaLabel: `Group: ${escapeHidden(frame.group.title)}, ${count}${isCollapsed ? ', collapsed' : ''}`,
    };
    const was = previous.find((each) => each.id === id);
    return was?.type === 'frame' && sameFrame(was, next) ? was : next;
  });
}

/** Returns for each node that a collapsed group hides the id of the group's box, which stands in its place. */
export function hiddenIn(frames: readonly GroupFrame[], collapsed: ReadonlySet<string>): ReadonlyMap<NodeId, NodeId> {
  return new Map(
    frames
      .filter(({ group }) => collapsed.has(group.id))
      .flatMap(({ group, members }) => members.map((member) => [member, `group:${group.id}`] as const)),
  );
}

/** Lets wires of hidden nodes begin and end at the box of their group. Wires inside it are left out, and equal ones drawn once. */
export function wiresOfGroups(wires: readonly WireEdge[], homes: ReadonlyMap<NodeId, NodeId>): WireEdge[] {
  if (homes.size === 0) return [...wires];
  const drawn = new Set<string>();
  return wires.flatMap((wire) => {
    const source = homes.get(wire.source) ?? wire.source;
    const target = homes.get(wire.target) ?? wire.target;
    if (source === wire.source && target === wire.target) return [wire];
    const ends = `${source}→${target}`;
    if (source === target || drawn.has(ends)) return [];
    drawn.add(ends);
    // A way leads to the place of the hidden node.
    return [{ ...wire, source, target, ...(wire.data && { data: { ...wire.data, way: undefined } }) }];
  });
}

function sameNote(was: NoteNode, next: NoteNode): boolean {
  return was.data.note === next.data.note && was.hidden === next.hidden && samePlace(was, next);
}

function sameFrame(was: FrameNode, next: FrameNode): boolean {
  const same = was.data.frame.group === next.data.frame.group && was.data.collapsed === next.data.collapsed;
  return same && was.ariaLabel === next.ariaLabel && samePlace(was, next);
}

function samePlace(was: NoteNode | FrameNode, next: NoteNode | FrameNode): boolean {
  const { position: a, width, height } = was;
  const { position: b } = next;
  const sameBox = a.x === b.x && a.y === b.y && width === next.width && height === next.height;
  return sameBox && was.selected === next.selected;
}
