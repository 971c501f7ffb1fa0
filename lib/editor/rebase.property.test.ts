import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Folder } from '@/lib/cards/folder';
import { tries } from '@/lib/testing/tries';
import { textFile } from './document';
import { rebase } from './rebase';

const base: Folder = new Map(
  ['a.md', 'b.md', 'c.txt'].map((path) => [
    path,
    textFile(Array.from({ length: 8 }, (_, index) => `${path} ${index}\n`).join('')),
  ]),
);

const change = fc.record({
  what: fc.constantFrom('insert', 'insert', 'replace', 'drop', 'remove', 'rename', 'add'),
  file: fc.nat(9),
  at: fc.nat(9),
});
const changes = fc.array(change, { maxLength: 5 });
type Changes = typeof changes extends fc.Arbitrary<infer T> ? T : never;

/** Makes the changes one after the other. Each line that is written is the only one of its kind. */
function changed(who: string, list: Changes): Folder {
  const folder = new Map(base);
  list.forEach(({ what, file, at }, number) => {
    const path = [...folder.keys()][file % Math.max(1, folder.size)];
    const line = `${who} ${number}\n`;
    if (what === 'add' || path === undefined) {
      folder.set(at % 2 === 0 ? 'new.md' : `${who}.md`, textFile(`${line}and ${line}`));
      return;
    }
    const found = folder.get(path);
    const lines = found?.kind === 'text' ? found.text.split(/(?<=\n)/) : [];
    if (what === 'remove' || what === 'rename') folder.delete(path);
    if (what === 'rename') folder.set(at % 2 === 0 ? `moved-${path}` : `${who}-${path}`, textFile(lines.join('')));
    if (what === 'remove' || what === 'rename') return;
    const place = at % (lines.length + 1);
    lines.splice(place, what === 'insert' ? 0 : 1, ...(what === 'drop' ? [] : [line]));
    folder.set(path, textFile(lines.join('')));
  });
  return folder;
}

const linesIn = (folder: Folder) =>
  new Set([...folder.values()].flatMap((file) => (file.kind === 'text' ? file.text.split('\n').filter(Boolean) : [])));

test('whatever two people do to a folder, each line is kept, or was removed by a person, or is asked about', () => {
  fc.assert(
    fc.property(changes, changes, (first, second) => {
      const [mine, theirs] = [changed('mine', first), changed('theirs', second)];
      const result = rebase(base, mine, theirs);
      const other = rebase(base, theirs, mine);
      const asked = (path: string) => result.clashes.includes(path);
      expect(other.clashes).toEqual(result.clashes);
      const settled = (folder: Folder) => [...folder].filter(([path]) => !asked(path)).sort();
      expect(settled(other.folder)).toEqual(settled(result.folder));

      const clashing = (folder: Folder) => new Map([...folder].filter(([path]) => asked(path)));
      const shown = new Set([
        ...linesIn(result.folder),
        ...linesIn(clashing(result.sides.mine)),
        ...linesIn(clashing(result.sides.theirs)),
      ]);
      const [was, my, their] = [linesIn(base), linesIn(mine), linesIn(theirs)];
      for (const line of my) if (!was.has(line) || their.has(line)) expect(shown).toContain(line);
      for (const line of their) if (!was.has(line) || my.has(line)) expect(shown).toContain(line);
    }),
    { numRuns: tries(2_000) },
  );
});
