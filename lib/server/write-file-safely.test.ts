import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bundleForNode } from '@/lib/testing/bundle-for-node';
import { writeFileSafely } from './write-file-safely';

function scratch(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'callboard-write-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('writes for its owner only, and leaves no draft', () => {
  const file = path.join(scratch(), 'settings.json');
  expect(writeFileSafely(file, '{"a":1}')).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe('{"a":1}');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(writeFileSafely(file, '{"a":2}')).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe('{"a":2}');
  expect(readdirSync(path.dirname(file))).toEqual(['settings.json']);
});

test('touches nothing when the content and the permissions are the same', () => {
  const file = path.join(scratch(), 'settings.json');
  writeFileSafely(file, 'same');
  const { ino } = statSync(file);
  expect(writeFileSafely(file, 'same')).toBe(false);
  expect(statSync(file).ino).toBe(ino);
  chmodSync(file, 0o644);
  expect(writeFileSafely(file, 'same')).toBe(true);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('keeps the old content when the new one cannot be put in place', () => {
  const folder = scratch();
  const file = path.join(folder, 'in-the-way');
  mkdirSync(path.join(file, 'below'), { recursive: true });
  expect(() => writeFileSafely(file, 'new')).toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
  expect(readdirSync(folder)).toEqual(['in-the-way']);
});

test('removes drafts of writers that were killed long ago, and no others', () => {
  const folder = scratch();
  const file = path.join(folder, 'a.json');
  for (const name of ['a.json.1-aa.draft', 'a.json.2-bb.draft', 'b.json.3-cc.draft']) {
    writeFileSync(path.join(folder, name), 'half');
  }
  const hourAgo = Date.now() / 1_000 - 3_600;
  for (const name of ['a.json.1-aa.draft', 'b.json.3-cc.draft']) utimesSync(path.join(folder, name), hourAgo, hourAgo);
  writeFileSafely(file, 'whole');
  expect(readdirSync(folder).sort()).toEqual(['a.json', 'a.json.2-bb.draft', 'b.json.3-cc.draft']);
});

test('a full disk leaves the old content whole', async () => {
  const folder = scratch();
  const file = path.join(folder, 'settings.json');
  writeFileSafely(file, 'old');
  const script = await bundleForNode(
    `import { writeFileSafely } from './lib/server/write-file-safely';
     // The limit of the process answers EFBIG where a full disk answers ENOSPC; both come in the middle of the file.
     process.on('SIGXFSZ', () => undefined);
     try { writeFileSafely(process.argv[2], 'x'.repeat(1_000_000)); console.log('written'); }
     catch (error) { console.log(error.code); }`,
    folder,
  );
  // In blocks of 512 bytes or of 1024, by shell: less than the text in both.
  const { stdout } = spawnSync('sh', ['-c', 'ulimit -f 200; exec "$@"', 'sh', process.execPath, script, file], {
    encoding: 'utf8',
  });
  expect(stdout.trim()).toBe('EFBIG');
  expect(readFileSync(file, 'utf8')).toBe('old');
  expect(readdirSync(folder).filter((name) => name.endsWith('.draft'))).toEqual([]);
});
