import { languageOf, scanCode } from '@/lib/cards/code/code-scan';
import type { Folder } from '@/lib/cards/folder';
import { locateField } from '@/lib/cards/read/locate';
import type { ChainEntry } from './hook-chain';

/** Returns where a hook is defined, counted from 1: its function, or its entry in callboard.yaml if it needs no code. */
export function hookPlace(
  folder: Folder,
  entry: ChainEntry,
  agent: string,
): { readonly line: number; readonly column: number } {
  if (entry.kind !== 'code') {
    const [list = '', index = ''] = entry.id.split('.');
    const at = locateField(folder, entry.file, [list, ...(list === 'agent_hooks' ? [agent] : []), Number(index)]);
    return { line: at?.line ?? 1, column: at?.column ?? 1 };
  }
  const file = folder.get(entry.file);
  const language = languageOf(entry.file);
  if (file?.kind !== 'text' || language === undefined) return { line: 1, column: 1 };
  return { line: scanCode(language, file.text).known.get(entry.functionName)?.line ?? 1, column: 1 };
}
