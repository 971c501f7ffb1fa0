import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { ensureSecretKey } from '@/lib/server/secret-key';
import { lockDataFolder, unlockDataFolder } from '@/lib/server/start-lock';
import { insertProject } from '@/lib/store/projects';
import { seal } from '@/lib/store/sealing';
import { labelOf, putSecret } from '@/lib/store/secrets';
import { callCallboard, startCallboard } from '@/lib/testing/callboard';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';

const { url, store } = await testDatabase();
const folder = mkdtempSync(path.join(tmpdir(), 'callboard-cli-backup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const first = path.join(folder, 'first');
const file = path.join(folder, 'whole.backup');
const atServer = { DATABASE_URL: url, CALLBOARD_DATA: first };

test('a backup goes to a file or to stdout, and never over a file that is there', async () => {
  const key = ensureSecretKey({ dataFolder: first, secretKey: undefined, oldSecretKey: undefined });
  await insertProject(store, 'One', folderOf({ 'a.md': 'a' }), { origin: 'api' });
  const sealed = seal('x', labelOf(null, 'TOKEN'), key);
  await putSecret(store, { id: 's', project: null, name: 'TOKEN', keyId: key.id, sealed, hosts: [] }, localActor);

  const made = await callCallboard(['backup', file], atServer);
  expect(made).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining(`The backup is in ${file}`) });
  expect(await callCallboard(['backup', file], atServer)).toMatchObject({
    code: 2,
    stderr: `${file} exists. Name another file.\n`,
  });
  const piped = await startCallboard(['backup', '-'], atServer);
  expect([piped.code, piped.stdout.charCodeAt(0), piped.stderr]).toEqual([
    0,
    0x1f,
    expect.stringContaining('in stdout'),
  ]);
});

test('wrong arguments and a database that is not there are said', async () => {
  expect((await callCallboard(['backup'], atServer)).stderr).toContain('Usage: callboard backup FILE');
  expect((await callCallboard(['backup', '--with-key'], atServer)).code).toBe(2);
  expect((await callCallboard(['restore'], atServer)).stderr).toContain('Usage: callboard restore FILE');
  const nowhere = { DATABASE_URL: '', CALLBOARD_DATA: path.join(folder, 'nowhere') };
  expect(await callCallboard(['backup', `${file}.2`], nowhere)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('nowhere has no database.'),
  });
  const gone = { ...atServer, DATABASE_URL: 'postgresql://u:hush@127.0.0.1:1/x' };
  const failed = await callCallboard(['backup', `${file}.2`], gone);
  expect([failed.code, failed.stderr.includes('hush')]).toEqual([2, false]);
  expect(readdirSync(folder).filter((name) => name.startsWith('whole.backup.'))).toEqual([]);
});

test('a restore while Callboard runs on the data folder is refused', async () => {
  expect(lockDataFolder(first)).toBeUndefined();
  const refused = await callCallboard(['restore', file, '--replace'], atServer);
  unlockDataFolder(first);
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`Callboard runs on ${first}. Stop it first.`),
  });
});

test('a restore into the embedded database of another machine says whether the secret key fits', async () => {
  const second = path.join(folder, 'second');
  const embedded = { DATABASE_URL: '', CALLBOARD_DATA: second };
  const damaged = path.join(folder, 'damaged');
  writeFileSync(damaged, readFileSync(file).subarray(0, 500));
  expect(await callCallboard(['restore', damaged], embedded)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^Nothing was restored: .*damaged/),
  });

  const without = await callCallboard(['restore', file], embedded);
  expect(without.stderr).toContain('A backup of Callboard 0.1.0');
  expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining('The secret key does not fit') });
  expect(without.stderr).toContain('npx callboard doctor');
  expect((await callCallboard(['restore', file], embedded)).stderr).toContain('The database is not empty.');

  writeFileSync(path.join(second, 'secret-key'), readFileSync(path.join(first, 'secret-key')), { mode: 0o600 });
  const fits = await callCallboard(['restore', file, '--replace'], embedded);
  expect(fits).toMatchObject({ code: 0, stderr: expect.stringContaining('The secret key fits') });

  const again = path.join(folder, 'again.backup');
  expect((await callCallboard(['backup', again], embedded)).code).toBe(0);
  expect((await callCallboard(['restore', again, '--replace'], embedded)).code).toBe(0);
});
