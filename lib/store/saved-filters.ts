import type { Store } from './database';
import { writeSetting } from './settings';

/** A filter of the list of runs under a name, as query text. */
export interface SavedFilter {
  readonly name: string;
  readonly query: string;
}

const prefix = 'run-filter:';

/** Each person has own filters. Those of `local` have the keys that installations without accounts always had. */
function prefixOf(by: string): string {
  return by === 'local' ? prefix : `run-filter-of:${by}:`;
}

/** Returns the saved filters of a person by name, at most 200. */
export async function listSavedFilters(store: Store, by: string): Promise<readonly SavedFilter[]> {
  const { rows } = await store.pool.query<SavedFilter>(
    `SELECT substring(key FROM length($1) + 1) AS name, value AS query FROM "Setting"
     WHERE starts_with(key, $1) ORDER BY 1 LIMIT 200`,
    [prefixOf(by)],
  );
  return rows;
}

/** Saves a filter. One with the same name is replaced. */
export async function saveFilter(store: Store, by: string, { name, query }: SavedFilter): Promise<void> {
  await writeSetting(store.pool, prefixOf(by) + name, query);
}

export async function deleteSavedFilter(store: Store, by: string, name: string): Promise<void> {
  await store.pool.query('DELETE FROM "Setting" WHERE key = $1', [prefixOf(by) + name]);
}
