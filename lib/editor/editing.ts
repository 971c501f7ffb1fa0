import type { Issue } from '@/lib/base/issue';
import { ok, type Result } from '@/lib/base/result';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { Command } from '@/lib/graph/commands';
import type { NodeId } from '@/lib/graph/graph';
import { fileChanges } from './compose';
import type { FileChanges } from './document';
import type { EditOptions, ProjectState } from './project-state';
import type { ProjectStore } from './project-store';

/** The open project as commands read it, and the ways they change it. */
export interface Editing {
  state(): ProjectState;
  folder(): Folder;
  drawn(): ParsedFolder;
  /** Changes files, or shows a notice that says why not. Returns false if nothing changed. */
  apply(edited: Result<FileChanges, Issue>, options: EditOptions): boolean;
  /** Does the same for one command. */
  applyOne(command: Command, options: EditOptions): boolean;
  /** Does the same as `applyOne`, but the picture follows a frame later. This is for typed text. */
  applyTyped(command: Command, options: EditOptions): void;
  /** Says that a node is added next. What it lacks is a hint until it is touched. */
  bear(id: NodeId): void;
  /** Selects a node and shows its form. */
  select(id: NodeId): void;
}

export function createEditing({ store, actions }: ProjectStore): Editing {
  const refuse = (issue: Issue) => actions.notify({ tone: 'bad', text: issue.message });

  function apply(edited: Result<FileChanges, Issue>, options: EditOptions): boolean {
    if (edited.ok) actions.edit(edited.value, options);
    else refuse(edited.error);
    return edited.ok;
  }

  return {
    state: store.getState,
    bear: actions.bear,
    folder: () => store.getState().document.folder,
    drawn: () => store.getState().picture.drawn,
    apply,
    applyOne: (command, options) => apply(command.ok ? ok(fileChanges(command.value)) : command, options),
    applyTyped(command, options) {
      if (command.ok) actions.type(fileChanges(command.value), options);
      else refuse(command.error);
    },
    select(id) {
      actions.select([id]);
      actions.show({ inspectorTab: 'properties' });
    },
  };
}

/** Returns the first of `agent`, `agent-2`, … that is not taken. */
export function freeName(stem: string, taken: (name: string) => boolean): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? stem : `${stem}-${n}`;
    if (!taken(name)) return name;
  }
}
