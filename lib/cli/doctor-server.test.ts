import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { ensureSecretKey } from '@/lib/server/secret-key';
import { appVersion } from '@/lib/server/settings/app-version';
import { readEnv } from '@/lib/server/settings/env';
import { writeWebFacts } from '@/lib/server/web-facts';
import { callCallboard } from '@/lib/testing/callboard';
import { emptyDatabase, ownDatabase } from '@/lib/testing/postgres';
import { startSmtpListener } from '@/lib/testing/smtp-listener';
import { checkAddress, checkPublicAddress } from './check-address';
import { checkBackupAge, checkClock, checkDatabase } from './check-database';
import { checkSecretFiles } from './check-machine';
import { checkMail } from './check-mail';

const { url, store } = await ownDatabase();

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'callboard-doctor-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const settings = () => ({ dataFolder: folder, secretKey: undefined, oldSecretKey: undefined, accounts: true });
const named = async (name: string, at = url) =>
  (await checkDatabase(at, settings())).find((finding) => finding.name === name);

test.each([
  ['alone', {}, 'ok', undefined],
  ['public without accounts', { CALLBOARD_PUBLIC_URL: 'https://a.example' }, 'warn', 'CALLBOARD_ACCOUNTS=1'],
  ['public and open', { CALLBOARD_PUBLIC_URL: 'https://a.example', CALLBOARD_OPEN: '1' }, 'fail', 'CALLBOARD_OPEN=1'],
  ['without TLS', { CALLBOARD_PUBLIC_URL: 'http://a.example', CALLBOARD_ACCOUNTS: '1' }, 'warn', 'TLS'],
  ['a team', { CALLBOARD_PUBLIC_URL: 'https://a.example', CALLBOARD_ACCOUNTS: '1' }, 'ok', undefined],
  [
    'no proxy',
    { CALLBOARD_PUBLIC_URL: 'https://a.example', CALLBOARD_ACCOUNTS: '1', CALLBOARD_TRUSTED_PROXIES: ',' },
    'fail',
    'CALLBOARD_TRUSTED_PROXIES',
  ],
] as const)('address, accounts and proxies: %s', (_, variables, state, next) => {
  const finding = checkAddress(readEnv(variables));
  expect(finding.state).toBe(state);
  if (next === undefined) expect(finding.next).toBeUndefined();
  else expect(finding.next).toContain(next);
});

test('the public address is asked: a proxy that is not named, another program, nobody', async () => {
  const health = '{"status":"ok","web":"ok"}';
  expect(await checkPublicAddress(await serving((_, answer) => answer.end(health)))).toMatchObject({ state: 'ok' });
  const message = 'This request came without TLS from 10.0.0.5.';
  const refusing = await serving((_, answer) => answer.writeHead(403).end(JSON.stringify({ error: { message } })));
  expect(await checkPublicAddress(refusing)).toMatchObject({
    state: 'fail',
    detail: `refuses: ${message}`,
    next: expect.stringContaining('CALLBOARD_TRUSTED_PROXIES'),
  });
  const other = await serving((_, answer) => answer.end('It works!'));
  expect(await checkPublicAddress(other)).toMatchObject({
    state: 'fail',
    detail: expect.stringContaining('no Callboard'),
  });
  expect(await checkPublicAddress('http://127.0.0.1:1')).toMatchObject({ state: 'warn' });
});

test('tables of another version, and a database that does not answer', async () => {
  expect(await named('Tables')).toMatchObject({ state: 'ok' });
  const fresh = await emptyDatabase(url);
  expect(await named('Tables', fresh)).toMatchObject({
    state: 'warn',
    detail: expect.stringMatching(/^\d+ migrations/),
  });
  const client = new Client({ connectionString: fresh });
  await client.connect();
  await client.query('CREATE TABLE _prisma_migrations (migration_name text, rolled_back_at timestamptz)');
  await client.query("INSERT INTO _prisma_migrations VALUES ('29991231000000_later', NULL)");
  await client.end();
  expect(await named('Tables', fresh)).toMatchObject({
    state: 'fail',
    next: expect.stringContaining('29991231000000_later'),
  });
  const away = await checkDatabase('postgresql://me:top-secret@127.0.0.1:1/none', settings());
  expect(away).toMatchObject([{ name: 'Database', state: 'fail' }]);
  expect(JSON.stringify(away)).not.toContain('top-secret');
});

test('a key that does not open the secrets', async () => {
  const { id } = ensureSecretKey(settings());
  const put = async (key: string) =>
    await store.pool.query(
      `INSERT INTO "Secret" (id, name, "keyId", sealed, hosts, by, version) VALUES ('s', 'A_TOKEN', $1, 'x', '{}', 'local', 's')
       ON CONFLICT (id) DO UPDATE SET "keyId" = $1`,
      [key],
    );
  await put(id);
  expect(await named('Secret key')).toMatchObject({ state: 'ok', detail: 'opens all secrets' });
  await put('abcd');
  expect(await named('Secret key')).toMatchObject({ state: 'fail', detail: 'secrets are sealed to abcd' });
});

test('workers of another version than the web process', async () => {
  expect(await named('Versions')).toMatchObject({ state: 'ok' });
  await writeWebFacts(store, { version: appVersion(), key: 'k', accounts: true });
  const worker = new Client({ connectionString: url, application_name: `callboard-worker ${appVersion()}` });
  await worker.connect();
  expect(await named('Versions')).toMatchObject({ state: 'ok', detail: `web and 1 workers: ${appVersion()}` });
  await worker.query("SET application_name = 'callboard-worker 0.0.1'");
  expect(await named('Versions')).toMatchObject({ state: 'fail', detail: `web ${appVersion()}, workers 0.0.1` });
  await worker.end();
});

test('a clock that is wrong, and a backup that is old', async () => {
  expect([0, -1_000, 5_000, -90_000].map((skew) => checkClock(skew).state)).toEqual(['ok', 'ok', 'warn', 'fail']);
  expect(await named('Clock')).toMatchObject({ state: 'ok' });
  expect(await named('Backup')).toMatchObject({ state: 'warn', detail: 'none by callboard backup' });
  expect(checkBackupAge(undefined, false)).toMatchObject({ state: 'ok' });
  const dayMs = 86_400_000;
  expect([1, 6, 8].map((days) => checkBackupAge(days * dayMs, true).state)).toEqual(['ok', 'ok', 'warn']);
});

test('a mail server that greets, one that is none, and nobody', async () => {
  const server = await startSmtpListener();
  onTestFinished(() => server.close());
  const at = (port: number) => ({ host: '127.0.0.1', port, secure: false });
  expect(await checkMail(at(server.port))).toMatchObject({ state: 'ok' });
  expect(await checkMail(at(1))).toMatchObject({ state: 'fail', next: expect.stringContaining('CALLBOARD_SMTP_URL') });
  expect(await checkMail({ ...at(server.port), secure: true })).toMatchObject({ state: 'fail' });
});

test.skipIf(process.platform === 'win32')('a file of a secret that everybody may read', () => {
  const file = path.join(folder, 'key');
  writeFileSync(file, 'x', { mode: 0o640 });
  expect(checkSecretFiles({ CALLBOARD_SECRET_KEY_FILE: file })).toEqual([]);
  chmodSync(file, 0o644);
  expect(checkSecretFiles({ CALLBOARD_SECRET_KEY_FILE: file })).toMatchObject([{ state: 'warn' }]);
  expect(checkSecretFiles({ CALLBOARD_SECRET_KEY_FILE: path.join(folder, 'none') })).toEqual([]);
});

test('one failure is exit code 1, with the next step', async () => {
  await store.pool.query(`UPDATE "Secret" SET "keyId" = 'abcd'`);
  const env = { CALLBOARD_DATA: folder, DATABASE_URL: url, PORT: '21986' };
  const { code, stdout } = await callCallboard(['doctor'], env);
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/FAIL {2}Secret key: .*\n {6}→ Secrets are sealed to another key/),
  ]);
  await store.pool.query('DELETE FROM "Secret"');
  expect((await callCallboard(['doctor'], env)).code).toBe(0);
});

/** Serves one answer at a loopback address until the test has ended. */
async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  // A server that listens on TCP has an address of this kind.
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}
