import { type ApiEvent, createProject, exampleFiles, readEvents, readRun, startRun, waitForEnd } from '../api';
import { type AppProcess, startApp, waitUntilHealthy } from '../app-process';
import { expect, test } from '../test';

test.describe.configure({ mode: 'serial' });

let app: AppProcess;
let project: string;

test.beforeAll(async () => {
  app = await startApp();
  project = await createProject(app.url, 'Breaks', exampleFiles('pmo'));
});

test.afterAll(async () => {
  await app.stop();
});

for (const part of ['worker', 'web', 'database'] as const) {
  test(`a run goes on after the ${part} is killed in the middle, and repeats no recorded step`, async () => {
    const run = await startRun(app.url, project, 'Daily report, please');
    const before = await eventsUntil(run, (events) => events.some((one) => one.kind === 'tool.ended'));
    app.kill(part);
    await waitUntilHealthy(app.url);

    expect(await waitForEnd(app.url, run, 90_000)).toBe('completed');
    const events = await readEvents(app.url, run);
    expect(events.slice(0, before.length)).toEqual(before);
    expect(events.map((one) => one.seq)).toEqual(events.map((_, index) => index + 1));
    expect(startedAgain(events)).toEqual([]);
    expect(events.filter((one) => one.kind === 'run.finished')).toHaveLength(1);
    expect((await readRun(app.url, run)).answer).toContain('London · economics');
  });
}

async function eventsUntil(run: string, isReached: (events: ApiEvent[]) => boolean): Promise<ApiEvent[]> {
  let events: ApiEvent[] = [];
  const reached = async () => {
    events = await readEvents(app.url, run);
    return isReached(events);
  };
  await expect.poll(reached, { timeout: 60_000, intervals: [100] }).toBe(true);
  return events;
}

/** Returns steps that started although the earlier log already had their end, and steps that ended twice. */
function startedAgain(events: readonly ApiEvent[]): string[] {
  const ended = new Set<string>();
  const wrong: string[] = [];
  for (const one of events) {
    if (one.step === undefined || one.kind === 'log') continue;
    if (ended.has(one.step)) wrong.push(`${one.kind} ${one.step}`);
    if (one.kind.endsWith('.ended')) ended.add(one.step);
  }
  return wrong;
}
