import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startFakeServer } from '../fake-server';
import { createProject, endOfRun, runsEnded, spread, startRun, timeOf } from './client';
import { cpuMs } from './processes';
import { type BenchServer, startBenchServer } from './server';
import { oneStep } from './starts';

const runs = 200;
const rounds = 4;

/** Starts 200 one-step runs at once with two workers, and requests a page every 50 ms meanwhile. */
export async function benchBurst(): Promise<void> {
  const model = await startFakeServer({ children: 0, toolCalls: 0, delayMs: 0 });
  const server = await startBenchServer({ workers: 2, modelUrl: model.url });
  const database = new Client({ connectionString: server.databaseUrl });
  try {
    await database.connect();
    const project = await createProject(server, 'Burst', oneStep);
    for (let round = 0; round < rounds; round += 1) await oneRound(server, database, project, round);
  } finally {
    await database.end();
    await server.stop();
    model.stop();
  }
}

async function oneRound(server: BenchServer, database: Client, project: string, round: number): Promise<void> {
  const pids = { web: server.pids('web'), worker: server.pids('worker'), database: server.pids('database') };
  const before = { web: cpuMs(pids.web), worker: cpuMs(pids.worker) };
  const probes = new AbortController();
  const probing = probePages(server, probes.signal);
  const begun = performance.now();
  const ids = await Promise.all(Array.from({ length: runs }, (_, index) => startRun(server, project, `run ${index}`)));
  const asked = performance.now() - begun;
  await runsEnded(database, ids);
  const wall = performance.now() - begun;
  const cpu = { web: cpuMs(pids.web) - before.web, worker: cpuMs(pids.worker) - before.worker };
  probes.abort();
  const pages = await probing;
  const statuses = await Promise.all([...ids.keys()].map((at) => endOfRun(server, ids[at] ?? '')));
  const wrong = statuses.filter((status) => status !== 'completed').length;
  const what = round === 0 ? 'first round, cold' : `round ${round + 1}`;
  console.log(`  ${what}: ${((runs / wall) * 1_000).toFixed(0)} runs/s (goal ≥ 150), ${wrong} did not end right`);
  console.log(`    all asked for after ${asked.toFixed(0)} ms, all ended after ${wall.toFixed(0)} ms`);
  console.log(`    pages meanwhile: ${spread(pages)} of ${pages.length} (goal p95 ≤ 200 ms)`);
  console.log(
    `    CPU a run: web ${(cpu.web / runs).toFixed(1)} ms with pages, workers ${(cpu.worker / runs).toFixed(1)} ms`,
  );
}

async function probePages(server: BenchServer, signal: AbortSignal): Promise<readonly number[]> {
  const asked: Promise<number>[] = [];
  const addresses = ['/', '/runs', '/api/v1/runs?limit=25', '/api/v1/projects'];
  while (!signal.aborted) {
    asked.push(timeOf(server, addresses[asked.length % addresses.length] ?? '/'));
    await sleep(50);
  }
  return await Promise.all(asked);
}
