import type { Store } from './database';

/** True for the first caller ever on this database, whatever happens at once. */
export async function claimOnce(store: Store, key: string): Promise<boolean> {
  const { rowCount } = await store.pool.query(
    `INSERT INTO "Setting" (key, value) VALUES ($1, now()::text) ON CONFLICT (key) DO NOTHING`,
    [key],
  );
  return rowCount === 1;
}
