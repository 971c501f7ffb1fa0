import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface BenchApp {
  readonly url: string;
  /** Headers that sign a request in. */
  readonly headers: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/**
 * Starts a production build on a separate port and data folder. `CALLBOARD_BENCH_URL` names a running one instead, as
 * printed at its start (`http://127.0.0.1:3000/?token=…`).
 */
export async function startBenchApp(): Promise<BenchApp> {
  const running = process.env.CALLBOARD_BENCH_URL;
  if (running !== undefined) {
    const address = new URL(running);
    return { url: address.origin, headers: bearer(address.searchParams.get('token')), stop: async () => {} };
  }
  const port = await freePort();
  const data = mkdtempSync(path.join(tmpdir(), 'callboard-bench-'));
  const launcher = spawn(process.execPath, ['bin/callboard.mjs', 'start'], {
    env: { ...process.env, PORT: String(port), CALLBOARD_DATA: data, CALLBOARD_WORKERS: '1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => launcher.once('exit', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    launcher.kill('SIGTERM');
    await ended;
    rmSync(data, { recursive: true, force: true });
  };
  for (let tries = 0; ; tries += 1) {
    if ((await fetch(`${url}/api/health`).catch(() => undefined))?.ok) {
      return { url, headers: bearer(readFileSync(path.join(data, 'access-token'), 'utf8').trim()), stop };
    }
    if (launcher.exitCode !== null || tries > 600) {
      await stop();
      throw new Error('Callboard did not start; the lines above say why.');
    }
    await sleep(500);
  }
}

function bearer(token: string | null): Readonly<Record<string, string>> {
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
