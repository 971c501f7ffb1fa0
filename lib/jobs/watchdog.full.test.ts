import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import { readHealth } from '@/lib/server/health';
import { services } from '@/lib/server/services';
import { type Supervised, supervise } from '@/lib/server/supervise';
import { findProject, insertProject } from '@/lib/store/projects';
import { findRun, type RunDetail } from '@/lib/store/runs';
import { testDatabase } from '@/lib/testing/postgres';
import { breakable, startWorkerProcess } from '@/lib/testing/worker-process';
import { openRunQueue } from './enqueue';

const { url, store } = await testDatabase();
const queue = openRunQueue(store);
const data = mkdtempSync(path.join(tmpdir(), 'callboard-watchdog-'));
const workers: Supervised[] = [];
const deaths: string[] = [];

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop('SIGTERM', 10_000)));
  deaths.length = 0;
});
afterAll(async () => {
  rmSync(data, { recursive: true, force: true });
});

/** Workers that are started again when they end, and give up on a main thread that is silent for two seconds. */
async function superviseWorkers(count: number): Promise<void> {
  const env = { ...breakable, CALLBOARD_WATCHDOG_SECONDS: '2' };
  const start = () => startWorkerProcess({ databaseUrl: url, dataFolder: data, env });
  for (let index = 0; index < count; index += 1) {
    workers.push(await supervise({ start, onDeath: (reason) => deaths.push(reason) }));
  }
}

async function enqueue(folder: Folder, message: string): Promise<RunId> {
  const projectId = await insertProject(store, 'Test', folder, { origin: 'api' });
  const { treeHash } = await findProject(store, projectId);
  const id = brandAs<RunId>(randomUUID());
  const correlationId = brandAs<CorrelationId>(randomUUID());
  await queue.enqueueRun({ id, projectId, treeHash, correlationId, agent: undefined, message, model: undefined });
  return id;
}

async function reaches(runId: RunId, isReached: (run: RunDetail) => boolean): Promise<RunDetail> {
  return await vi.waitFor(
    async () => {
      const run = await findRun(store, runId);
      if (!isReached(run)) throw new Error(`The run is ${run.status} at event ${run.lastSeq}`);
      return run;
    },
    { timeout: 90_000, interval: 100 },
  );
}

const isOver = (run: RunDetail) => run.finishedAt !== undefined;

const obedient = folderOf({ 'a.md': '---\nname: a\nmodel: passthrough\n---\nA.\n' });
/** Waits for its model for longer than any test. */
const patient = folderOf({
  'a.md': '---\nname: a\n---\nA.\n',
  'callboard.yaml': 'version: 1\nscripts: { a: [{ turns: [{ text: first, delay_ms: 600000 }, { text: done }] }] }\n',
});
const broken = (how: 'freeze' | 'crash') => `***CALL_TOOL nothing {"break":"${how}"}`;

for (const count of [1, 2]) {
  test(`a run that blocks the main thread ends failed, and those beside it go on (workers: ${count})`, async () => {
    await superviseWorkers(count);
    const beside = await Promise.all(Array.from({ length: 4 }, () => enqueue(patient, 'Wait')));
    for (const runId of beside) await reaches(runId, (run) => run.lastSeq >= 4);
    const freezing = await enqueue(obedient, broken('freeze'));
    const failed = await reaches(freezing, isOver);
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'worker_frozen' } });
    expect(failed.error?.message).toContain('blocked its worker 3 times in a row');
    expect(deaths).toEqual(['SIGKILL', 'SIGKILL', 'SIGKILL']);
    const { rows } = await store.pool.query('SELECT status, freezes FROM "Run" WHERE id = ANY($1)', [beside]);
    expect(rows).toEqual(beside.map(() => ({ status: 'running', freezes: 0 })));
    expect(await reaches(await enqueue(obedient, 'Hello'), isOver)).toMatchObject({ status: 'completed' });
    for (const runId of beside) await queue.cancelRun(runId);
    for (const runId of beside) expect(await reaches(runId, isOver)).toMatchObject({ status: 'cancelled' });
  });
}

test('a run that kills its worker ends failed, and those beside it go on', async () => {
  await superviseWorkers(1);
  const beside = await Promise.all([1, 2, 3].map(() => enqueue(patient, 'Wait')));
  for (const runId of beside) await reaches(runId, (run) => run.lastSeq >= 4);
  const crashing = await enqueue(obedient, broken('crash'));
  expect(await reaches(crashing, isOver)).toMatchObject({ status: 'failed', error: { code: 'worker_crashed' } });
  for (const runId of beside) await queue.cancelRun(runId);
  for (const runId of beside) expect(await reaches(runId, isOver)).toMatchObject({ status: 'cancelled' });
});

test('health says that a worker is silent, and that it is being started again', async () => {
  vi.stubEnv('DATABASE_URL', url);
  await superviseWorkers(1);
  expect(await readHealth()).toEqual({
    status: 'ok',
    web: 'ok',
    database: 'ok',
    workers: 1,
    silent: 0,
    restarting: 0,
    disk: 'ok',
  });
  const freezing = await enqueue(obedient, broken('freeze'));
  const seen = (state: object) => vi.waitFor(async () => expect(await readHealth()).toMatchObject(state), 20_000);
  await seen({ status: 'degraded', workers: 0, silent: 1, restarting: 0 });
  await seen({ status: 'degraded', workers: 0, silent: 0, restarting: 1 });
  await reaches(freezing, isOver);
  await seen({ status: 'ok', workers: 1, silent: 0, restarting: 0 });
  const opened = await services();
  await opened.runEvents.close();
  await opened.store.close();
});
