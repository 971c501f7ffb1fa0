import type { AgentCard } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import { joinPath } from '@/lib/cards/references';

/** The file that the default instruction includes. */
const defaultInclude = '{{file_silent:AGENTS.md}}';
const include = /(\\?)\{\{\s{0,20}(?:file|file_silent):([^{}]{1,512})\}\}/g;

/**
 * Returns the files of the folder that `{{file:…}}` and `{{file_silent:…}}` of an instruction insert. The lookup is the same as in a
 * run: in the project's folder, else beside the card.
 */
export function includedFiles(card: Pick<AgentCard, 'file' | 'instruction'>, folder: Folder): string[] {
  const text = card.instruction ?? defaultInclude;
  if (!text.includes('file')) return [];
  return [...text.matchAll(include)].flatMap(([, backslash, target = '']) => {
    if (backslash !== '') return [];
    const near = [joinPath('', target.trim()), joinPath(card.file, target.trim())];
    return near.find((path) => path !== undefined && folder.has(path)) ?? [];
  });
}
