import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'callboard-cli-token-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function callboard(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/callboard.mjs', ...args], {
    encoding: 'utf8',
    env: { ...process.env, CALLBOARD_OPEN: '', CALLBOARD_DATA: folder, ...env },
  });
  return { status, stdout, stderr };
}

test('prints the token and nothing else, also beside a database of ones own', () => {
  const first = callboard(['token']);
  expect(first).toEqual({ status: 0, stdout: expect.stringMatching(/^[0-9a-z]{50}\n$/), stderr: '' });
  expect(callboard(['token'], { DATABASE_URL: 'postgresql://x@127.0.0.1/x' })).toEqual(first);
  expect(readFileSync(path.join(folder, 'access-token'), 'utf8')).toBe(first.stdout);
});

test('--new makes another one', () => {
  const { stdout } = callboard(['token']);
  const replaced = callboard(['token', '--new']);
  expect(replaced.stdout).toMatch(/^[0-9a-z]{50}\n$/);
  expect(replaced.stdout).not.toBe(stdout);
});

test('where nothing has been started there is no token, and the message says which folder was looked at', () => {
  const missing = path.join(folder, 'none');
  const answer = callboard(['token'], { CALLBOARD_DATA: missing });
  expect(answer).toEqual({
    status: 2,
    stdout: '',
    stderr: expect.stringContaining(`There is no data folder ${missing}`),
  });
  expect(callboard(['token', '--old']).status).toBe(2);
});

test('says on stderr when nobody is asked for it', () => {
  const answer = callboard(['token'], { CALLBOARD_OPEN: '1' });
  expect(answer).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^\w{50}\n$/),
    stderr: expect.stringContaining('CALLBOARD_OPEN'),
  });
});

test('a reader that leaves early is no fault', () => {
  const command = `"${process.execPath}" bin/callboard.mjs token | true`;
  const { stderr } = spawnSync('sh', ['-c', command], {
    encoding: 'utf8',
    env: { ...process.env, CALLBOARD_OPEN: '', CALLBOARD_DATA: folder },
  });
  expect(stderr).toBe('');
});
