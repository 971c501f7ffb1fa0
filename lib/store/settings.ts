import type { Store } from './database';

/** Returns true only for the first call with `key` on this database, also when several processes call at once. */
export async function claimOnce(store: Store, key: string): Promise<boolean> {
  const { rowCount } = await store.pool.query(
    `INSERT INTO "Setting" (key, value) VALUES ($1, now()::text) ON CONFLICT (key) DO NOTHING`,
    [key],
  );
  return rowCount === 1;
}
