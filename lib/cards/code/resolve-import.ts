import type { Folder } from '@/lib/cards/folder';
import { joinPath } from '@/lib/cards/references';

/** Finds the file that code imports by a specifier, or says why there is none. The check and the sandbox both ask it. */
export function resolveImport(
  folder: Folder,
  from: string,
  specifier: string,
): { readonly ok: true; readonly file: string } | { readonly ok: false; readonly message: string } {
  if (!/^\.\.?(\/|$)/.test(specifier)) {
    const message = `'${specifier}' cannot be imported here: code may import only files of the project, by a relative path.`;
    return { ok: false, message };
  }
  const wanted = joinPath(from, specifier);
  const found = wanted === undefined ? undefined : spellings(wanted).find((one) => folder.get(one)?.kind === 'text');
  if (found !== undefined) return { ok: true, file: found };
  return { ok: false, message: `'${specifier}' is not a file of the project. Add it or correct the path.` };
}

function spellings(wanted: string): string[] {
  const typed = /\.[cm]?js$/.test(wanted) ? [wanted.replace(/js$/, 'ts')] : [];
  const added = ['.ts', '.js', '.mts', '.mjs', '/index.ts', '/index.js'].map((end) => wanted + end);
  return [wanted, ...typed, ...added];
}
