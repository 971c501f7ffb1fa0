import { renameFile } from '@/lib/cards/edit/rename-file';
import { textAt, textFile } from './document';
import type { Editing } from './editing';
import type { ProjectStore } from './project-store';

/** Commands for the files of the project, whatever they contain. */
export function fileCommands({ folder, apply }: Editing, actions: ProjectStore['actions']) {
  return {
    newFile(path: string) {
      actions.edit(new Map([[path, textFile('')]]), { label: `New file ${path}` });
      actions.openFile(path);
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
