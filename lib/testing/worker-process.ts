import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

export interface WorkerProcessOptions {
  readonly databaseUrl: string;
  readonly dataFolder: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a worker process as the launcher does. Resolves when it takes runs. */
export async function startWorkerProcess(options: WorkerProcessOptions): Promise<ChildProcess> {
  const worker = spawn(process.execPath, [path.resolve('bin/worker.mjs')], {
    env: { ...process.env, ...options.env, DATABASE_URL: options.databaseUrl, CALLBOARD_DATA: options.dataFolder },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve());
    worker.once('exit', (code, signal) => reject(new Error(`The worker ended at its start: ${signal ?? code}`)));
  });
  return worker;
}

export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await ended;
}

/** A worker that tests share, because a worker starts slowly. The first test starts it; after one that kills it, the next starts another. */
export class SharedWorker {
  private running: ChildProcess | undefined;

  constructor(private readonly options: WorkerProcessOptions) {}

  async start(): Promise<ChildProcess> {
    this.running ??= await startWorkerProcess(this.options);
    return this.running;
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const worker = this.running;
    this.running = undefined;
    if (worker !== undefined) await endProcess(worker, signal);
  }
}

/** The environment for a process that lib/testing/break-process.mjs can break. */
export const breakable = {
  NODE_OPTIONS: `--import=${pathToFileURL(path.resolve('lib/testing/break-process.mjs'))}`,
} as const;
