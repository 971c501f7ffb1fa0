import { languageOf, scanCode } from '@/lib/cards/code/code-scan';
import type { Folder } from '@/lib/cards/folder';
import { locateField } from '@/lib/cards/read/locate';
import type { HookBead } from '@/lib/graph/graph';

/** Returns where a hook is written, counted from 1: its function, or its entry in callboard.yaml if it needs no code. */
export function beadPlace(folder: Folder, bead: HookBead): { readonly line: number; readonly column: number } {
  if (bead.declarative !== undefined) {
    const parts = bead.place?.split('.') ?? [];
    // The name of an agent may contain dots.
    const agent = parts.length > 2 ? [parts.slice(1, -1).join('.')] : [];
    const at = locateField(folder, bead.file, [parts[0] ?? '', ...agent, Number(parts.at(-1))]);
    return { line: at?.line ?? 1, column: at?.column ?? 1 };
  }
  const file = folder.get(bead.file);
  const language = languageOf(bead.file);
  if (file?.kind !== 'text' || language === undefined) return { line: 1, column: 1 };
  return { line: scanCode(language, file.text).known.get(bead.functionName)?.line ?? 1, column: 1 };
}
