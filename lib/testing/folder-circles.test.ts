import { expect, test } from 'vitest';
import { folderCircles } from './folder-circles';
import { type Import, isForTests, readImports } from './read-imports';

test('finds folders that import each other, directly or through a third', () => {
  expect(
    folderCircles([
      ['a/x.ts', 'b/y.ts'],
      ['b/y.ts', 'c/z.ts'],
    ]),
  ).toEqual([]);
  expect(
    folderCircles([
      ['a/x.ts', 'b/y.ts'],
      ['b/z.ts', 'a/w.ts'],
    ]),
  ).toEqual([['a', 'b']]);
  expect(
    folderCircles([
      ['a/x.ts', 'b/y.ts'],
      ['b/y.ts', 'c/z.ts'],
      ['c/z.ts', 'b/w.ts'],
    ]),
  ).toEqual([['b', 'c']]);
});

test('a file may count for the folder above its own', () => {
  const imports: Import[] = [
    ['lib/a/one/x.ts', 'lib/b/y.ts'],
    ['lib/b/z.ts', 'lib/a/two/w.ts'],
  ];
  expect(folderCircles(imports)).toEqual([]);
  expect(folderCircles(imports, room)).toEqual([['lib/a', 'lib/b']]);
});

test('folders import each other in one direction only', () => {
  const imports = readImports('.').filter(([from, to]) => isOfApp(from) && isOfApp(to));
  expect(imports.length).toBeGreaterThan(1_000);
  const circles = [folderCircles(imports, room), folderCircles(imports, innerRoom), folderCircles(imports)].flat();
  expect(circles).toEqual([]);
});

/** True for a file of the app itself, without tests and scripts. */
function isOfApp(file: string): boolean {
  return /^(?:app|components|lib)\//.test(file) && !isForTests(file);
}

/** `app`, `components`, `lib/runtime`: the folders that docs/architecture.md draws. */
function room(file: string): string {
  return /^lib\/[^/]+|^[^/]+/.exec(file)?.[0] ?? file;
}

/** `app`, `components/canvas`, `lib/runtime/record`; a file in none of those counts for the folder above. */
function innerRoom(file: string): string {
  return /^app(?=\/)|^components\/[^/]+(?=\/)|^lib\/[^/]+\/[^/]+(?=\/)/.exec(file)?.[0] ?? room(file);
}
