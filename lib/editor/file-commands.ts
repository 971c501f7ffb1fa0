import { addFunction, definitionLine, type NewFunction } from '@/lib/cards/edit/new-function';
import { renameFile } from '@/lib/cards/edit/rename-file';
import { textAt, textFile } from './document';
import type { Editing } from './editing';
import type { ProjectStore } from './project-store';

/** Commands for the files of the project, whatever they contain. */
export function fileCommands({ folder, apply, applyOne }: Editing, actions: ProjectStore['actions']) {
  return {
    newFile(path: string) {
      actions.edit(new Map([[path, textFile('')]]), { label: `New file ${path}` });
      actions.openFile(path);
    },
    /** Writes a skeleton of a function into a code file, which may be new, and shows it. Returns false if it was refused. */
    addFunction(added: NewFunction): boolean {
      const label = `New function ${added.name}`;
      if (!applyOne(addFunction(folder(), added), { label })) return false;
      actions.openFile(added.file, { line: definitionLine(folder(), added.file, added.name) ?? 1, column: 1 });
      return true;
    },
    renameFile(from: string, to: string) {
      if (apply(renameFile(folder(), from, to), { label: `Rename ${from}` }) && textAt(folder(), to) !== undefined)
        actions.openFile(to);
    },
    deleteFile(path: string) {
      actions.edit(new Map([[path, undefined]]), { label: `Delete ${path}` });
    },
  };
}
