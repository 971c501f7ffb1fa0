import type { Folder } from '@/lib/cards/folder';
import type { DialectDocument, PlacedNote } from './dialect';

/** Returns the notes about files that are no agents. The first row that fits a path counts. */
export function documentNotes(folder: Folder, documents: readonly DialectDocument[]): readonly PlacedNote[] {
  return [...folder.keys()].sort().flatMap((file) => {
    const kind = documents.find(({ place }) => place.test(file));
    if (kind?.told === undefined) return [];
    const { key, told, say } = kind;
    return [{ file, note: { key, use: told, path: [], words: [], say: () => say } }];
  });
}
