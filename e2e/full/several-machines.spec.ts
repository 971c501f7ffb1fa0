import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openPostgres, type PostgresCluster } from '../../lib/server/embedded-postgres';
import { freePort } from '../../lib/server/ports';
import { processesBelow } from '../../lib/testing/process-tree';
import { createProject, exampleFiles, readEvents, readRun, startRun, waitForEnd } from '../api';
import { waitUntilHealthy } from '../app-process';
import { expect, test } from '../test';
import { writeTestToken } from '../test-token';

/** A web process and two workers, each as a machine of its own has them: they share a Postgres and the secret key, and no folder. */

test.describe.configure({ mode: 'serial' });

const root = mkdtempSync(path.join(tmpdir(), 'callboard-machines-'));
const machines: Machine[] = [];
let cluster: PostgresCluster;
let url: string;

test.beforeAll(async () => {
  cluster = await openPostgres(path.join(root, 'database'), { fsync: 'off' });
  await cluster.start();
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  writeTestToken(folderOf('web'));
  machines.push(startMachine('web', ['--only', 'web'], { PORT: String(port), CALLBOARD_WORKERS: '2' }));
  await waitUntilHealthy(url);
  for (const name of ['left', 'right']) {
    copyFileSync(path.join(folderOf('web'), 'secret-key'), path.join(folderOf(name), 'secret-key'));
    machines.push(startMachine(name, ['--only', 'worker']));
  }
});

test.afterAll(async () => {
  for (const machine of machines.toReversed()) await stop(machine.launcher, 'SIGTERM');
  await cluster.stop();
  rmSync(root, { recursive: true, force: true });
});

test('the health of the web process counts the workers of other machines', async () => {
  const health = async () => (await fetch(`${url}/api/health`)).json();
  await expect.poll(health, { timeout: 60_000 }).toMatchObject({ status: 'ok', workers: 2, restarting: 0 });
  expect(machines[0]?.printed()).toContain('No worker is started here.');
});

test('runs go on when the machine of a worker is lost, and repeat no recorded step', async () => {
  const project = await createProject(url, 'Two machines', exampleFiles('pmo'));
  const runs = await Promise.all(['one', 'two', 'three', 'four'].map((each) => startRun(url, project, each)));
  const begun = async () => {
    const logs = await Promise.all(runs.map((run) => readEvents(url, run)));
    return logs.every((events) => events.some(({ kind }) => kind === 'tool.ended'));
  };
  await expect.poll(begun, { timeout: 60_000, intervals: [100] }).toBe(true);
  const lost = machines[1]?.launcher;
  for (const { pid } of processesBelow(lost?.pid ?? 0)) killIfThere(pid);
  if (lost !== undefined) await stop(lost, 'SIGKILL');
  for (const run of runs) {
    expect(await waitForEnd(url, run, 90_000)).toBe('completed');
    expect((await readRun(url, run)).answer).toContain('London · economics');
    const events = await readEvents(url, run);
    expect(events.filter(({ kind }) => kind === 'run.finished')).toHaveLength(1);
    const ended = events.filter(({ kind }) => kind.endsWith('.ended')).flatMap(({ step }) => step ?? []);
    expect(new Set(ended).size).toBe(ended.length);
  }
  const health = async () => (await fetch(`${url}/api/health`)).json();
  await expect.poll(health).toMatchObject({ status: 'degraded', workers: 1, restarting: 1 });
});

/** A process may end between the list and the signal, because its parent was killed before it. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

interface Machine {
  readonly launcher: ChildProcess;
  readonly printed: () => string;
}

function folderOf(machine: string): string {
  const folder = path.join(root, machine);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

function startMachine(name: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Machine {
  const launcher = spawn('node', ['bin/callboard.mjs', 'start', ...args], {
    env: { ...process.env, CALLBOARD_WORKERS: '1', ...env, CALLBOARD_DATA: folderOf(name), DATABASE_URL: cluster.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  launcher.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  return { launcher, printed: () => printed };
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}
