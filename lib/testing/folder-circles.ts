import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** One import: the file that has it, and the file it names, both relative to the repository's root. */
export type Import = readonly [from: string, to: string];

/**
 * Finds folders that import each other, directly or through others. Each circle is listed once, with its folders by name.
 * Two folders that import each other are a circle of two. `folderOf` names the folder of a file; by default it is the one
 * that the file is in.
 *
 *   a ─▶ b ─▶ c        circle: b, c
 *        ▲────┘
 */
export function folderCircles(
  imports: readonly Import[],
  folderOf: (file: string) => string = path.dirname,
): string[][] {
  const below = new Map<string, Set<string>>();
  for (const [from, to] of imports) {
    const folder = folderOf(from);
    below.set(folder, (below.get(folder) ?? new Set()).add(folderOf(to)));
  }
  const reached = new Map([...below.keys()].map((folder) => [folder, reachedFrom(folder, below)]));
  const circles = new Map<string, string[]>();
  for (const [folder, others] of reached) {
    const circle = [...others].filter((other) => other !== folder && reached.get(other)?.has(folder));
    if (circle.length === 0) continue;
    const folders = [folder, ...circle].sort();
    circles.set(folders.join(' '), folders);
  }
  return [...circles.values()];
}

function reachedFrom(start: string, below: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const reached = new Set<string>();
  const open = [start];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const next of below.get(folder) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(next);
    }
  }
  return reached;
}

/** Returns the imports between files of the product, type-only imports among them. Tests and their helpers are left out. */
export function readImports(root: string): Import[] {
  const files = ['app', 'components', 'lib'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  const product = files.filter((file) => /\.tsx?$/.test(file) && !/\.test\.|\/generated\/|^lib\/testing\//.test(file));
  const known = new Set(product);
  return product.flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    return [...text.matchAll(/(?:from|import\()\s*'((?:@\/|\.)[^']+)'/g)].flatMap(([, specifier = '']): Import[] => {
      const base = specifier.startsWith('@/') ? specifier.slice(2) : path.join(path.dirname(file), specifier);
      const to = [base, `${base}.ts`, `${base}.tsx`].find((name) => known.has(name));
      return to === undefined ? [] : [[file, to]];
    });
  });
}
