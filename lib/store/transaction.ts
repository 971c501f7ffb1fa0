import type { PoolClient } from 'pg';
import type { Store } from './database';

/** Runs `work` in a transaction on a connection of its own. */
export async function transaction<T>(store: Store, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await store.pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    client.release(true);
    throw error;
  }
}
