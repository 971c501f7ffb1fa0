import assert from 'node:assert/strict';
import type { SeededRandom } from '@/lib/testing/seeded-random';
import { createProject, readLog, startRun, waitForEnd } from './api';
import type { FaultApp } from './app';
import type { CallBook } from './call-book';
import { faultsOfLog, faultsOfReader } from './checks';
import { watchHealth } from './health-watch';
import { breakParts } from './kills';
import { projectFiles } from './load';
import { type Reader, readStream } from './reader';
import { until } from './until';

/** A run and the reader that follows it. */
export interface FollowedRun {
  readonly id: string;
  readonly reader: Reader;
}

const runsUnderWay = 60;
const leastDrops = 100;

/**
 * Kills every part and restarts the database while 60 runs are active. Each run is followed over its stream by a reader
 * that keeps closing its connection.
 */
export async function storm(
  app: FaultApp,
  book: CallBook,
  randomOf: (stream: number) => SeededRandom,
  wave: number,
): Promise<string> {
  const project = await createProject(app.url, projectFiles(book));
  const stopReading = new AbortController();
  const health = watchHealth(app);
  const runs = new Map<string, FollowedRun>();
  let open = 0;

  async function topUp(): Promise<void> {
    while (open < runsUnderWay) {
      const number = wave * 10_000 + runs.size + 1;
      const id = await startRun(app.url, project, `run-${number}`);
      const reader = readStream(app.url, id, randomOf(1_000 + number), stopReading.signal);
      runs.set(`run-${number}`, { id, reader });
      open += 1;
      void reader.done.then(() => {
        open -= 1;
      });
    }
  }

  function markProgress(): () => readonly string[] {
    const before = [...runs].map(([name, { reader }]) => ({ name, reader, steps: stepsSeen(reader) }));
    return () =>
      before.flatMap(({ name, reader, steps }) => (reader.isDone() || stepsSeen(reader) > steps ? [] : [name]));
  }

  try {
    await breakParts(app, randomOf(10 + wave), topUp, markProgress);
    const wrong: string[] = [];
    for (const [name, run] of runs) wrong.push(...(await faultsOfRun(app, book, name, run)).wrong);
    const drops = [...runs.values()].reduce((sum, { reader }) => sum + reader.drops(), 0);
    assert.deepEqual(wrong.slice(0, 20), [], `${wrong.length} faults`);
    assert.deepEqual(health.lies, []);
    assert.ok(health.everDegraded(), 'health never said that something was down');
    assert.ok(drops >= leastDrops, `only ${drops} stream drops`);
    return `${runs.size} runs, ${drops} stream drops, ${book.count()} model calls, ${health.looked()} looks at health`;
  } finally {
    stopReading.abort();
    await health.stop();
  }
}

/** Waits until a run has ended, and returns its log, and what is wrong with the run and with what its reader received. */
export async function faultsOfRun(app: FaultApp, book: CallBook, name: string, { id, reader }: FollowedRun) {
  const run = await waitForEnd(app.url, id);
  const end = run.status === 'completed' ? [] : [`${name} (${id}) is ${run.status}: ${JSON.stringify(run.error)}`];
  const log = await readLog(app.url, id);
  await until(`the reader of ${name} has everything`, 10_000, async () => reader.seen.length >= log.length).catch(
    () => undefined,
  );
  return { log, wrong: [...end, ...faultsOfLog(name, log, book), ...faultsOfReader(name, reader, log)] };
}

/** Returns the number of steps whose end the reader has received. */
export function stepsSeen({ seen }: Reader): number {
  return seen.filter(({ text }) => /"kind":"(?:model|tool|instance)\.ended"/.test(text)).length;
}
