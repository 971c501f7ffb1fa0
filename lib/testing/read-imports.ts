import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** One import: the file that has it, and the file it names, both from the repository's top. */
export type Import = readonly [from: string, to: string];

const folders = ['app', 'bench', 'bin', 'components', 'e2e', 'lib'];

/** Returns the imports between files of the repository, type-only imports among them. Generated code is left out. */
export function readImports(root: string): Import[] {
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  const sources = files.filter((file) => /\.(?:tsx?|mjs)$/.test(file) && !file.includes('/generated/'));
  const known = new Set(sources);
  return [...sources, 'proxy.ts'].flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    return [...text.matchAll(/(?:from|import\()\s*'((?:@\/|\.)[^']+)'/g)].flatMap(([, specifier = '']): Import[] => {
      const base = specifier.startsWith('@/') ? specifier.slice(2) : path.join(path.dirname(file), specifier);
      const to = [base, `${base}.ts`, `${base}.tsx`].find((name) => known.has(name));
      return to === undefined ? [] : [[file, to]];
    });
  });
}

/** True for a file that only tests and benchmarks use: itself a test, or in a folder for them. */
export function isForTests(file: string): boolean {
  return /\.(?:test|spec)\.tsx?$|^(?:lib\/testing|e2e|bench)\//.test(file);
}
