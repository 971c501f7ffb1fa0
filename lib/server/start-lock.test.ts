import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { bundleForNode } from '@/lib/testing/bundle-for-node';
import { identify } from './process-identity';
import { lockDataFolder, lockHolder, unlockDataFolder } from './start-lock';

function scratch(): string {
  // The word in a path, or in a command line, says nothing about who holds a lock.
  const folder = mkdtempSync(path.join(os.tmpdir(), 'callboard-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A lock that another process left in the data folder. */
function leaveLock(dataFolder: string, content: string, number = 1): void {
  mkdirSync(path.join(dataFolder, 'lock'), { recursive: true });
  writeFileSync(path.join(dataFolder, 'lock', String(number)), content);
}

test('makes the folder with its parents, and takes it until it is given back', () => {
  const folder = path.join(scratch(), 'a', 'b');
  expect(lockDataFolder(folder)).toBeUndefined();
  expect(lockHolder(folder)?.pid).toBe(process.pid);
  unlockDataFolder(folder);
  expect(lockHolder(folder)).toBeUndefined();
  expect(lockDataFolder(folder)).toBeUndefined();
  expect(readdirSync(path.join(folder, 'lock'))).toEqual(['2']);
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

test.each([
  ['empty', ''],
  ['garbage', '\0\0\0 callboard'],
  ['half-written', '{"pid": 1'],
  ['negative', '{"pid": -1, "born": ""}'],
])('a lock that is %s is free', (_kind, content) => {
  const folder = scratch();
  leaveLock(folder, content);
  expect(lockDataFolder(folder)).toBeUndefined();
  expect(lockHolder(folder)?.pid).toBe(process.pid);
});

test('a folder in the place of a lock is free', () => {
  const folder = scratch();
  mkdirSync(path.join(folder, 'lock', '3'), { recursive: true });
  expect(lockDataFolder(folder)).toBeUndefined();
  expect(readdirSync(path.join(folder, 'lock'))).toEqual(['4']);
});

test('a living process with the number of the one that took the lock does not hold it', () => {
  const folder = scratch();
  const parent = process.ppid;
  leaveLock(folder, JSON.stringify({ pid: parent, born: 'at another time' }));
  expect(lockDataFolder(folder)).toBeUndefined();
  unlockDataFolder(folder);
  leaveLock(folder, JSON.stringify(identify(parent)), 9);
  expect(lockDataFolder(folder)).toBe(parent);
});

/** Many real processes that are told over stdin what to do, and answer a line each. */
async function openRacers(count: number) {
  const folder = scratch();
  const script = await bundleForNode(
    `import { createInterface } from 'node:readline';
     import { mkdirSync, rmdirSync } from 'node:fs';
     import { lockDataFolder, unlockDataFolder } from './lib/server/start-lock';
     const commands = {
       lock: (folder) => lockDataFolder(folder) ?? 'won',
       unlock: (folder) => (unlockDataFolder(folder), 'free'),
       // Two inside at once: the second cannot make the folder, and says so.
       churn(folder) {
         let turns = 0;
         for (let tries = 0; tries < 150; tries += 1) {
           if (lockDataFolder(folder) !== undefined) continue;
           mkdirSync(folder + '/inside');
           turns += 1;
           rmdirSync(folder + '/inside');
           unlockDataFolder(folder);
         }
         return turns;
       },
     };
     for await (const line of createInterface({ input: process.stdin })) {
       const [command, folder] = line.split('\\t');
       try { console.log(String(commands[command](folder))); } catch (error) { console.log('failed ' + error.message); }
     }`,
    folder,
  );
  const open = () => {
    const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return {
      child,
      pid: String(child.pid),
      async ask(command: string, dataFolder: string): Promise<string> {
        child.stdin.write(`${command}\t${dataFolder}\n`);
        return (await lines.next()).value ?? 'gone';
      },
    };
  };
  return { open, racers: Array.from({ length: count }, open) };
}

function killed(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}

test('of many starts at once exactly one wins, whatever the last one left behind', async () => {
  const { open, racers } = await openRacers(12);
  const left: readonly ((dataFolder: string) => void)[] = [
    () => undefined,
    (folder) => leaveLock(folder, ''),
    (folder) => leaveLock(folder, 'callboard'),
    (folder) => leaveLock(folder, '{"pid":2147483646,"born":"long ago"}', 41),
    (folder) => leaveLock(folder, JSON.stringify({ pid: process.pid, born: 'reused' })),
  ];
  for (let round = 0; round < 25; round += 1) {
    const folder = scratch();
    left[round % left.length]?.(folder);
    // The second race of a round is for the lock that the winner of the first gave back, or died with.
    for (const end of ['unlock', 'kill'] as const) {
      const answers = await Promise.all(racers.map((racer) => racer.ask('lock', folder)));
      const winners = racers.filter((_racer, index) => answers[index] === 'won');
      expect(winners).toHaveLength(1);
      const [winner] = winners;
      if (winner === undefined) throw new Error('nobody won');
      expect(new Set(answers)).toEqual(new Set(['won', winner.pid]));
      if (end === 'unlock') expect(await winner.ask('unlock', folder)).toBe('free');
      else if (round % 5 === 0) {
        await killed(winner.child);
        racers[racers.indexOf(winner)] = open();
      }
    }
    if (round % 5 === 0) {
      const afterKill = await Promise.all(racers.map((racer) => racer.ask('lock', folder)));
      expect(afterKill.filter((answer) => answer === 'won')).toHaveLength(1);
    }
  }
});

test('the lock is never held twice while many take it and give it back', async () => {
  const { racers } = await openRacers(8);
  const folder = scratch();
  const turns = await Promise.all(racers.map((racer) => racer.ask('churn', folder)));
  expect(turns.filter((answer) => !/^\d+$/.test(answer))).toEqual([]);
  expect(turns.reduce((sum, answer) => sum + Number(answer), 0)).toBeGreaterThan(0);
  expect(lockHolder(folder)).toBeUndefined();
});
