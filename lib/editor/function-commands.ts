import { addFunction, definitionLine } from '@/lib/cards/edit/new-function';
import { relativePath } from '@/lib/cards/references';
import { fieldEdits } from './card-commands';
import { compose, fileChanges, type Step } from './compose';
import type { Editing } from './editing';
import type { ProjectStore } from './project-store';

/** Commands for function tools, which are functions of code files that cards name. */
export function functionCommands({ folder, apply }: Editing, actions: ProjectStore['actions']) {
  function open(file: string, name: string) {
    actions.openFile(file, { line: definitionLine(folder(), file, name) ?? 1, column: 1 });
  }

  return {
    /** Shows a function in its file. */
    openFunction: open,
    /** Writes a skeleton of a function tool into a file, gives it to an agent as one undo step, and shows its code. */
    newFunctionTool(card: { readonly file: string; readonly name: string }, file: string, name: string) {
      const steps: Step[] = [
        (now) => addFunction(now, { file, name, kind: 'tool' }),
        (now, parsed) => {
          const owner = parsed.cards.find((one) => one.file === card.file);
          const index = owner?.type === 'agent' ? owner.functionTools.length : 0;
          const value = `${relativePath(card.file, file)}:${name}`;
          return fieldEdits(now, card.file, [{ op: 'insert', path: ['function_tools'], index, value }]);
        },
      ];
      if (apply(compose(folder(), steps), { label: `New function ${name} of ${card.name}` })) open(file, name);
    },
    /** Writes the skeleton of a function that cards name already, and shows it. */
    createFunction(file: string, name: string) {
      const added = addFunction(folder(), { file, name, kind: 'tool' });
      const changes = added.ok ? { ok: true as const, value: fileChanges(added.value) } : added;
      if (apply(changes, { label: `New function ${name}` })) open(file, name);
    },
  };
}
