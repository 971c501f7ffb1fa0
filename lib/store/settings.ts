import type { Store } from './database';

/** Returns true only for the first call with `key` on this database, also when several processes call at once. */
export async function claimOnce(store: Store, key: string): Promise<boolean> {
  const { rowCount } = await store.pool.query(
    `INSERT INTO "Setting" (key, value) VALUES ($1, now()::text) ON CONFLICT (key) DO NOTHING`,
    [key],
  );
  return rowCount === 1;
}

/** Returns the value of a fact, or `undefined`. */
export async function readSetting(store: Store, key: string): Promise<string | undefined> {
  const { rows } = await store.pool.query<{ value: string }>('SELECT value FROM "Setting" WHERE key = $1', [key]);
  return rows[0]?.value;
}

interface Connection {
  query(text: string, values: unknown[]): Promise<unknown>;
}

/** Writes a fact, also within a transaction. */
export async function writeSetting(connection: Connection, key: string, value: string): Promise<void> {
  await connection.query(
    'INSERT INTO "Setting" (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = $2',
    [key, value],
  );
}
