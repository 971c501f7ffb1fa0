import { addFunction, definitionLine, type NewFunction } from '@/lib/cards/edit/new-function';
import { renameFile, renameFiles } from '@/lib/cards/edit/rename-file';
import { checkPath, findPathClash } from '@/lib/cards/files';
import type { FolderFile } from '@/lib/cards/folder';
import type { FindFix } from './code-fixes';
import { textFile } from './document';
import type { Editing } from './editing';
import type { ProjectStore } from './project-store';

/** Commands for the files of the project, whatever they contain. */
export function fileCommands({ state, folder, drawn, apply, applyOne }: Editing, actions: ProjectStore['actions']) {
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
    /** Applies the fix with these words, if it is still there. A function that it writes is shown. */
    fix(label: string, find: FindFix) {
      const fix = find({ folder: folder(), drawn: drawn() });
      if (fix === undefined) {
        actions.notify({ tone: 'info', text: `'${label}' is not needed any more: the text has changed.` });
        return;
      }
      if (!applyOne(fix.change(), { label }) || fix.shows === undefined) return;
      const { file, functionName } = fix.shows;
      actions.openFile(file, { line: definitionLine(folder(), file, functionName) ?? 1, column: 1 });
    },
    renameFile(from: string, to: string) {
      if (apply(renameFile(folder(), from, to), { label: `Rename ${from}` }) && folder().has(to)) actions.openFile(to);
    },
    /** Moves files to new paths, with everything that names them. A file that is open stays open. */
    moveFiles(moves: ReadonlyMap<string, string>, label: string) {
      const clash = [...moves].find(([from, to]) => from !== to && folder().has(to) && !moves.has(to));
      if (clash !== undefined) {
        actions.notify({ tone: 'bad', text: `There is a file ${clash[1]} already. Rename one of them first.` });
        return;
      }
      const { openFile, textView } = state();
      if (!apply(renameFiles(folder(), moves), { label })) return;
      const now = openFile === undefined ? undefined : moves.get(openFile);
      if (now !== undefined && textView === 'wide') actions.openFile(now);
    },
    /** Adds files as one undo step, and replaces those that have the same path. Shows the file if it is only one. */
    addFiles(files: ReadonlyMap<string, FolderFile>) {
      const [first, ...others] = files.keys();
      if (first === undefined) return;
      const bad = [...files.keys()].map((path) => checkPath(path)).find(Boolean);
      const clash = findPathClash([...folder().keys(), ...files.keys()]);
      if (bad !== undefined || clash !== undefined) {
        actions.notify({
          tone: 'bad',
          text: bad?.message ?? `'${clash}' is both a file and a folder. Rename one of them.`,
        });
        return;
      }
      const replaced = [...files.keys()].filter((path) => folder().has(path));
      const label = others.length === 0 ? `Upload ${first}` : `Upload ${files.size} files`;
      actions.edit(files, { label, brought: true });
      if (others.length === 0) actions.openFile(first);
      if (replaced.length > 0)
        actions.notify({ tone: 'info', text: `Replaced ${replaced.join(', ')}. Undo brings back what was there.` });
    },
    deleteFiles(paths: readonly string[], name: string) {
      actions.edit(new Map(paths.map((path) => [path, undefined])), { label: `Delete ${name}` });
    },
  };
}
