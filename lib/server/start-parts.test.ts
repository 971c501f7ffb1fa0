import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openStore } from '@/lib/store/database';
import { callCallboard, startCallboard } from '@/lib/testing/callboard';
import { emptyDatabase, ownDatabase } from '@/lib/testing/postgres';
import { newerSentence, readDatabaseVersion, refuseNewer, unopenedKeys } from './database-version';
import { prepareDatabase } from './prepare-database';
import { ensureSecretKey, knownSecretKeys } from './secret-key';
import { appVersion } from './settings/app-version';
import { readEnv } from './settings/env';
import { allParts, problemOfPart, readParts } from './start-parts';
import { writeWebFacts } from './web-facts';

const { url, store } = await ownDatabase();

let folder = '';
const started: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'callboard-parts-'));
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((child) => end(child)));
  rmSync(folder, { recursive: true, force: true });
});

const keyOf = (dataFolder: string) => ensureSecretKey({ dataFolder, secretKey: undefined, oldSecretKey: undefined }).id;
const settings = (more: Readonly<Record<string, string>> = {}) => readEnv({ CALLBOARD_DATA: folder, ...more });

test('--only names one part, and nothing else', () => {
  expect(readParts([])).toEqual(allParts);
  expect(readParts(['--only', 'web'])).toEqual(['web']);
  expect(readParts(['--only=worker'])).toEqual(['worker']);
  for (const wrong of [['--only'], ['--only', 'database'], ['--only', 'web', 'worker'], ['--onyl', 'web'], ['web']])
    expect(readParts(wrong)).toContain('Usage: callboard start [--only web|worker]');
});

test('one part needs a database that others reach, and workers need a key', () => {
  expect(problemOfPart(allParts, settings())).toBeUndefined();
  expect(problemOfPart(['web'], settings())).toContain('needs DATABASE_URL');
  expect(problemOfPart(['worker'], settings())).toContain('needs DATABASE_URL');
  expect(problemOfPart(['web'], settings({ DATABASE_URL: url }))).toBeUndefined();
  const worker = settings({ DATABASE_URL: url });
  expect(problemOfPart(['worker'], worker)).toContain('CALLBOARD_SECRET_KEY_FILE');
  keyOf(folder);
  expect(problemOfPart(['worker'], worker)).toBeUndefined();
});

test('a worker without a database or a key ends with a sentence, and makes no key', async () => {
  const env = { CALLBOARD_DATA: folder, DATABASE_URL: '', CALLBOARD_SECRET_KEY: '' };
  const alone = await callCallboard(['start', '--only', 'worker'], env);
  expect([alone.code, alone.stderr]).toEqual([1, expect.stringContaining('--only worker needs DATABASE_URL')]);
  const keyless = await callCallboard(['start', '--only', 'worker'], { ...env, DATABASE_URL: url });
  expect([keyless.code, keyless.stderr]).toEqual([1, expect.stringContaining('This machine has no secret key')]);
  expect(knownSecretKeys(settings())).toEqual([]);
});

test('a worker waits for the web process and its version, then executes runs, and knows of accounts', async () => {
  const key = keyOf(folder);
  // The key and the address of the database may be in files.
  const DATABASE_URL_FILE = path.join(folder, 'database-url');
  writeFileSync(DATABASE_URL_FILE, `${url}\n`, { mode: 0o600 });
  const other = mkdtempSync(path.join(folder, 'other-'));
  const files = { CALLBOARD_SECRET_KEY_FILE: path.join(folder, 'secret-key'), DATABASE_URL_FILE };
  const worker = startWorker({ DATABASE_URL: '', CALLBOARD_DATA: other, CALLBOARD_SECRET_KEY: '', ...files });
  await vi.waitFor(() => expect(worker.text()).toContain('Waiting for a web process of this version'), patience);
  await writeWebFacts(store, { version: '0.0.1', key, accounts: true });
  const skew = `The web process is Callboard 0.0.1, and this is ${appVersion()}. Waiting until both are the same version.`;
  await vi.waitFor(() => expect(worker.text()).toContain(skew), patience);
  const publicUrl = 'https://callboard.example.org';
  await writeWebFacts(store, { version: appVersion(), key, accounts: true, publicUrl });
  await vi.waitFor(() => expect(worker.text()).toContain(`Ready to execute runs of ${publicUrl}.`), patience);
  const { rows } = await store.pool.query(
    "SELECT application_name AS name FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'callboard-worker%'",
  );
  expect(rows).toEqual([{ name: `callboard-worker ${appVersion()}` }]);
  expect(await end(worker.child)).toBe(0);
});

test('a worker with another key says so and ends, and so does one whose file of the key is not there', async () => {
  await writeWebFacts(store, { version: appVersion(), key: keyOf(folder), accounts: false });
  const other = mkdtempSync(path.join(folder, 'other-'));
  keyOf(other);
  const env = { DATABASE_URL: url, CALLBOARD_DATA: other, CALLBOARD_SECRET_KEY: '' };
  const wrong = await startCallboard(['start', '--only', 'worker'], env);
  expect([wrong.code, wrong.stderr]).toEqual([
    1,
    expect.stringMatching(/The secret key of this machine .* is not that/),
  ]);

  const missing = { CALLBOARD_SECRET_KEY_FILE: path.join(folder, 'none') };
  const none = await callCallboard(['start', '--only', 'worker'], { ...env, ...missing });
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('CALLBOARD_SECRET_KEY_FILE cannot be read')]);
});

test('many that start at once on an empty database migrate it once', async () => {
  const fresh = await emptyDatabase(url);
  expect((await readDatabaseVersion(fresh)).missing.length).toBeGreaterThan(0);
  await Promise.all(Array.from({ length: 4 }, () => prepareDatabase(fresh)));
  expect(await readDatabaseVersion(fresh)).toEqual({ missing: [], unknown: [] });
  const opened = openStore(fresh, { maxConnections: 1 });
  const { rows } = await opened.pool.query(
    'SELECT migration_name FROM _prisma_migrations GROUP BY 1 HAVING count(*) > 1',
  );
  await opened.close();
  expect(rows).toEqual([]);
});

test('keys that sealed values need are named when they are not there', async () => {
  const known = knownSecretKeys({ dataFolder: folder, secretKey: undefined, oldSecretKey: undefined });
  expect(await unopenedKeys(url, known)).toEqual([]);
  await store.pool.query(
    `INSERT INTO "Secret" (id, name, "keyId", sealed, hosts, by, version) VALUES ('s', 'A_TOKEN', 'abcd', 'x', '{}', 'local', 's')`,
  );
  expect(await unopenedKeys(url, known)).toEqual(['abcd']);
});

// The last test with this database, because nothing starts on it any more.
test('a database of a newer Callboard is refused, by workers too', async () => {
  await store.pool.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '29991231000000_later', now())`,
  );
  const sentence = newerSentence({ unknown: ['29991231000000_later'] });
  await expect(refuseNewer(url)).rejects.toThrow(sentence);
  keyOf(folder);
  const refused = await startCallboard(['start', '--only', 'worker'], { DATABASE_URL: url, CALLBOARD_DATA: folder });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(sentence)]);
});

const patience = { timeout: 60_000, interval: 100 };

function startWorker(env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [path.resolve('bin/callboard.mjs'), 'start', '--only', 'worker'], {
    env: { ...process.env, CALLBOARD_DATA: folder, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  return { child, text: () => text };
}

/** Asks a process to end. Resolves to its exit code. */
async function end(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }
  return child.exitCode;
}
