import type { Json } from '@/lib/base/json';
import type { CanvasNote, GroupColour } from '@/lib/cards/canvas-settings';
import { FolderDraft } from '@/lib/cards/edit/draft';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { dropMembers, indexOf, membersOf } from './annotation-lists';
import type { Command } from './commands';
import type { NodeId } from './graph';
import { newSettings, settingsFileOf } from './settings-file';

/** The edits of notes and groups, as changes of `callboard.yaml`. */

/** Adds a note. `id` must be free. */
export function addNote(
  folder: Folder,
  parsed: ParsedFolder,
  { id, text, x, y }: Pick<CanvasNote, 'id' | 'text' | 'x' | 'y'>,
): Command {
  const note = { id, text, x: Math.round(x), y: Math.round(y) };
  return inSettings(folder, parsed, (draft, file) => append(draft, file, 'notes', note));
}

/** Changes the text or the place and size of a note. Numbers are rounded to whole canvas units. */
export function setNote(
  folder: Folder,
  parsed: ParsedFolder,
  id: string,
  fields: Partial<Omit<CanvasNote, 'id'>>,
): Command {
  return inSettings(folder, parsed, (draft, file) => {
    const index = indexOf(draft, file, 'notes', id);
    if (index === -1) return missing(draft, file, 'note', id);
    for (const [key, value] of Object.entries(fields)) {
      if (value === undefined) continue;
      const rounded = typeof value === 'number' ? Math.round(value) : value;
      draft.yaml(file, { op: 'set', path: ['canvas', 'notes', index, key], value: rounded });
    }
  });
}

/** Puts nodes and notes into a new group. They leave the groups in which they were, because frames would cross. */
export function addGroup(
  folder: Folder,
  parsed: ParsedFolder,
  { id, title, members }: { readonly id: string; readonly title: string; readonly members: readonly NodeId[] },
): Command {
  return inSettings(folder, parsed, (draft, file) => {
    if (members.length === 0) draft.fail('empty-group', file, 'Select the nodes that shall be a group first.');
    dropMembers(draft, file, new Set(members));
    append(draft, file, 'groups', { id, title, members: [...members] });
  });
}

/** Changes what a group shows. `undefined` removes the colour or the description. */
export function setGroup(
  folder: Folder,
  parsed: ParsedFolder,
  id: string,
  field: 'title' | 'colour' | 'description',
  value: string | GroupColour | undefined,
): Command {
  return inSettings(folder, parsed, (draft, file) => {
    const index = indexOf(draft, file, 'groups', id);
    if (index === -1) return missing(draft, file, 'group', id);
    const path = ['canvas', 'groups', index, field];
    if (value !== undefined && (value !== '' || field === 'title')) draft.yaml(file, { op: 'set', path, value });
    else if (draft.read(file, path) !== undefined) draft.yaml(file, { op: 'remove', path });
  });
}

/** Adds nodes to a group, or takes them out of every group with `undefined`. A group without members is removed. */
export function moveToGroup(
  folder: Folder,
  parsed: ParsedFolder,
  members: readonly NodeId[],
  id: string | undefined,
): Command {
  return inSettings(folder, parsed, (draft, file) => {
    const index = id === undefined ? -1 : indexOf(draft, file, 'groups', id);
    if (id !== undefined && index === -1) return missing(draft, file, 'group', id);
    const inside = id === undefined ? [] : membersOf(draft, file, index);
    const news = members.filter((member) => !inside.includes(member));
    // Added first, so that the group is not removed because its last member moves.
    for (const member of id === undefined ? [] : news) {
      const at = membersOf(draft, file, index).length;
      draft.yaml(file, { op: 'insert', path: ['canvas', 'groups', index, 'members'], index: at, value: member });
    }
    dropMembers(draft, file, new Set(id === undefined ? members : news), id);
  });
}

function inSettings(folder: Folder, parsed: ParsedFolder, edit: (draft: FolderDraft, file: string) => void): Command {
  const draft = new FolderDraft(folder);
  edit(draft, settingsFileOf(parsed));
  return draft.changes();
}

function append(draft: FolderDraft, file: string, list: 'notes' | 'groups', value: Json): void {
  const path = ['canvas', list];
  const written = draft.read(file, path);
  const count = Array.isArray(written) ? written.length : 0;
  if (count === 0) draft.yaml(file, { op: 'set', path, value: [value] }, newSettings);
  else draft.yaml(file, { op: 'insert', path, index: count, value });
}

function missing(draft: FolderDraft, file: string, what: 'note' | 'group', id: string): void {
  draft.fail(`unknown-${what}`, file, `${file} has no ${what} '${id}'. Open the project again.`);
}
