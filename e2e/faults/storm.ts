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

const runCount = 60;
const dropCount = 100;

/**
 * 60 runs under way, each followed over its stream by a reader that keeps cutting its connection, while every part is
 * killed and the database restarted.
 */
export async function storm(
  app: FaultApp,
  book: CallBook,
  randomOf: (stream: number) => SeededRandom,
  plan: { readonly wave: number; readonly kills: number; readonly launcherKills: number },
): Promise<string> {
  const project = await createProject(app.url, projectFiles(book));
  const stopReading = new AbortController();
  const health = watchHealth(app);
  const runs = new Map<string, { readonly id: string; readonly reader: Reader }>();
  for (let index = 1; index <= runCount; index += 1) {
    const name = `run-${plan.wave * 100 + index}`;
    const id = await startRun(app.url, project, name);
    runs.set(name, { id, reader: readStream(app.url, id, randomOf(100 + index), stopReading.signal) });
  }
  let open = runs.size;
  for (const { reader } of runs.values()) void reader.done.then(() => (open -= 1));
  try {
    const done = await breakParts(app, book, randomOf(10 + plan.wave), { ...plan, isOver: () => open < runCount / 4 });
    const wrong: string[] = [];
    for (const [name, { id, reader }] of runs) {
      const run = await waitForEnd(app.url, id);
      if (run.status !== 'completed') wrong.push(`${name} (${id}) is ${run.status}: ${JSON.stringify(run.error)}`);
      const log = await readLog(app.url, id);
      await Promise.race([reader.done, new Promise((resolve) => setTimeout(resolve, 10_000))]);
      wrong.push(...faultsOfLog(name, log, book), ...faultsOfReader(name, reader, log));
    }
    await health.stop();
    const drops = [...runs.values()].reduce((sum, { reader }) => sum + reader.drops(), 0);
    assert.deepEqual(wrong.slice(0, 20), [], `${wrong.length} faults`);
    assert.ok(done.length >= plan.kills / 2, `the runs were over after ${done.length} faults`);
    assert.deepEqual(health.lies, []);
    assert.ok(health.everDegraded(), 'health never said that something was down');
    assert.ok(drops >= dropCount, `only ${drops} stream drops`);
    return `${done.length} faults, ${drops} stream drops, ${book.count()} model calls, ${health.looked()} looks at health`;
  } finally {
    stopReading.abort();
    await health.stop();
  }
}
