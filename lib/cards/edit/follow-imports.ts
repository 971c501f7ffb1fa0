import { languageOf } from '@/lib/cards/code/code-scan';
import { jsFile } from '@/lib/cards/code/imported-files';
import { parentOf } from '@/lib/cards/file-role';
import type { Folder } from '@/lib/cards/folder';
import { joinPath, relativePath } from '@/lib/cards/references';

/** The relative module of `import … from './x'`, `export … from './x'`, `import './x'` and `import('./x')`. */
const jsImport = /(\b(?:from|import)\s*\(?\s*)(["'])(\.{1,2}\/[^"'\n]+)\2/g;
const pyFrom = /^([ \t]*from[ \t]+)([A-Za-z_][\w.]*)([ \t]+import\b)/gm;
const pyImport = /^([ \t]*import[ \t]+)([A-Za-z_][\w.]*)([ \t]*(?:#.*)?\r?)$/gm;

/**
 * Returns the text of a code file after files have moved: imports of project files name their new paths. `from` is the
 * path of the file before, `to` after, and `moved` maps every path. Text that imports nothing that moved stays the same.
 */
export function followImports(
  folder: Folder,
  text: string,
  from: string,
  to: string,
  moved: (path: string) => string,
): string {
  switch (languageOf(from)) {
    case 'javascript':
      return text.replace(jsImport, (whole, head: string, quote: string, written: string) => {
        const target = jsFile(folder, from, written);
        if (target === undefined || (moved(target) === target && from === to)) return whole;
        const next = withDot(relativePath(to, moved(target)));
        // An extension that was not written, or that of the compiled file, stays as it was.
        const extension = target === joinPath(from, written) ? undefined : (/\.[cm]?js$/.exec(written)?.[0] ?? '');
        return `${head}${quote}${extension === undefined ? next : next.replace(/\.[^./]+$/, extension)}${quote}`;
      });
    case 'python':
      return text
        .replace(pyFrom, (whole, head: string, name: string, tail: string) => {
          const next = pyModule(folder, name, from, to, moved);
          return next === undefined ? whole : head + next + tail;
        })
        .replace(pyImport, (whole, head: string, name: string, tail: string) => {
          const next = name.includes('.') ? undefined : pyModule(folder, name, from, to, moved);
          return next === undefined ? whole : `${head}${next} as ${name}${tail}`;
        });
    default:
      return text;
  }
}

/** Returns the new name of a Python module beside the file or at the top. Returns `undefined` if it stays the same. */
function pyModule(
  folder: Folder,
  name: string,
  from: string,
  to: string,
  moved: (path: string) => string,
): string | undefined {
  const path = `${name.replaceAll('.', '/')}.py`;
  const beside = joinPath(from, path);
  const target = [beside, path].find((one) => one !== undefined && folder.has(one));
  if (target === undefined) return undefined;
  const now = moved(target);
  const directory = parentOf(to);
  const isBelow = directory !== '' && now.startsWith(`${directory}/`);
  const next = (isBelow ? now.slice(directory.length + 1) : now).replace(/\.py$/, '').replaceAll('/', '.');
  return next === name || !/^[A-Za-z_][\w.]*$/.test(next) ? undefined : next;
}

function withDot(path: string): string {
  return path.startsWith('../') ? path : `./${path}`;
}
