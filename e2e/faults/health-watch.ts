import { setTimeout as sleep } from 'node:timers/promises';
import { type FaultApp, readHealth, workerCount } from './app';

/** Compares the reported health with the real processes until it is stopped. */
export interface HealthWatch {
  /** Returns the number of answers that were compared. */
  readonly looked: () => number;
  /** Reports that were wrong three times in a row. A single wrong one may fall between a death and its detection. */
  readonly lies: readonly string[];
  /** True if the health was `degraded` at least once. */
  readonly everDegraded: () => boolean;
  stop(): Promise<void>;
}

export function watchHealth(app: FaultApp): HealthWatch {
  const stopping = new AbortController();
  const lies: string[] = [];
  let looked = 0;
  let degraded = false;
  let wrongInARow = 0;

  async function look(): Promise<void> {
    const before = app.pids('worker');
    const health = await readHealth(app.url);
    if (health === undefined) return;
    looked += 1;
    if (health.status === 'degraded') degraded = true;
    const there = new Set([...before, ...app.pids('worker')]).size;
    const isWrong =
      health.status === 'ok' && (there < workerCount || health.workers < workerCount || health.silent > 0);
    wrongInARow = isWrong ? wrongInARow + 1 : 0;
    if (wrongInARow === 3)
      lies.push(`${new Date().toISOString()} ${there} workers run, and health says ${JSON.stringify(health)}`);
  }

  const done = (async () => {
    while (!stopping.signal.aborted) {
      await look();
      await sleep(400, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();

  return {
    looked: () => looked,
    lies,
    everDegraded: () => degraded,
    async stop() {
      stopping.abort();
      await done;
    },
  };
}
