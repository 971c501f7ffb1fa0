import type { Store } from './database';

/** A filter of the list of runs under a name, as query text. */
export interface SavedFilter {
  readonly name: string;
  readonly query: string;
}

const prefix = 'run-filter:';

/** Returns the saved filters by name, at most 200. */
export async function listSavedFilters(store: Store): Promise<readonly SavedFilter[]> {
  const { rows } = await store.pool.query<SavedFilter>(
    `SELECT substring(key FROM ${prefix.length + 1}) AS name, value AS query FROM "Setting"
     WHERE key LIKE '${prefix}%' ORDER BY 1 LIMIT 200`,
  );
  return rows;
}

/** Saves a filter. One with the same name is replaced. */
export async function saveFilter(store: Store, { name, query }: SavedFilter): Promise<void> {
  await store.pool.query(
    'INSERT INTO "Setting" (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value',
    [prefix + name, query],
  );
}

export async function deleteSavedFilter(store: Store, name: string): Promise<void> {
  await store.pool.query('DELETE FROM "Setting" WHERE key = $1', [prefix + name]);
}
