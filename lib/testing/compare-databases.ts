import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { nameOf, quoted, tablesOf } from '@/lib/store/backup/write-backup';

/** Runs work on a connection of its own. */
export async function onDatabase<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Returns the number of rows of each table and a hash over all their values, so that two databases can be compared. */
export async function contentOf(url: string): Promise<Readonly<Record<string, string>>> {
  return await onDatabase(url, async (client) => {
    const found: Record<string, string> = {};
    for (const table of await tablesOf(client)) {
      const { rows } = await client.query<{ row: string }>(
        `SELECT (${table.columns.map((column) => `COALESCE(${quoted(column)}::text, '-')`).join(" || '|' || ")}) AS row
         FROM ${nameOf(table)} ORDER BY 1`,
      );
      const hash = createHash('sha256');
      for (const { row } of rows) hash.update(`${row}\n`);
      found[`${table.schema}.${table.table}`] = `${rows.length} ${hash.digest('hex').slice(0, 16)}`;
    }
    return found;
  });
}
