import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { freePort } from '../lib/server/ports';
import { processesBelow } from '../lib/testing/process-tree';
import { testToken, writeTestToken } from './test-token';

export interface AppProcess {
  readonly url: string;
  /** The address that signs a browser in. */
  readonly signInUrl: string;
  readonly dataFolder: string;
  /** Returns the address that was printed when everything was ready. */
  printedAddress(): Promise<string>;
  /** Returns the process ids of one part, found below the launcher. */
  pids(part: 'web' | 'worker' | 'database'): number[];
  kill(part: 'web' | 'worker' | 'database'): void;
  /** Returns what it has printed so far. */
  printed(): string;
  /** Returns all its processes. */
  processes(): number[];
  stop(): Promise<void>;
}

/** The pattern for the web process has two names, because Next renames its process. */
const marks = { web: /web\.mjs|^next-server/, worker: /worker\.mjs/, database: /postgres(?!ql:).* -D / } as const;

/** How long an app may take to start on a busy machine. */
const startMs = 120_000;

/**
 * Starts a second, whole Callboard on a port and a data folder of its own, for tests that break things or need other
 * settings (`env`). It starts like `npm start` or `npm run dev`. A given `dataFolder` keeps its own token and is not
 * removed. Give `port` where the settings name it.
 */
export async function startApp(
  env: Readonly<Record<string, string>> = {},
  {
    dataFolder,
    script = 'start',
    port: given,
  }: { readonly dataFolder?: string; readonly script?: 'start' | 'dev'; readonly port?: number } = {},
): Promise<AppProcess> {
  const port = given ?? (await freePort());
  const data = dataFolder ?? mkdtempSync(path.join(tmpdir(), 'callboard-break-'));
  if (dataFolder === undefined) writeTestToken(data);
  const url = `http://127.0.0.1:${port}`;
  const launcher = spawn('npm', ['run', script], {
    env: { ...process.env, CALLBOARD_WORKERS: '1', ...env, PORT: String(port), CALLBOARD_DATA: data },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  launcher.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  // No test waits for it: hooks start apps before the first test, as playwright.config.ts does.
  test.setTimeout(Math.max(test.info().timeout, startMs + 120_000));
  await waitUntilHealthy(url, startMs);
  const pids = (part: keyof typeof marks) =>
    processesBelow(launcher.pid ?? 0)
      .filter((one) => marks[part].test(one.command))
      .map((one) => one.pid);
  return {
    url,
    signInUrl: `${url}/?token=${testToken}`,
    dataFolder: data,
    async printedAddress() {
      const address = () => /ready\. .*\n(http\S+)\n/.exec(printed)?.[1] ?? '';
      await expect.poll(address).not.toBe('');
      return address();
    },
    pids,
    printed: () => printed,
    processes: () => processesBelow(launcher.pid ?? 0).map((one) => one.pid),
    kill(part) {
      const [first] = pids(part);
      if (first === undefined) throw new Error(`No ${part} process runs`);
      process.kill(first, 'SIGKILL');
    },
    async stop() {
      await ended(launcher);
      if (dataFolder === undefined) rmSync(data, { recursive: true, force: true });
    },
  };
}

/** Waits until all parts of an app run. */
export async function waitUntilHealthy(url: string, patienceMs = 30_000): Promise<void> {
  const isHealthy = () =>
    fetch(`${url}/api/health`).then(
      (answer) => answer.ok,
      () => false,
    );
  await expect.poll(isHealthy, { timeout: patienceMs, intervals: [250] }).toBe(true);
}

async function ended(launcher: ChildProcess): Promise<void> {
  if (launcher.exitCode !== null) return;
  const gone = new Promise((resolve) => launcher.once('exit', resolve));
  launcher.kill('SIGTERM');
  await gone;
}
