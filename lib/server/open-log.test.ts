import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { smallDisk } from '@/lib/testing/small-disk';
import { openLog } from './open-log';

function scratch(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'callboard-open-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function append(file: string, text: string): void {
  const log = openLog(file);
  writeSync(log, text);
  closeSync(log);
}

test('appends, and keeps one earlier file when the log has grown large', () => {
  const file = path.join(scratch(), 'logs', 'web.log');
  append(file, 'one\n');
  append(file, 'two\n');
  expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n');
  for (const round of ['three\n', 'four\n']) {
    truncateSync(file, 21 * 1024 * 1024);
    append(file, round);
  }
  expect(readdirSync(path.dirname(file)).sort()).toEqual(['web.log', 'web.log.1']);
  expect(readFileSync(file, 'utf8')).toBe('four\n');
  expect(statSync(file).mode & 0o077).toBe(0);
});

test('a log that cannot be opened or moved keeps nothing from starting', () => {
  const file = path.join(scratch(), 'web.log');
  mkdirSync(file);
  append(file, 'lost\n');
  expect(statSync(file).isDirectory()).toBe(true);
});

test('a full disk keeps nothing from starting either', (context) => {
  const disk = smallDisk(context, 64);
  disk.fill();
  append(path.join(disk.folder, 'logs', 'web.log'), '');
  const file = path.join(disk.folder, 'web.log');
  closeSync(openLog(file));
  disk.free();
  append(file, 'again\n');
  expect(readFileSync(file, 'utf8')).toBe('again\n');
});
