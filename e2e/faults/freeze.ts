import assert from 'node:assert/strict';
import { createProject, readLog, startRun, waitForEnd } from './api';
import { bearer, type FaultApp, readHealth } from './app';
import type { CallBook } from './call-book';
import { faultsOfLog } from './checks';
import { projectFiles } from './load';
import { until } from './until';

/** Starts a run that blocks its worker beside runs that do not. */
export async function freezeWorker(app: FaultApp, book: CallBook): Promise<string> {
  const project = await createProject(app.url, projectFiles(book));
  const names = ['run-910001', 'run-910002', 'run-910003'];
  const beside = await Promise.all(names.map((name) => startRun(app.url, project, name)));
  await blockWorker(app);
  for (const [index, id] of beside.entries()) {
    assert.equal((await waitForEnd(app.url, id)).status, 'completed');
    assert.deepEqual(faultsOfLog(names[index] ?? '', await readLog(app.url, id), book), []);
  }
  await until('health is ok again', 60_000, async () => (await readHealth(app.url))?.status === 'ok');
  return 'the run ended worker_frozen, three runs beside it completed';
}

/** Starts a run that blocks its worker. Resolves when health has said so, and the run has ended for this reason. */
export async function blockWorker(app: FaultApp): Promise<void> {
  const breaking = await createProject(app.url, { 'a.md': '---\nname: a\nmodel: passthrough\n---\nA.\n' });
  const freezing = await startRun(app.url, breaking, '***CALL_TOOL nothing {"break":"freeze"}');
  await until('health says that a worker is silent', 60_000, async () => {
    const health = await readHealth(app.url);
    return health?.status === 'degraded' && health.silent > 0;
  });
  const run = await waitForEnd(app.url, freezing);
  assert.equal(run.error?.code, 'worker_frozen', JSON.stringify(run));
}

/** Sends a request that blocks the web process. */
export async function freezeWeb(app: FaultApp): Promise<string> {
  const before = app.pids('web');
  const headers = { ...bearer, 'content-type': 'application/json' };
  const body = '{"break":"freeze"}';
  void fetch(`${app.url}/api/v1/projects`, { method: 'POST', headers, body }).catch(() => undefined);
  await until('the web process is another', 60_000, async () => {
    const now = app.pids('web');
    return now.length > 0 && now.every((pid) => !before.includes(pid));
  });
  await until('health is ok again', 60_000, async () => (await readHealth(app.url))?.status === 'ok');
  return 'it was ended and started again';
}
