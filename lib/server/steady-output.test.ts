import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bundleForNode } from '@/lib/testing/bundle-for-node';
import { smallDisk } from '@/lib/testing/small-disk';
import { steadyLines, type WriteSome } from './steady-output';

const failure = (code: string) => Object.assign(new Error(code), { code });

/** A file that takes `room` bytes, then says that the disk is full. */
function fullingDisk(room: number) {
  const disk = { room, text: '' };
  const write: WriteSome = (_descriptor, bytes, offset) => {
    const rest = bytes.subarray(offset);
    if (disk.room === 0) throw failure('ENOSPC');
    const part = rest.subarray(0, disk.room);
    disk.room -= part.length;
    disk.text += part.toString();
    return part.length;
  };
  return { disk, write };
}

test('lines that cannot be written are dropped and counted, and the rest goes on', () => {
  const { disk, write } = fullingDisk(10);
  const lines = steadyLines(1, (dropped, code) => `(${dropped} lost: ${code})\n`, write);
  for (const line of ['one\n', 'two\n', 'three\n', 'four\n']) lines.write(line);
  expect(disk.text).toBe('one\ntwo\nth');
  disk.room = 1_000;
  lines.write('five\n');
  lines.write('six\n');
  expect(disk.text).toBe('one\ntwo\nth\n(2 lost: ENOSPC)\nfive\nsix\n');
});

test('a report that cannot be written either is tried again', () => {
  const { disk, write } = fullingDisk(0);
  const lines = steadyLines(1, (dropped) => `(${dropped} lost)\n`, write);
  lines.write('one\n');
  disk.room = 3;
  lines.write('two\n');
  disk.room = 1_000;
  lines.write('three\n');
  expect(disk.text).toBe('(1 \n(2 lost)\nthree\n');
});

test('a pipe that is full for a moment loses nothing, one that stays full keeps nobody waiting', () => {
  let refusals = 3;
  let text = '';
  const write: WriteSome = (_descriptor, bytes) => {
    if (refusals > 0) {
      refusals -= 1;
      throw failure('EAGAIN');
    }
    text += bytes.toString();
    return bytes.length;
  };
  const lines = steadyLines(1, (dropped, code) => `(${dropped} ${code})\n`, write);
  lines.write('one\n');
  expect(text).toBe('one\n');
  refusals = Number.POSITIVE_INFINITY;
  lines.write('two\n');
  refusals = 0;
  lines.write('three\n');
  expect(text).toBe('one\n(1 EAGAIN)\nthree\n');
});

test('a process on a full disk lives, and logs again when there is room', async (context) => {
  const disk = smallDisk(context, 256);
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'callboard-output-'));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  const script = await bundleForNode(
    `import { createLog } from './lib/server/log';
     import { surviveOutputErrors } from './lib/server/steady-output';
     surviveOutputErrors();
     const log = createLog('probe');
     for await (const text of process.stdin) {
       for (let index = 0; index < 50; index += 1) {
         log.info(String(text).trim());
         process.stdout.write('plain ' + String(text));
         console.error('console ' + String(text).trim());
       }
       process.send('alive');
     }`,
    scratch,
  );
  const logFile = path.join(disk.folder, 'log');
  const descriptor = openSync(logFile, 'a');
  const child = spawn(process.execPath, [script], { stdio: ['pipe', descriptor, descriptor, 'ipc'] });
  closeSync(descriptor);
  onTestFinished(() => void child.kill('SIGKILL'));
  const say = async (text: string) => {
    const answered = new Promise((resolve) => {
      child.once('message', resolve);
      child.once('exit', (code) => resolve(`exit code ${code}`));
    });
    child.stdin?.write(`${text}\n`);
    return await answered;
  };
  expect(await say('before')).toBe('alive');
  disk.fill();
  truncateSync(logFile, 0);
  disk.fill();
  expect(await say('meanwhile')).toBe('alive');
  disk.free();
  expect(await say('after')).toBe('alive');
  const lines = readFileSync(logFile, 'utf8').split('\n');
  const logged = lines.filter((line) => line.startsWith('{') && line.endsWith('}')).map((line) => JSON.parse(line));
  expect(logged.find((line) => line.dropped !== undefined)).toMatchObject({
    process: 'probe',
    level: 'warn',
    dropped: 50,
    code: 'ENOSPC',
  });
  expect(logged.filter((line) => line.msg === 'after')).toHaveLength(50);
  expect(lines.filter((line) => line === 'plain after')).toHaveLength(50);
  expect(lines.filter((line) => line === 'console after')).toHaveLength(50);
});
