import { readFile } from 'node:fs/promises';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { ownDatabase } from '@/lib/testing/postgres';
import { conditionsOf } from '@/lib/testing/run-conditions';
import { storedRun } from '@/lib/testing/stored-run';
import { findRunPage } from './run-pages';

const { url, store } = await ownDatabase();

test('an account that may not create the extension goes without the index on texts, and finds them all the same', async () => {
  const migration = await readFile('prisma/migrations/20261122194000_run_summaries/migration.sql', 'utf8');
  // Migration run_bin gave the table another name.
  const block = migration.slice(migration.indexOf('DO E')).replace('ON "Run"', 'ON "StoredRun"');
  const role = `limited_${process.pid}`;
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const notices: string[] = [];
    client.on('notice', (notice) => notices.push(notice.message ?? ''));
    await client.query('DROP EXTENSION pg_trgm CASCADE');
    await client.query(`CREATE ROLE ${role}`);
    await client.query(`SET ROLE ${role}`);
    await client.query(block);
    expect(notices.at(-1)).toMatch(/Callboard goes without pg_trgm: permission denied/);
    await client.query('RESET ROLE');
    const id = await storedRun(store, undefined, 'Find me here');
    const { groups } = await findRunPage(store, { scope: 'all', where: conditionsOf('text=ME HERE'), limit: 5 });
    expect(groups.map(({ runs }) => runs.map((run) => run.id))).toEqual([[id]]);
    // Whoever gets the right later runs the same block.
    await client.query(block);
    const { rowCount } = await client.query(`SELECT 1 FROM pg_indexes WHERE indexname = 'Run_summary_idx'`);
    expect(rowCount).toBe(1);
  } finally {
    await client.query('RESET ROLE');
    await client.query(`DROP ROLE IF EXISTS ${role}`);
    await client.end();
  }
});
