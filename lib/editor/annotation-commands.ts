import type { CanvasNote, GroupColour } from '@/lib/cards/canvas-settings';
import { addGroup, addNote, moveToGroup, setGroup, setNote } from '@/lib/graph/annotations';
import type { NodeId, Point } from '@/lib/graph/graph';
import { removeNodes } from '@/lib/graph/removal';
import { type Editing, freeName } from './editing';
import type { ProjectStore } from './project-store';

/** Commands for notes and groups of the canvas. They change callboard.yaml and never what runs. */
export function annotationCommands({ state, folder, drawn, applyOne }: Editing, actions: ProjectStore['actions']) {
  const canvas = () => drawn().settings.canvas;
  const titleOf = (id: string) => canvas().groups.find((group) => group.id === id)?.title ?? id;

  return {
    /** Adds an empty note, in which the cursor is then. Without a place it is above the selected node or the entry agent. */
    addNote(wanted?: Point) {
      const { points, selection, picture } = state();
      const beside = points[selection.at(-1) ?? ''] ?? points[`agent:${picture.entry}`] ?? { x: 0, y: 0 };
      const at = wanted ?? { x: beside.x, y: beside.y - 128 };
      const id = freeName('n', (taken) => canvas().notes.some((note) => note.id === taken));
      if (!applyOne(addNote(folder(), drawn(), { id, text: '', ...at }), { label: 'Add note' })) return;
      actions.select([`note:${id}`]);
      actions.show({ renaming: `note:${id}`, narrowPanel: 'canvas' });
    },
    setNote(id: string, fields: Partial<Omit<CanvasNote, 'id'>>) {
      const label = fields.text === undefined ? 'Resize note' : 'Write note';
      applyOne(setNote(folder(), drawn(), id, fields), { label, burst: `note:${id}:${Object.keys(fields).join()}` });
    },
    /** Puts nodes and notes into a new group, whose title can be typed then. */
    group(ids: readonly NodeId[]) {
      const members = ids.filter((id) => !id.startsWith('group:'));
      const id = freeName('g', (taken) => canvas().groups.some((group) => group.id === taken));
      const added = addGroup(folder(), drawn(), { id, title: 'Group', members });
      if (!applyOne(added, { label: `Group ${members.length}` })) return;
      actions.select([`group:${id}`]);
      actions.show({ renaming: `group:${id}`, narrowPanel: 'canvas' });
    },
    /** Removes the frame of a group. Its members stay and are selected. */
    ungroup(id: string) {
      const members = canvas().groups.find((group) => group.id === id)?.members ?? [];
      const removed = removeNodes(folder(), drawn(), state().picture.graph, [`group:${id}`]);
      if (applyOne(removed, { label: `Ungroup ${titleOf(id)}` })) actions.select(members);
    },
    setGroup(id: string, field: 'title' | 'colour' | 'description', value: string | GroupColour | undefined) {
      const label = `${field} of group ${titleOf(id)}`;
      applyOne(setGroup(folder(), drawn(), id, field, value), { label, burst: `group:${id}:${field}` });
    },
    /** Adds nodes to a group, or takes them out of theirs with `undefined`. */
    moveToGroup(ids: readonly NodeId[], id: string | undefined) {
      const label = id === undefined ? 'Leave group' : `Move to group ${titleOf(id)}`;
      applyOne(moveToGroup(folder(), drawn(), ids, id), { label });
    },
  };
}
