import { dialects } from '@/lib/cards/dialects/list';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';

/**
 * Returns the folder with the most cards, `''` for the top of the project. Without cards it is `agent-cards`. In a folder of another
 * program's agents it is the one where that program looks for them.
 */
export function usualDirectory({ cards, dialect }: Pick<ParsedFolder, 'cards' | 'dialect'>): string {
  const own = dialects.find(({ id }) => id === dialect);
  if (own !== undefined) return own.directory;
  const counts = new Map<string, number>();
  for (const { file } of cards) {
    const directory = file.slice(0, Math.max(0, file.lastIndexOf('/')));
    counts.set(directory, (counts.get(directory) ?? 0) + 1);
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return most === undefined ? 'agent-cards' : most[0];
}

/** Returns the end of the name of a new card's file. */
export function usualFileEnd({ dialect }: Pick<ParsedFolder, 'dialect'>): string {
  return dialects.find(({ id }) => id === dialect)?.fileEnd ?? '.md';
}
