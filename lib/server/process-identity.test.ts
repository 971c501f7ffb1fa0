import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { identify, isAlive, stillLives } from './process-identity';

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

async function startProcess(): Promise<{ readonly pid: number; readonly child: ChildProcess }> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  started.push(child);
  await once(child, 'spawn');
  return { pid: child.pid ?? 0, child };
}

test('a process keeps its identity while it lives, and has none after its end', async () => {
  const { pid, child } = await startProcess();
  const identity = identify(pid);
  expect(identity).toEqual({ pid, born: expect.stringMatching(/\S/) });
  expect([identity && stillLives(identity), identify(pid), isAlive(pid)]).toEqual([true, identity, true]);
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
  expect([identity && stillLives(identity), identify(pid), isAlive(pid)]).toEqual([false, undefined, false]);
});

test('another process with the same id is not the one that was meant', () => {
  const own = identify(process.pid);
  expect(own && stillLives(own)).toBe(true);
  expect(stillLives({ pid: process.pid, born: 'at another time' })).toBe(false);
});

test.each([0, -1, 1.5, Number.NaN, Number.MAX_SAFE_INTEGER])('%s is the id of no process', (pid) => {
  expect(identify(pid)).toBeUndefined();
});
