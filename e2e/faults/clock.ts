import assert from 'node:assert/strict';
import { createProject, readLog, startRun, waitForEnd } from './api';
import type { FaultApp } from './app';
import type { CallBook } from './call-book';
import { faultsOfLog } from './checks';
import { projectFiles } from './load';
import { until } from './until';

/** Sets the clock of the web and of the workers back by an hour while one run is under way, and starts another. */
export async function stepClock(app: FaultApp, book: CallBook): Promise<string> {
  const project = await createProject(app.url, projectFiles(book));
  const before = await startRun(app.url, project, 'run-900001');
  await until('the first run has begun', 60_000, async () => (await readLog(app.url, before)).length > 5);
  setClockBack(app);
  const after = await startRun(app.url, project, 'run-900002');
  for (const [name, id] of [
    ['run-900001', before],
    ['run-900002', after],
  ] as const) {
    const run = await waitForEnd(app.url, id, 60_000);
    assert.equal(run.status, 'completed', `${name}: ${JSON.stringify(run.error)}`);
    assert.deepEqual(faultsOfLog(name, await readLog(app.url, id), book), []);
  }
  return 'an hour back: the queue goes on, events are in order';
}

/** Sets the clock of the web and of the workers back by an hour. */
export function setClockBack(app: FaultApp): void {
  for (const part of ['web', 'worker'] as const) for (const pid of app.pids(part)) process.kill(pid, 'SIGUSR2');
}
