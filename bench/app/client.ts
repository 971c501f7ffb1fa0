import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { z } from 'zod';
import { activeStates, isActive } from '@/lib/trace/run-state';
import { quantile } from '../figures';
import type { BenchServer } from './server';

const created = z.object({ id: z.string() });
const started = z.object({ runId: z.string() });
const status = z.looseObject({ status: z.string() });

export async function createProject(
  server: BenchServer,
  name: string,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  return created.parse(await send(server, '/api/v1/projects', { name, files })).id;
}

export async function startRun(server: BenchServer, project: string, message: string): Promise<string> {
  return started.parse(await send(server, `/api/v1/projects/${project}/runs`, { message })).runId;
}

/** Returns the status of the run once it has ended. */
export async function endOfRun(server: BenchServer, run: string): Promise<string> {
  for (let tries = 0; tries < 12_000; tries += 1) {
    const { status: now } = status.parse(await (await get(server, `/api/v1/runs/${run}`)).json());
    if (!isActive(now)) return now;
    await sleep(20);
  }
  throw new Error(`Run ${run} did not end`);
}

/** Resolves when all runs have ended. Polls the database, so that the web process has no extra load. */
export async function runsEnded(database: Client, ids: readonly string[]): Promise<void> {
  for (let tries = 0; tries < 6_000; tries += 1) {
    const { rowCount } = await database.query(`SELECT 1 FROM "Run" WHERE id = ANY($1) AND status = ANY($2) LIMIT 1`, [
      ids,
      activeStates,
    ]);
    if (rowCount === 0) return;
    await sleep(10);
  }
  throw new Error('The runs did not end');
}

export async function get(server: BenchServer, address: string): Promise<Response> {
  const answer = await fetch(`${server.url}${address}`, { headers: server.headers });
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

/** Returns the milliseconds until the whole response has arrived. */
export async function timeOf(server: BenchServer, address: string): Promise<number> {
  const begun = performance.now();
  await (await get(server, address)).arrayBuffer();
  return performance.now() - begun;
}

/** Sends JSON and returns the answer. */
export async function send(
  server: BenchServer,
  address: string,
  body: unknown,
  method: 'POST' | 'PATCH' = 'POST',
): Promise<unknown> {
  const answer = await fetch(`${server.url}${address}`, {
    method,
    headers: { 'content-type': 'application/json', ...server.headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** Returns a text such as `p50 12 ms, p95 20 ms, most 31 ms`. */
export function spread(valuesMs: readonly number[]): string {
  const at = (part: number) => `${quantile(valuesMs, part).toFixed(0)} ms`;
  return `p50 ${at(0.5)}, p95 ${at(0.95)}, most ${at(1)}`;
}
