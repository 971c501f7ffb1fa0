import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isSecretKey } from '@/lib/store/key-text';
import { ensureSecretKey, oldSecretKeys, replaceSecretKey, secretKeyFile } from './secret-key';

let dataFolder = '';
beforeEach(() => {
  dataFolder = mkdtempSync(path.join(tmpdir(), 'callboard-key-'));
});
afterEach(() => rmSync(dataFolder, { recursive: true }));

const settings = (given: { secretKey?: string; oldSecretKey?: string } = {}) => ({
  dataFolder,
  secretKey: undefined,
  oldSecretKey: undefined,
  ...given,
});

test('the key is made once, and only its owner can read it', () => {
  const { id } = ensureSecretKey(settings());
  expect(ensureSecretKey(settings()).id).toBe(id);
  chmodSync(secretKeyFile(dataFolder), 0o644);
  expect(ensureSecretKey(settings()).id).toBe(id);
  expect(statSync(secretKeyFile(dataFolder)).mode & 0o777).toBe(0o600);
});

test('after a change the old key is there until somebody removes it', () => {
  const { id } = ensureSecretKey(settings());
  const old = replaceSecretKey(dataFolder);
  expect(ensureSecretKey(settings()).id).not.toBe(id);
  expect(oldSecretKeys(settings()).map((key) => key.id)).toEqual([id]);
  expect(() => replaceSecretKey(dataFolder)).toThrow(old);
});

test('a key of the environment counts before the file, in hex and base64; a short one is refused', () => {
  const bytes = Buffer.alloc(32, 3);
  const { id } = ensureSecretKey(settings({ secretKey: bytes.toString('hex') }));
  expect(ensureSecretKey(settings({ secretKey: bytes.toString('base64') })).id).toBe(id);
  expect(() => ensureSecretKey(settings({ secretKey: 'short' }))).toThrow('CALLBOARD_SECRET_KEY');
  expect([isSecretKey(bytes.toString('base64url')), isSecretKey('short'), isSecretKey('not a key!')]).toEqual([
    true,
    false,
    false,
  ]);
  writeFileSync(secretKeyFile(dataFolder), 'broken\n');
  expect(() => ensureSecretKey(settings())).toThrow(secretKeyFile(dataFolder));
});
