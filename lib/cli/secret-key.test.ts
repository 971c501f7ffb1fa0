import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ensureSecretKey, secretKeyFile } from '@/lib/server/secret-key';
import { findAudit } from '@/lib/store/audit';
import { callCallboard } from '@/lib/testing/callboard';
import { testDatabase } from '@/lib/testing/postgres';

const { url, store } = await testDatabase();
const folder = mkdtempSync(path.join(tmpdir(), 'callboard-cli-key-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const keyId = () => ensureSecretKey({ dataFolder: folder, secretKey: undefined, oldSecretKey: undefined }).id;
const replaceKey = async (databaseUrl = url) =>
  await callCallboard(['secret-key', '--new'], { DATABASE_URL: databaseUrl, CALLBOARD_DATA: folder });

test('a new key is made only with an entry in the audit log', async () => {
  const first = keyId();
  const refused = await replaceKey('postgresql://callboard:x@127.0.0.1:1/none');
  expect([refused.code, refused.stdout]).toEqual([2, '']);
  expect([keyId(), existsSync(`${secretKeyFile(folder)}.old`)]).toEqual([first, false]);

  expect(await replaceKey()).toMatchObject({ code: 0, stdout: expect.stringContaining('Start Callboard again') });
  expect(keyId()).not.toBe(first);
  const entries = async () => await findAudit(store, { actions: ['secret_key.replaced'], limit: 5 }, undefined);
  const entry = { actor: 'local', via: 'cli', object: first, project: null };
  expect(await entries()).toMatchObject([entry]);

  // The key of before is still needed: nothing changes, and nothing is recorded.
  expect(await replaceKey()).toMatchObject({ code: 2, stderr: expect.stringContaining('secret-key.old') });
  expect(await entries()).toMatchObject([entry]);
});
