import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lockDataFolder, lockHolder, unlockDataFolder } from './start-lock';

function scratch(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'callboard-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('makes the folder with its parents, and takes it until it is given back', () => {
  const folder = path.join(scratch(), 'a', 'b');
  expect(lockDataFolder(folder)).toBeUndefined();
  expect(lockHolder(folder)).toBe(process.pid);
  unlockDataFolder(folder);
  expect(lockHolder(folder)).toBeUndefined();
});

test.runIf(process.platform === 'linux')('says that a folder cannot be made where there are no files', () => {
  expect(() => lockDataFolder('/proc/callboard')).toThrow('/proc/callboard');
  expect(() => lockDataFolder('/proc/callboard/data')).toThrow('/proc/callboard');
});

test('says that a file is in the way', () => {
  const file = path.join(scratch(), 'file');
  writeFileSync(file, '');
  expect(() => lockDataFolder(file)).toThrow(file);
  expect(() => lockDataFolder(path.join(file, 'below'))).toThrow(file);
});
