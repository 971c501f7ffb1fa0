import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Client } from 'pg';
import { createProject, startRun } from '../app/client';
import { heldMemory } from '../app/memory';
import { startBenchServer } from '../app/server';
import { asksInWords, startAskingModel } from './asking';

const first = 200;
const all = 1_200;
const atOnce = 8;
/** What 1,000 suspended runs may add to a worker: below 2 KiB each, within what the heap scatters from one collection to the next. */
const mostBytes = 2_000_000;

/** Measures the memory of a worker with 200 suspended runs, and with 1,000 more of them. */
export async function benchSuspended(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'callboard-bench-people-'));
  const model = await startAskingModel();
  const server = await startBenchServer({
    workers: 1,
    modelUrl: model.url,
    env: {
      NODE_OPTIONS: `--import=${pathToFileURL(path.resolve('bench/app/tell-memory.mjs'))}`,
      CALLBOARD_BENCH_MEMORY: folder,
    },
  });
  const database = new Client({ connectionString: server.databaseUrl });
  try {
    await database.connect();
    const project = await createProject(server, 'Suspended', asksInWords(0));
    const suspend = async (count: number) => {
      let left = count;
      const one = async () => {
        while (left > 0) {
          left -= 1;
          await startRun(server, project, 'Go');
        }
      };
      await Promise.all(Array.from({ length: atOnce }, one));
    };
    const worker = server.pids('worker')[0] ?? 0;
    await suspend(first);
    await areSuspended(database, first);
    const before = await heldMemory(folder, worker);
    await suspend(all - first);
    await areSuspended(database, all);
    const after = await heldMemory(folder, worker);
    const grown = after.held - before.held;
    console.log(
      `  worker: held after a collection ${mb(before.held)} with ${first}, ${mb(after.held)} with ${all}: ` +
        `${(grown / (all - first)).toFixed(0)} B a run (${grown <= mostBytes ? 'met' : 'GAP'}: at most ${mostBytes / (all - first)});` +
        ` resident ${mb(before.rss)} → ${mb(after.rss)}`,
    );
  } finally {
    await database.end();
    await server.stop();
    await model.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function areSuspended(database: Client, count: number): Promise<void> {
  for (let tries = 0; tries < 6_000; tries += 1) {
    const { rows } = await database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM "Run" WHERE status = 'suspended'`,
    );
    if ((rows[0]?.count ?? 0) >= count) return;
    await sleep(20);
  }
  throw new Error('The runs were not suspended');
}

function mb(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
