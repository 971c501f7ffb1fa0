import { languageOf, scanCode } from '@/lib/cards/code/code-scan';
import type { FunctionDefinition } from '@/lib/cards/code/definition';
import type { Folder } from '@/lib/cards/folder';
import type { HookCode } from './hook-edit';

/**
 * Returns the functions of the project that may be a hook, by file and then in the order of the text: those that wrap calls
 * take (ctx, args, next), those of a phase take (ctx). Functions about which the text does not say enough are left out.
 */
export function hookFunctions(folder: Folder, use: 'around' | 'phase'): readonly HookCode[] {
  const given = use === 'around' ? 3 : 1;
  return [...folder.keys()].sort().flatMap((file) => {
    const language = languageOf(file);
    const found = folder.get(file);
    if (language === undefined || found?.kind !== 'text') return [];
    return [...scanCode(language, found.text).known].flatMap(([functionName, definition]): HookCode[] => {
      const fits = definition.kind === 'function' && !functionName.startsWith('_') && takes(definition, given);
      return fits ? [{ kind: 'code', file, functionName }] : [];
    });
  });
}

function takes({ isAsync, isExported, positional }: FunctionDefinition, given: number): boolean {
  if (isAsync === false || isExported === false || positional === undefined) return false;
  return positional.least <= given && given <= positional.most;
}
