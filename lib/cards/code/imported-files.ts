import type { Folder } from '@/lib/cards/folder';
import { joinPath } from '@/lib/cards/references';
import { languageOf } from './code-scan';

/** The relative module of `import … from './x'`, `export … from './x'`, `import './x'` and `import('./x')`. */
const jsImport = /\b(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"'\n]+)["']/g;
/** A statement begins a line, or stands behind `;` or `:`. Names in brackets may go over several lines. */
const pyFrom = /(?:^|[;:])[ \t\f]*from[ \t]*(\.*[\w.]*)[ \t]*import\b[ \t]*(?:\(([^)]*)\)|([^#\n(;]*))/gm;
const pyImport = /(?:^|[;:])[ \t\f]*import[ \t]+([^#\n;]+)/gm;
const extensions = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.json'];

/**
 * Returns a code file and all files of the folder that it imports, also by way of others. Only imports that are written as such are
 * found: code that makes the name of a module loads a file that is not in the list. `scriptImports` reads the imports of a script; by
 * default a pattern does, which pages can load.
 */
export function importedFiles(folder: Folder, path: string, scriptImports: ReadImports = writtenImports): string[] {
  const found = new Set([path]);
  for (const from of found) for (const to of importsOf(folder, from, path, scriptImports)) found.add(to);
  return [...found];
}

/** Returns the files of the folder that a script imports. */
export type ReadImports = (folder: Folder, path: string, text: string) => readonly string[];

/** Finds imports by a pattern. */
export const writtenImports: ReadImports = (folder, path, text) =>
  [...text.matchAll(jsImport)].flatMap(([, written = '']) => jsFile(folder, path, written) ?? []);

function importsOf(folder: Folder, path: string, entry: string, scriptImports: ReadImports): readonly string[] {
  const file = folder.get(path);
  if (file?.kind !== 'text') return [];
  switch (languageOf(path)) {
    case 'javascript':
      return scriptImports(folder, path, file.text);
    case 'python':
      return pythonModules(file.text).flatMap((module) => pyFiles(folder, path, entry, module));
    case undefined:
      return [];
  }
}

/** Finds the file of a relative import. A TypeScript file may be imported by the name that it has after compilation. */
export function jsFile(folder: Folder, from: string, written: string): string | undefined {
  const path = joinPath(from, written);
  if (path === undefined) return undefined;
  const stem = path.replace(/\.([cm]?)js$/, '.$1ts');
  return [path, stem, ...extensions.map((one) => path + one)].find((one) => folder.has(one));
}

/** `from a import b` may import the name `b` of the module `a`, or the module `a.b`. */
function pythonModules(text: string): string[] {
  const from = [...text.matchAll(pyFrom)].flatMap(([, module = '', inBrackets, inLine = '']) => {
    const names = (inBrackets ?? inLine).replace(/#.*$/gm, '');
    const end = module === '' || module.endsWith('.') ? '' : '.';
    return [module, ...names.split(',').map((name) => `${module}${end}${firstWord(name)}`)];
  });
  const whole = [...text.matchAll(pyImport)].flatMap(([, names = '']) => names.split(',').map(firstWord));
  return [...from, ...whole];
}

function firstWord(text: string): string {
  return text.trim().split(/\s/)[0] ?? '';
}

/**
 * Modules stand beside the file, beside the code that a run begins with, or at the top of the folder. Leading dots count folders upwards.
 * The packages above a module run before it.
 */
function pyFiles(folder: Folder, from: string, entry: string, module: string): string[] {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const path = module.slice(dots).replaceAll('.', '/');
  const up = '../'.repeat(Math.max(0, dots - 1));
  const parts = path.split('/');
  const packages = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
  const placesOf = (one: string) => [
    joinPath(from, up + one),
    ...(dots === 0 ? [joinPath(entry, one), joinPath('', one)] : []),
  ];
  const files = [
    ...placesOf(path).flatMap((place) => (place === undefined ? [] : [`${place}.py`, `${place}/__init__.py`])),
    ...packages.flatMap(placesOf).map((place) => `${place ?? ''}/__init__.py`),
  ];
  return [...new Set(files)].filter((file) => folder.has(file));
}
