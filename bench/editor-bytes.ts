import { readdirSync } from 'node:fs';
import path from 'node:path';
import { editCard } from '@/lib/cards/edit/edit';
import { encodeFile } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { readDiskFolder } from '@/lib/cli/read-disk-folder';
import { readZip, writeZip } from '@/lib/server/folders/zip';

/** What import, export and an edit leave as it was. */
export interface KeptBytes {
  readonly files: number;
  /** Files that are not equal byte for byte after an import and an export. */
  readonly changedFiles: number;
  readonly cards: number;
  /** Lines outside the description that differ after it was edited, in all cards. */
  readonly otherLines: number;
}

/** Imports and exports the examples and `folder`, and edits the description of each of their cards. */
export async function keptBytes(folder: Folder): Promise<KeptBytes> {
  const examples = readdirSync('examples', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const folders = [
    folder,
    ...(await Promise.all(examples.map(({ name }) => readDiskFolder(path.join('examples', name))))),
  ];
  const counts = { files: 0, changedFiles: 0, cards: 0, otherLines: 0 };
  for (const one of folders) {
    const back = readZip(writeZip(one));
    for (const [name, file] of one) {
      const after = back.get(name);
      counts.files += 1;
      if (after === undefined || Buffer.compare(encodeFile(file), encodeFile(after)) !== 0) counts.changedFiles += 1;
    }
    for (const { file } of readFolder(one).cards) {
      const entry = one.get(file);
      if (entry?.kind !== 'text') continue;
      const edited = editCard(entry.text, file, { op: 'set', path: ['description'], value: 'Another one.' });
      if (!edited.ok) throw new Error(edited.error.message);
      counts.cards += 1;
      counts.otherLines += otherLines(entry.text, edited.value);
    }
  }
  return counts;
}

/** Counts lines of the shorter side that are neither at the start nor at the end of both texts, beyond the one that was edited. */
function otherLines(before: string, after: string): number {
  const [a, b] = [before.split('\n'), after.split('\n')];
  let head = 0;
  while (head < Math.min(a.length, b.length) && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(a.length, b.length) - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  return Math.max(0, Math.max(a.length, b.length) - head - tail - 1);
}
