import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPostgres } from '@/lib/server/embedded-postgres';
import { freePort } from '@/lib/server/ports';
import { prepareDatabase } from '@/lib/server/prepare-database';
import { treeOf } from '@/lib/testing/process-tree';

/** A complete Callboard for a benchmark: launcher, web, workers and Postgres, on separate ports and a separate data folder. */
export interface BenchServer {
  readonly url: string;
  readonly databaseUrl: string;
  /** Headers that sign a request in. */
  readonly headers: Readonly<Record<string, string>>;
  pids(part: Part): readonly number[];
  /** Ends all its processes and removes its data. */
  stop(): Promise<void>;
}

export type Part = 'web' | 'worker' | 'database';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The pattern for the web process has two names, because Next renames its process. */
const marks: Record<Exclude<Part, 'database'>, RegExp> = { web: /web\.mjs|^next-server/, worker: /worker\.mjs/ };

export interface BenchServerOptions {
  readonly workers: number;
  /** Base URL of the default model. */
  readonly modelUrl: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a production build, and builds it first if needed. Rejects when it does not respond. */
export async function startBenchServer({ workers, modelUrl, env = {} }: BenchServerOptions): Promise<BenchServer> {
  const data = mkdtempSync(path.join(tmpdir(), 'callboard-bench-'));
  const cluster = await openPostgres(data);
  const database = await cluster.start();
  let launcher: ChildProcess | undefined;
  const interrupted = () => void stop().finally(() => process.exit(1));
  const stop = async () => {
    for (const signal of signals) process.off(signal, interrupted);
    if (launcher !== undefined && launcher.exitCode === null && launcher.signalCode === null) {
      launcher.kill('SIGTERM');
      await once(launcher, 'exit');
    }
    await cluster.stop();
    rmSync(data, { recursive: true, force: true });
  };
  for (const signal of signals) process.once(signal, interrupted);
  try {
    await prepareDatabase(cluster.url);
    const port = await freePort();
    launcher = spawn(process.execPath, ['bin/callboard.mjs', 'start'], {
      env: {
        ...process.env,
        OPENAI_BASE_URL: modelUrl,
        OPENAI_API_KEY: 'sk-bench-0123456789',
        ...env,
        DATABASE_URL: cluster.url,
        PORT: String(port),
        CALLBOARD_DATA: data,
        CALLBOARD_WORKERS: String(workers),
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const url = `http://127.0.0.1:${port}`;
    await answers(url, launcher);
    const root = launcher.pid ?? 0;
    const token = readFileSync(path.join(data, 'access-token'), 'utf8').trim();
    return {
      url,
      databaseUrl: cluster.url,
      headers: { authorization: `Bearer ${token}` },
      pids: (part) => (part === 'database' ? pidsOf(database.pid ?? 0, /postgres/) : pidsOf(root, marks[part])),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function answers(url: string, launcher: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 1_200; tries += 1) {
    if ((await fetch(`${url}/api/health`).catch(() => undefined))?.ok) return;
    if (launcher.exitCode !== null) break;
    await sleep(250);
  }
  throw new Error('Callboard did not start; the lines above say why.');
}

/** Returns the process `root` and those below it whose command line matches. */
function pidsOf(root: number, mark: RegExp): readonly number[] {
  return treeOf(root).flatMap(({ pid, command }) => (mark.test(command) ? [pid] : []));
}
