import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { BackupError } from '@/lib/store/backup/backup-format';
import { openingKey } from '@/lib/store/sealing';
import { contentOf } from '@/lib/testing/compare-databases';
import { fillForBackup } from '@/lib/testing/fill-for-backup';
import { holdsSecret } from '@/lib/testing/find-secret';
import { localActor } from '@/lib/testing/local-actor';
import { emptyDatabase, ownDatabase } from '@/lib/testing/postgres';
import { makeBackup } from './make-backup';
import { checkBackupFile, restoreFile } from './restore-file';

/* What each change needs. More is in backup.full.test.ts. */

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

const unpackedText = () => gunzipSync(readFileSync(file)).toString('latin1');

test('a backup restores into an empty database, and every value is as it was', async () => {
  const before = await contentOf(url);
  const target = await emptyDatabase(url);
  const restored = await restoreFile(target, file, restoring);
  expect(restored).toMatchObject({ header: { callboard: '0.1.0', secretKeys: [key.id] }, secretKeys: [key.id] });
  const { 'public.Audit': audit, ...after } = await contentOf(target);
  const { 'public.Audit': auditBefore, ...expected } = before;
  expect(after).toEqual(expected);
  expect(Number(audit?.split(' ')[0])).toBe(Number(auditBefore?.split(' ')[0]) + 1);
});

it('secrets are sealed in a backup, and the key is not in it', () => {
  const text = unpackedText();
  expect(text).toContain(key.id);
  expect(text).toContain('TOKEN');
  expect(holdsSecret(text, canary)).toBe(false);
  for (const secret of [key.linkKey, key.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')]) {
    expect(text).not.toContain(secret);
  }
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0);
});

const damages: readonly (readonly [string, (bytes: Buffer) => Buffer, RegExp])[] = [
  ['cut in the middle', (bytes) => bytes.subarray(0, bytes.length / 2), /damaged or incomplete/],
  ['cut before its last line', (bytes) => gzipSync(beforeLastLine(gunzipSync(bytes))), /damaged or incomplete/],
  ['with a changed byte', (bytes) => gzipSync(changed(gunzipSync(bytes))), /damaged or incomplete/],
  ['with more behind it', (bytes) => gzipSync(Buffer.concat([gunzipSync(bytes), Buffer.from('x')])), /damaged/],
  ['not packed', (bytes) => gunzipSync(bytes), /is no backup of Callboard/],
  ['another file', () => gzipSync('PGDMP and so on\n'), /is no backup of Callboard/],
  ['an empty file', () => Buffer.alloc(0), /damaged or incomplete|no backup/],
  ['of a newer format', (bytes) => replaced(bytes, 'BACKUP 1', 'BACKUP 2'), /has format 2, and this Callboard reads 1/],
];

test.each(damages)('a backup %s is refused before anything changes', async (_what, damage, message) => {
  const broken = path.join(folder, `broken-${randomBytes(4).toString('hex')}`);
  writeFileSync(broken, damage(readFileSync(file)));
  const failed = await checkBackupFile(broken).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(BackupError);
  expect(String(failed)).toMatch(message);
});

function beforeLastLine(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.lastIndexOf(10, -2) + 1);
}

function changed(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const at = copy.indexOf('TOKEN');
  copy[at] = 'B'.charCodeAt(0);
  return copy;
}

function replaced(bytes: Buffer, from: string, to: string): Buffer {
  return gzipSync(Buffer.from(gunzipSync(bytes).toString('latin1').replace(from, to), 'latin1'));
}
