import { isRecord } from '@/lib/base/json';
import type { FolderDraft } from '@/lib/cards/edit/draft';
import type { NodeId, Point } from './graph';

/**
 * Notes and groups of the canvas, which live in `callboard.yaml` and do nothing in a run. On the canvas a note has the id
 * `note:<id>` and a group the id `group:<id>`, so that both are selected and removed like nodes.
 */

/** True if the id is one of a note or a group. */
export function isAnnotation(id: NodeId): boolean {
  return id.startsWith('note:') || id.startsWith('group:');
}

/** Removes notes and groups by their ids on the canvas. The members of a group stay. */
export function dropAnnotations(draft: FolderDraft, file: string, ids: ReadonlySet<NodeId>): void {
  for (const [list, prefix] of [
    ['notes', 'note:'],
    ['groups', 'group:'],
  ] as const) {
    for (const [index, each] of entries(draft, file, list).toReversed()) {
      if (ids.has(`${prefix}${each.id}`)) draft.prune(file, ['canvas', list, index]);
    }
  }
}

/** Takes nodes out of every group but `except`. A group without members is removed. */
export function dropMembers(draft: FolderDraft, file: string, ids: ReadonlySet<NodeId>, except?: string): void {
  for (const [index, group] of entries(draft, file, 'groups').toReversed()) {
    if (group.id === except) continue;
    const members = membersOf(draft, file, index);
    const left = members.filter((member) => typeof member === 'string' && !ids.has(member));
    if (left.length === members.length) continue;
    if (left.length === 0) {
      draft.prune(file, ['canvas', 'groups', index]);
      continue;
    }
    for (const [at, member] of [...members.entries()].toReversed()) {
      if (typeof member === 'string' && ids.has(member)) {
        draft.yaml(file, { op: 'remove', path: ['canvas', 'groups', index, 'members', at] });
      }
    }
  }
}

/** Moves notes, whose places are in the list of notes and not among the positions. */
export function placeNotes(draft: FolderDraft, file: string, points: Readonly<Record<NodeId, Point>>): void {
  for (const [index, note] of entries(draft, file, 'notes')) {
    const point = points[`note:${note.id}`];
    if (point === undefined) continue;
    for (const axis of ['x', 'y'] as const) {
      draft.yaml(file, { op: 'set', path: ['canvas', 'notes', index, axis], value: Math.round(point[axis]) });
    }
  }
}

/** Returns the readable entries of a list with their indexes. */
function entries(draft: FolderDraft, file: string, list: 'notes' | 'groups') {
  const written = draft.read(file, ['canvas', list]);
  return (Array.isArray(written) ? written : []).flatMap((entry: unknown, index) =>
    isRecord(entry) && typeof entry.id === 'string' ? [[index, { ...entry, id: entry.id }] as const] : [],
  );
}

/** Returns the index of a note or a group, or -1. */
export function indexOf(draft: FolderDraft, file: string, list: 'notes' | 'groups', id: string): number {
  return entries(draft, file, list).find(([, entry]) => entry.id === id)?.[0] ?? -1;
}

/** Returns the members of the group at an index, as they are written. */
export function membersOf(draft: FolderDraft, file: string, index: number): readonly unknown[] {
  const members = draft.read(file, ['canvas', 'groups', index, 'members']);
  return Array.isArray(members) ? members : [];
}
