import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { accessTokenFile, ensureAccessToken, readAccessToken, replaceAccessToken } from './access-token';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'callboard-token-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (file: string) => statSync(file).mode & 0o777;

test('a token is made once, of letters and digits, and only its owner can read it', () => {
  expect(readAccessToken(folder)).toBeUndefined();
  const token = ensureAccessToken(folder);
  expect(token).toMatch(/^[0-9a-z]{50}$/);
  expect([ensureAccessToken(folder), readAccessToken(folder)]).toEqual([token, token]);
  expect(modeOf(accessTokenFile(folder))).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['access-token']);
});

test('two installations have different tokens, and a new one replaces the old', () => {
  const first = ensureAccessToken(folder);
  const second = replaceAccessToken(folder);
  expect(second).not.toBe(first);
  expect(readAccessToken(folder)).toBe(second);
  expect(readdirSync(folder)).toEqual(['access-token']);
});

test.each(['', '\n', 'short', 'two words that are no token at all', 'x'.repeat(5000)])(
  'a file that holds no token (%j) is written anew',
  (text) => {
    writeFileSync(accessTokenFile(folder), text);
    expect(readAccessToken(folder)).toBeUndefined();
    const token = ensureAccessToken(folder);
    expect(readFileSync(accessTokenFile(folder), 'utf8').trim()).toBe(token);
  },
);

test('a file that others may read is closed to them', () => {
  writeFileSync(accessTokenFile(folder), 'a-token-that-somebody-copied-here', { mode: 0o644 });
  expect(ensureAccessToken(folder)).toBe('a-token-that-somebody-copied-here');
  expect(modeOf(accessTokenFile(folder))).toBe(0o600);
});
