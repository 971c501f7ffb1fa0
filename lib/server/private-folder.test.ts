import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeDataFolderPrivate } from './private-folder';

let root = '';
let folder = '';
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'callboard-private-'));
  folder = path.join(root, 'data');
  for (const name of ['', 'work', 'logs']) {
    mkdirSync(path.join(folder, name));
    chmodSync(path.join(folder, name), 0o755);
  }
});
afterEach(() => rmSync(root, { recursive: true }));

const modes = () => ['', 'work', 'logs'].map((name) => statSync(path.join(folder, name)).mode & 0o7777);

test('the folder that an earlier version made is closed to others', () => {
  expect(makeDataFolderPrivate(folder, path.join(root, 'app'))).toBe(true);
  expect(modes()).toEqual([0o700, 0o700, 0o700]);
  expect(makeDataFolderPrivate(folder, path.join(root, 'app'))).toBe(true);
});

test('a shared temporary folder keeps its rights, what is ours in it does not', () => {
  chmodSync(folder, 0o1777);
  expect(makeDataFolderPrivate(folder, path.join(root, 'app'))).toBe(false);
  expect(modes()).toEqual([0o1777, 0o700, 0o700]);
});

test.each(['', 'app'])('a folder that the app is in (%j) keeps its rights', (inner) => {
  mkdirSync(path.join(folder, inner), { recursive: true });
  expect(makeDataFolderPrivate(folder, path.join(folder, inner))).toBe(false);
  expect(modes()).toEqual([0o755, 0o700, 0o700]);
});
