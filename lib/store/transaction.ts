import type { PoolClient } from 'pg';
import { AppError } from '@/lib/base/app-error';
import type { Store } from './database';

/** Runs `work` in a transaction on a connection of its own. `first` is a statement that is sent together with its beginning. */
export async function transaction<T>(
  store: Store,
  work: (client: PoolClient) => Promise<T>,
  first?: string,
): Promise<T> {
  const client = await store.pool.connect();
  try {
    await client.query(first === undefined ? 'BEGIN' : `BEGIN; ${first}`);
    const result = await work(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    const isUndone = await client.query('ROLLBACK').then(
      () => true,
      () => false,
    );
    // A refusal says nothing about the connection, and there may be hundreds a minute.
    client.release(!(isUndone && error instanceof AppError));
    throw error;
  }
}
