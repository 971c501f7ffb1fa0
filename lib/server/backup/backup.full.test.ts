import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { checkAuditLines } from '@/lib/cli/check-audit-lines';
import { prepareQueueSchema, queueVersion } from '@/lib/jobs/queue-schema';
import { appendAudit, readAuditAfter } from '@/lib/store/audit';
import { BackupError } from '@/lib/store/backup/backup-format';
import { restoreBackup } from '@/lib/store/backup/restore-backup';
import { backUpDatabase } from '@/lib/store/backup/write-backup';
import { openStore, type Store } from '@/lib/store/database';
import { migrate, pendingMigrations } from '@/lib/store/migrate';
import { openingKey } from '@/lib/store/sealing';
import { putSecret } from '@/lib/store/secrets';
import { contentOf, onDatabase } from '@/lib/testing/compare-databases';
import { fillForBackup } from '@/lib/testing/fill-for-backup';
import { localActor } from '@/lib/testing/local-actor';
import { fillWithRuns } from '@/lib/testing/many-runs';
import { emptyDatabase, ownDatabase } from '@/lib/testing/postgres';
import { makeBackup } from './make-backup';
import { checkBackupFile, restoreFile } from './restore-file';

const { url, store } = await ownDatabase();
const folder = mkdtempSync(path.join(tmpdir(), 'callboard-backup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const key = openingKey(randomBytes(32));
const canary = 'cnry-7f2d90aa41c6e85b-sealed-only';
const options = { now: new Date('2026-11-23T12:00:00Z'), by: localActor };
const file = path.join(folder, 'first.backup');
const restoring = { replace: false, by: localActor };

beforeAll(async () => {
  await fillForBackup(store, key, canary);
  await makeBackup(url, file, options);
});

it('the chain of the audit log holds after a restore, goes on, and cannot be changed', async () => {
  const target = await emptyDatabase(url);
  await restoreFile(target, file, restoring);
  const copy = openStore(target);
  try {
    const entries = await readAuditAfter(copy, 0, 1_000);
    expect(entries.map(({ action }) => action).slice(-2)).toEqual(['backup.made', 'backup.restored']);
    await appendAudit(copy.pool, { actor: localActor, action: 'project.renamed', object: 'x' });
    await expect(copy.pool.query(`UPDATE "Audit" SET actor = 'me'`)).rejects.toThrow('cannot be changed');
    const lines = (await readAuditAfter(copy, 0, 1_000)).map((entry) => JSON.stringify(entry));
    const checked = await checkAuditLines(asLines(lines));
    expect([checked.fault, checked.head.count]).toEqual([undefined, entries.length + 1]);
  } finally {
    await copy.close();
  }
});

async function* asLines(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

test('browsers that are signed in are not in it', async () => {
  await store.pool.query(`INSERT INTO auth_user (id, name, email) VALUES ('u1', 'Ana', 'ana@example.org')`);
  await store.pool.query(
    `INSERT INTO auth_session (id, token, "userId", "expiresAt") VALUES ('s1', 'tkn-of-a-session', 'u1', now() + interval '1 day')`,
  );
  const made = path.join(folder, 'people.backup');
  await makeBackup(url, made, options);
  const text = gunzipSync(readFileSync(made)).toString('latin1');
  expect(text).toContain('ana@example.org');
  expect(text).not.toContain('tkn-of-a-session');
  await store.pool.query(`DELETE FROM auth_user`);
});

test('a backup is of one moment, whatever is written meanwhile', async () => {
  let isOver = false;
  let written = 0;
  const writing = (async () => {
    while (!isOver) {
      await putSecret(
        store,
        { id: `at-${written}`, project: null, name: `AT_${written}`, keyId: key.id, sealed: 'x', hosts: [] },
        localActor,
      );
      written += 1;
    }
  })();
  await expect.poll(() => written).toBeGreaterThan(5);
  const made = path.join(folder, 'moving.backup');
  await makeBackup(url, made, options);
  isOver = true;
  await writing;
  const target = await emptyDatabase(url);
  await restoreFile(target, made, restoring);
  const { rows } = await onDatabase(target, (client) =>
    client.query(`SELECT (SELECT count(*) FROM "Secret" WHERE id LIKE 'at-%')::int AS secrets,
      (SELECT count(*) FROM "Audit" WHERE action = 'secret.set' AND object LIKE 'AT_%')::int AS entries`),
  );
  expect(rows[0].secrets).toBeGreaterThan(5);
  expect(rows[0].entries).toBe(rows[0].secrets);
});

test('a database that is not empty is refused, and replaced with replace', async () => {
  const target = await emptyDatabase(url);
  await restoreFile(target, file, restoring);
  await onDatabase(target, (client) => client.query(`UPDATE "Project" SET name = 'Later'`));
  const before = await contentOf(target);
  await expect(restoreFile(target, file, restoring)).rejects.toThrow('The database is not empty.');
  expect(await contentOf(target)).toEqual(before);
  await restoreFile(target, file, { ...restoring, replace: true });
  const { rows } = await onDatabase(target, (client) => client.query<{ name: string }>('SELECT name FROM "Project"'));
  expect(rows.map(({ name }) => name)).not.toContain('Later');
});

test('a database that something uses, or with tables of others, is refused', async () => {
  const target = await emptyDatabase(url);
  await onDatabase(target, async (client) => {
    await client.query(`SET application_name = 'callboard-worker'`);
    await expect(restoreFile(target, file, restoring)).rejects.toThrow(
      'Something uses this database (callboard-worker). Stop every Callboard that uses it',
    );
    await client.query('CREATE TABLE invoices (id int)');
  });
  await expect
    .poll(() => restoreFile(target, file, restoring).catch(String))
    .toContain(`a table 'invoices' that is not`);
  expect(await contentOf(target)).toEqual({ 'public.invoices': expect.stringMatching(/^0 /) });
});

test('a backup of a newer version is refused', async () => {
  const newer = path.join(folder, 'newer');
  writeFileSync(newer, replaced(readFileSync(file), '"migrations":[', '"migrations":["29991231000000_future",'));
  await expect(checkBackupFile(newer)).rejects.toThrow(/damaged/);
  const bytes = await collect(
    backUpWith(
      store,
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
    VALUES ('f', 'f', '29991231000000_future', now())`,
    ),
  );
  writeFileSync(newer, gzipSync(bytes));
  await expect(checkBackupFile(newer)).rejects.toThrow(
    'of a newer Callboard (9.0.0): it has the change 29991231000000_future',
  );
});

function replaced(bytes: Buffer, from: string, to: string): Buffer {
  return gzipSync(Buffer.from(gunzipSync(bytes).toString('latin1').replace(from, to), 'latin1'));
}

async function* backUpWith(source: Store, statement: string): AsyncGenerator<Buffer> {
  await source.pool.query(statement);
  yield* await onDatabase(url, async (client) => [await collect(backUpDatabase(client, about))]);
  await source.pool.query(`DELETE FROM _prisma_migrations WHERE id = 'f'`);
}

const about = { callboard: '9.0.0', createdAt: '2026-11-23T12:00:00Z' };

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const found: Buffer[] = [];
  for await (const chunk of chunks) found.push(chunk);
  return Buffer.concat(found);
}

test('an older backup is brought up to this version', async () => {
  const older = path.join(folder, 'prisma');
  cpSync('prisma', older, { recursive: true });
  const names = readdirSync(path.join(older, 'migrations'))
    .filter((name) => /^\d/.test(name))
    .sort();
  const since = names.findIndex((name) => name.endsWith('_audit')) + 1;
  for (const name of names.slice(since)) rmSync(path.join(older, 'migrations', name), { recursive: true });
  const source = await emptyDatabase(url);
  await migrate(source, older);
  await prepareQueueSchema(source);
  const bytes = await onDatabase(source, async (client) => {
    await client.query(`INSERT INTO "Audit" (actor, via, action, object, body) VALUES ('a', 'b', 'c', 'd', '{}')`);
    return await collect(backUpDatabase(client, about));
  });
  const old = path.join(folder, 'old.backup');
  writeFileSync(old, gzipSync(bytes));
  const target = await emptyDatabase(url);
  expect((await restoreFile(target, old, restoring)).header.migrations).toHaveLength(since);
  await onDatabase(target, async (client) => {
    expect(await pendingMigrations(client, 'prisma')).toEqual([]);
    const { rows } = await client.query<{ action: string }>('SELECT action FROM "Audit" ORDER BY seq');
    expect(rows.map(({ action }) => action)).toEqual(['c', 'backup.restored']);
  });
});

test('a restore that ends in the middle leaves nothing', async () => {
  await fillWithRuns(store, { runs: 200, projects: 3 });
  const bytes = await onDatabase(url, (client) => collect(backUpDatabase(client, about)));
  const target = await emptyDatabase(url);
  await prepareQueueSchema(target);
  const empty = await contentOf(target);
  const where = { migrationsFolder: 'prisma/migrations', queue: queueVersion() };
  await onDatabase(target, async (client) => {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    async function* cut(): AsyncGenerator<Buffer> {
      yield bytes.subarray(0, bytes.length - 2_000);
      await store.pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
      yield bytes.subarray(bytes.length - 2_000);
    }
    await expect(restoreBackup(client, cut(), where)).rejects.toThrow();
  });
  expect(await contentOf(target)).toEqual(empty);
  await onDatabase(target, async (client) => {
    async function* short(): AsyncGenerator<Buffer> {
      yield bytes.subarray(0, bytes.indexOf('number-150.'));
    }
    await expect(restoreBackup(client, short(), where)).rejects.toThrow(BackupError);
    // The connection can be used again: the server does not wait for rows.
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });
  expect(await contentOf(target)).toEqual(empty);
});

test('a backup that ends in the middle leaves no file', async () => {
  const place = mkdtempSync(path.join(folder, 'cut-'));
  await onDatabase(url, async (client) => {
    await client.query('BEGIN; LOCK TABLE "Run" IN ACCESS EXCLUSIVE MODE');
    const failed = makeBackup(url, path.join(place, 'x.backup'), options).catch((error: unknown) => error);
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'callboard-backup' AND wait_event_type = 'Lock' AND datname = current_database()`;
    await expect.poll(async () => (await store.pool.query(end)).rowCount).toBe(1);
    expect(await failed).toBeInstanceOf(Error);
  });
  expect(readdirSync(place)).toEqual([]);
});
