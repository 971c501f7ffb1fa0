import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { endAbandonedDatabase } from './abandoned-database';
import { openPostgres, type PostgresCluster } from './embedded-postgres';
import { findServersOf } from './postgres-process';
import { identify } from './process-identity';

const data = mkdtempSync(path.join(os.tmpdir(), 'callboard-abandoned-'));
afterAll(() => rmSync(data, { recursive: true, force: true }));

let cluster: PostgresCluster;
let server: ChildProcess;

beforeEach(async () => {
  cluster = await openPostgres(data);
  server = await cluster.start();
});
afterEach(async () => {
  await cluster.stop();
});

/** The lock of the data folder as this process left it. */
function lockedBy(holder: unknown): void {
  mkdirSync(path.join(data, 'lock'), { recursive: true });
  writeFileSync(path.join(data, 'lock', '1'), JSON.stringify(holder));
}

async function endedProcess(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  return child.pid ?? 0;
}

test('the database of a launcher that was killed is ended, and nobody else', async () => {
  const launcher = await endedProcess();
  lockedBy({ pid: launcher, born: 'before' });
  // On Linux the pid file is not needed, and not trusted: its number may be another program's by now.
  const bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'postgres']);
  onTestFinished(() => void bystander.kill('SIGKILL'));
  if (process.platform === 'linux') writeFileSync(cluster.pidFile, `${bystander.pid}\n${cluster.folder}\n`);
  const gone = once(server, 'exit');
  endAbandonedDatabase(cluster.pidFile, data, launcher);
  await gone;
  expect([bystander.exitCode, bystander.signalCode]).toEqual([null, null]);
});

test('a database whose launcher lives, or was replaced, goes on', async () => {
  const launcher = await endedProcess();
  lockedBy(identify(process.pid));
  endAbandonedDatabase(cluster.pidFile, data, process.pid);
  endAbandonedDatabase(cluster.pidFile, data, launcher);
  expect(findServersOf(cluster.folder)).toEqual([server.pid]);
  expect([server.exitCode, server.signalCode]).toEqual([null, null]);
});
