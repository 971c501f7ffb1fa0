import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { startFakeServer } from '../fake-server';
import { createProject, endOfRun, get, startRun } from './client';
import { type BenchServer, startBenchServer } from './server';
import { oneStep } from './starts';

const told = z.object({ held: z.number(), rss: z.number() });

const first = 100;
const all = 1_000;
const atOnce = 4;

/** Measures the memory of web and worker after 100 and after 1,000 runs. Each run is also read as its page does. */
export async function benchMemory(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'callboard-bench-memory-'));
  const model = await startFakeServer({ children: 0, toolCalls: 0, delayMs: 0 });
  const server = await startBenchServer({
    workers: 1,
    modelUrl: model.url,
    env: {
      NODE_OPTIONS: `--import=${pathToFileURL(path.resolve('bench/app/tell-memory.mjs'))}`,
      CALLBOARD_BENCH_MEMORY: folder,
    },
  });
  try {
    const project = await createProject(server, 'Memory', oneStep);
    const pids = { web: server.pids('web')[0] ?? 0, worker: server.pids('worker')[0] ?? 0 };
    await runSome(server, project, first);
    const before = { web: await heldMemory(folder, pids.web), worker: await heldMemory(folder, pids.worker) };
    await runSome(server, project, all - first);
    for (const part of ['web', 'worker'] as const) {
      const after = await heldMemory(folder, pids[part]);
      const grown = (100 * (after.held / before[part].held - 1)).toFixed(1);
      const rss = (100 * (after.rss / before[part].rss - 1)).toFixed(1);
      console.log(
        `  ${part.padEnd(6)} held after a collection ${mb(before[part].held)} → ${mb(after.held)}, ${grown} % (goal ≤ 10 %);` +
          ` resident ${mb(before[part].rss)} → ${mb(after.rss)}, ${rss} %`,
      );
    }
  } finally {
    await server.stop();
    model.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runSome(server: BenchServer, project: string, count: number): Promise<void> {
  let left = count;
  const one = async () => {
    while (left > 0) {
      left -= 1;
      const run = await startRun(server, project, 'Go');
      if ((await endOfRun(server, run)) !== 'completed') throw new Error(`Run ${run} did not complete`);
      for (const what of ['/events', '/timeline', '/graph']) {
        await (await get(server, `/api/v1/runs/${run}${what}`)).arrayBuffer();
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

/** Makes a process with tell-memory.mjs collect garbage, and returns its memory in bytes. */
export async function heldMemory(folder: string, pid: number): Promise<z.infer<typeof told>> {
  const file = path.join(folder, String(pid));
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  for (let tries = 0; tries < 500; tries += 1) {
    await sleep(20);
    if (existsSync(file) && readFileSync(file, 'utf8').endsWith('}'))
      return told.parse(JSON.parse(readFileSync(file, 'utf8')));
  }
  throw new Error(`Process ${pid} does not tell its memory`);
}

function mb(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
