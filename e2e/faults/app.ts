import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { breakable } from '@/lib/testing/worker-process';
import { freePort } from '../../lib/server/ports';
import { processesBelow } from '../../lib/testing/process-tree';
import { testToken, writeTestToken } from '../test-token';
import { until } from './until';

export type Part = 'web' | 'worker' | 'database';

/** A whole Callboard that is broken from outside and started again on the same data. */
export interface FaultApp {
  readonly url: string;
  readonly dataFolder: string;
  /** Starts the launcher and waits until health is `ok`. */
  start(): Promise<void>;
  pids(part: Part): number[];
  /** Sends the signal to one process of the part. Returns false when none runs at this moment. */
  signal(part: Part, signal: NodeJS.Signals, pick: (pids: readonly number[]) => number): boolean;
  /**
   * Kills only the launcher with SIGKILL, and resolves when it is gone. The other processes end by themselves, or disturb
   * the next start.
   */
  killLauncher(): Promise<void>;
  /** Returns the processes that work on its data folder. */
  left(): readonly string[];
  /** Stops it normally, removes its data, and names the processes that are left. */
  stop(): Promise<readonly string[]>;
  /** Returns exit code and last lines of a launcher that ended. */
  lastWords(): string;
}

/** The pattern for the web process has two names, because Next renames its process. */
const marks = { web: /web\.mjs|^next-server/, worker: /worker\.mjs/, database: /postgres(?!ql:).* -D / } as const;

export const workerCount = 2;

export async function createApp(env: Readonly<Record<string, string>>, dataFolder?: string): Promise<FaultApp> {
  const port = await freePort();
  const data = dataFolder ?? mkdtempSync(path.join(tmpdir(), 'callboard-faults-'));
  const url = `http://127.0.0.1:${port}`;
  let launcher: ChildProcess | undefined;
  let output = '';

  const pids = (part: Part) =>
    processesBelow(launcher?.pid ?? 0)
      .filter((one) => marks[part].test(one.command))
      .map((one) => one.pid);

  return {
    url,
    dataFolder: data,
    pids,
    async start() {
      writeTestToken(data);
      output = '';
      const child = spawn(process.execPath, ['bin/callboard.mjs', 'start'], {
        env: {
          ...process.env,
          ...breakable,
          CALLBOARD_WORKERS: String(workerCount),
          CALLBOARD_WATCHDOG_SECONDS: '5',
          ...env,
          PORT: String(port),
          CALLBOARD_DATA: data,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      launcher = child;
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (text) => (output = `${output}${text}`.slice(-2_000)));
      await until('the app is healthy', 120_000, async () => {
        if (child.exitCode !== null) throw new Error(`The launcher ended: ${output}`);
        return (await readHealth(url))?.status === 'ok';
      });
    },
    signal(part, signal, pick) {
      const running = pids(part);
      if (running.length === 0) return false;
      try {
        process.kill(pick(running), signal);
        return true;
      } catch {
        return false;
      }
    },
    async killLauncher() {
      await end(launcher, 'SIGKILL');
    },
    left: () => processesOf(data),
    async stop() {
      await end(launcher, 'SIGTERM');
      let left: readonly string[] = [];
      await until('no process is left', 20_000, async () => {
        left = processesOf(data);
        return left.length === 0;
      }).catch(() => undefined);
      if (dataFolder === undefined) rmSync(data, { recursive: true, force: true });
      return left;
    },
    lastWords: () => `${launcher?.exitCode ?? launcher?.signalCode ?? 'runs'}: ${output}`,
  };
}

export interface HealthAnswer {
  readonly status: string;
  readonly database: string;
  readonly workers: number;
  readonly silent: number;
  readonly restarting: number;
}

/** Reads the health. Returns `undefined` when nobody answers. */
export async function readHealth(url: string): Promise<HealthAnswer | undefined> {
  try {
    const answer = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(5_000) });
    return (await answer.json()) as HealthAnswer;
  } catch {
    return undefined;
  }
}

export const bearer = { authorization: `Bearer ${testToken}` } as const;

/** Returns processes whose environment or command names the data folder. This works on Linux; elsewhere nobody is found. */
function processesOf(dataFolder: string): readonly string[] {
  if (!existsSync('/proc')) return [];
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    const [command, environment] = [readProc(pid, 'cmdline'), readProc(pid, 'environ')];
    return command.includes(dataFolder) || environment.includes(`CALLBOARD_DATA=${dataFolder}`)
      ? [`${pid} ${command}`]
      : [];
  });
}

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

async function end(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}
