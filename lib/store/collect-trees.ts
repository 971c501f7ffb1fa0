import type { PoolClient } from 'pg';
import type { Store } from './database';

/*
 * Garbage collection of stored files: removes unreferenced trees, then unreferenced blobs. Saves and starts go on meanwhile.
 *
 *   mark     an unreferenced tree gets a time; a tree that is referenced again loses it
 *   lock     some trees that were marked long ago, FOR UPDATE SKIP LOCKED: trees that a save holds are skipped
 *   delete   those of them that are still unreferenced: a new statement sees everything committed before the lock
 *
 * A referenced row is never removed, because every writer locks a row before it refers to it. A row that refers to a tree holds
 * the tree's key by its foreign key, and a save holds its tree and blobs until it commits (`putEntries`). Either the collector
 * finds the lock and skips the row, or the writer waits until a few rows are deleted and writes them again. The collector never
 * waits for a lock.
 */

/**
 * The start of a run reads a tree's hash first and refers to it a moment later, so an unused tree must stay for a while.
 */
const unusedForMs = 3_600_000;
const batchSize = 200;
/** An advisory lock, so that two workers do not collect at once. Saves do not take it. */
const collectorLock = 7_203_015;

const isNamed = `(
  EXISTS (SELECT 1 FROM "Draft" d WHERE d."treeHash" = t.hash)
  OR EXISTS (SELECT 1 FROM "Revision" r WHERE r."treeHash" = t.hash)
  OR EXISTS (SELECT 1 FROM "StoredRun" r WHERE r."treeHash" = t.hash)
  OR EXISTS (SELECT 1 FROM "KeptTree" k WHERE k."treeHash" = t.hash)
  OR EXISTS (SELECT 1 FROM "GitCommit" c WHERE c."treeHash" = t.hash)
  OR EXISTS (SELECT 1 FROM "Task" a WHERE a."treeHash" = t.hash))`;

/**
 * Removes unreferenced trees and blobs. Does nothing while another worker collects. Trees that were referenced within the
 * last `unusedFor` milliseconds stay.
 */
export async function collectTrees(store: Store, unusedFor = unusedForMs): Promise<void> {
  const client = await store.pool.connect();
  let broken: Error | undefined;
  try {
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS got', [collectorLock]);
    if (rows[0]?.got !== true) return;
    await forgetRemovals(client);
    await markTrees(client);
    while ((await deleteTrees(client, unusedFor)) > 0);
    await deleteBlobs(client);
    await client.query('SELECT pg_advisory_unlock($1)', [collectorLock]);
  } catch (error) {
    // Closing the connection releases the lock.
    broken = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.release(broken);
  }
}

async function forgetRemovals(client: PoolClient): Promise<void> {
  await client.query(
    `DELETE FROM "KeptTree" WHERE ("projectId", "treeHash") IN (
       SELECT "projectId", "treeHash" FROM "KeptTree" WHERE "keptUntil" < now() FOR UPDATE SKIP LOCKED)`,
  );
}

async function markTrees(client: PoolClient): Promise<void> {
  const marked = (now: string, which: string) =>
    client.query(
      `UPDATE "Tree" SET "unusedSince" = ${now} WHERE hash IN (
         SELECT hash FROM "Tree" t WHERE ${which} FOR NO KEY UPDATE SKIP LOCKED)`,
    );
  await marked('NULL', `t."unusedSince" IS NOT NULL AND ${isNamed}`);
  await marked('now()', `t."unusedSince" IS NULL AND NOT ${isNamed}`);
}

/** Deletes unreferenced trees and returns their number. A tree that is locked or referenced again stays. */
async function deleteTrees(client: PoolClient, unusedFor: number): Promise<number> {
  return await inTransaction(client, async () => {
    const locked = await client.query<{ hash: string }>(
      `SELECT hash FROM "Tree" t
       WHERE "unusedSince" <= now() - make_interval(secs => $1::float8 / 1000) AND NOT ${isNamed}
       LIMIT ${batchSize} FOR UPDATE SKIP LOCKED`,
      [unusedFor],
    );
    if (locked.rows.length === 0) return 0;
    const hashes = locked.rows.map(({ hash }) => hash);
    const deleted = await client.query(`DELETE FROM "Tree" t WHERE hash = ANY($1) AND NOT ${isNamed}`, [hashes]);
    return deleted.rowCount ?? 0;
  });
}

async function deleteBlobs(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ hash: string }>(
    `WITH named AS MATERIALIZED (
       SELECT DISTINCT entry->>1 AS hash FROM "Tree" t, jsonb_array_elements(t.entries) entry
     )
     SELECT b.hash FROM "Blob" b WHERE NOT EXISTS (SELECT 1 FROM named n WHERE n.hash = b.hash)`,
  );
  for (let start = 0; start < rows.length; start += batchSize) {
    const hashes = rows.slice(start, start + batchSize).map(({ hash }) => hash);
    await inTransaction(client, () => deleteUnnamedBlobs(client, hashes));
  }
}

async function deleteUnnamedBlobs(client: PoolClient, hashes: readonly string[]): Promise<void> {
  const locked = await client.query<{ hash: string }>(
    'SELECT hash FROM "Blob" WHERE hash = ANY($1) FOR UPDATE SKIP LOCKED',
    [hashes],
  );
  await client.query(
    `DELETE FROM "Blob" b WHERE b.hash = ANY($1) AND b.hash NOT IN (
       SELECT entry->>1 FROM "Tree" t, jsonb_array_elements(t.entries) entry WHERE entry->>1 = ANY($1))`,
    [locked.rows.map(({ hash }) => hash)],
  );
}

async function inTransaction<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
