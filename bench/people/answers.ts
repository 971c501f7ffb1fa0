import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { createProject, runsEnded, spread, startRun } from '../app/client';
import { cpuMs } from '../app/processes';
import { type BenchServer, startBenchServer } from '../app/server';
import { type AskingModel, asksForApproval, asksInWords, openItemOf, startAskingModel } from './asking';

const warmUp = 30;
const measured = 150;
/** Longer than the benchmark needs to answer, so that the run stays in its worker. */
const heldSeconds = 30;

const cases = [
  {
    what: 'answered in words, suspended',
    files: asksInWords(0),
    status: 'suspended',
    body: { decision: 'answer', content: { answer: 'Monday' } },
  },
  {
    what: 'answered in words, held     ',
    files: asksInWords(heldSeconds),
    status: 'running',
    body: { decision: 'answer', content: { answer: 'Monday' } },
  },
  {
    what: 'tool approved, suspended    ',
    files: asksForApproval(0),
    status: 'suspended',
    body: { decision: 'approve' },
  },
  {
    what: 'tool approved, held         ',
    files: asksForApproval(heldSeconds),
    status: 'running',
    body: { decision: 'approve' },
  },
] as const;

/**
 * Measures the time from the request with an answer until the next model call of the run arrives, one run after another on an idle
 * server. The reference of the same run is a transaction of one update with a notification, until another connection has it.
 */
export async function benchAnswers(): Promise<void> {
  const model = await startAskingModel();
  const server = await startBenchServer({ workers: 1, modelUrl: model.url });
  const database = new Client({ connectionString: server.databaseUrl });
  const floor = new Client({ connectionString: server.databaseUrl });
  try {
    await database.connect();
    await floor.connect();
    await prepareFloor(database, floor);
    for (const each of cases) {
      const project = await createProject(server, each.what.trim(), each.files);
      await oneCase({ server, database, floor, model }, project, each);
    }
  } finally {
    await database.end();
    await floor.end();
    await server.stop();
    await model.close();
  }
}

interface Bench {
  readonly server: BenchServer;
  readonly database: Client;
  readonly floor: Client;
  readonly model: AskingModel;
}

async function oneCase(bench: Bench, project: string, { what, status, body }: (typeof cases)[number]): Promise<void> {
  const { server, database, floor, model } = bench;
  const toCall: number[] = [];
  const toResponse: number[] = [];
  const bare: number[] = [];
  const parts = ['web', 'worker', 'database'] as const;
  const cpu = { web: 0, worker: 0, database: 0 };
  for (let index = 0; index < warmUp + measured; index += 1) {
    const message = `${what} ${index}`;
    const run = await startRun(server, project, message);
    const item = await openItemOf(database, run, status);
    await sleep(20 + ((index * 37) % 113));
    const call = model.nextCall(message);
    const before = parts.map((part) => cpuMs(server.pids(part)));
    const begun = performance.now();
    const response = fetch(`${server.url}/api/v1/pending/${item}/answer`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...server.headers },
      body: JSON.stringify(body),
    });
    const responded = response.then(() => performance.now() - begun);
    if (!(await response).ok) throw new Error(`The answer was refused: ${await (await response).text()}`);
    const called = (await call) - begun;
    await runsEnded(database, [run]);
    if (index >= warmUp) {
      toCall.push(called);
      toResponse.push(await responded);
      bare.push(await bareRoundTrip(database, floor));
      for (const [at, part] of parts.entries()) cpu[part] += cpuMs(server.pids(part)) - (before[at] ?? 0);
    }
  }
  console.log(`  ${what}  answer → model call ${spread(toCall)}   (goal p50 ≤ 30 ms)`);
  console.log(
    `  ${' '.repeat(what.length)}  answer → response ${spread(toResponse)}; bare transaction and notification ${fine(bare)}`,
  );
  const each = parts.map((part) => `${part} ${(cpu[part] / measured).toFixed(1)} ms`);
  console.log(`  ${' '.repeat(what.length)}  CPU from the answer to the end of the run: ${each.join(', ')}`);
}

async function prepareFloor(database: Client, floor: Client): Promise<void> {
  await database.query('CREATE TABLE bench_floor (id INT PRIMARY KEY, n INT NOT NULL)');
  await database.query('INSERT INTO bench_floor VALUES (1, 0)');
  await floor.query('LISTEN bench_floor');
}

async function bareRoundTrip(database: Client, floor: Client): Promise<number> {
  const heard = new Promise<void>((resolve) => floor.once('notification', () => resolve()));
  const begun = performance.now();
  await database.query('BEGIN');
  await database.query('UPDATE bench_floor SET n = n + 1 WHERE id = 1');
  await database.query(`SELECT pg_notify('bench_floor', '')`);
  await database.query('COMMIT');
  await heard;
  return performance.now() - begun;
}

function fine(valuesMs: readonly number[]): string {
  const sorted = [...valuesMs].sort((a, b) => a - b);
  return `p50 ${(sorted[Math.floor(sorted.length / 2)] ?? Number.NaN).toFixed(1)} ms`;
}
