import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, expect, it, vi } from 'vitest';
import { brandAs, type CorrelationId, type ProjectId, type RunId } from '@/lib/base/ids';
import { noLimits, noRunLimits } from '@/lib/base/limits';
import { folderOf } from '@/lib/cards/files';
import { runEventsChannel } from '@/lib/store/events';
import { readLimitRules, saveLimits, saveOwnBudget } from '@/lib/store/limit-rules';
import { readMonthSpending } from '@/lib/store/month-spending';
import { openNotifications } from '@/lib/store/notifications';
import { findProject, insertProject } from '@/lib/store/projects';
import { findRun } from '@/lib/store/runs';
import { fakeClock } from '@/lib/testing/fake-clock';
import { startFakeOpenAI } from '@/lib/testing/fake-openai';
import { testDatabase } from '@/lib/testing/postgres';
import { watchRun } from '@/lib/testing/watch-run';
import { startWorkerHere } from '@/lib/testing/worker-here';
import { openRunQueue } from './enqueue';
import { openProjectBudgets } from './project-budgets';
import { systemClock } from './system-clock';

/** Budgets of projects with a real worker. */

const { url, store } = await testDatabase();
const queue = openRunQueue(store);
const notifications = openNotifications(url, runEventsChannel);
const dataFolder = mkdtempSync(path.join(tmpdir(), 'callboard-budgets-'));
// Half a million tokens of gpt-4.1 cost a dollar. The model goes on until it is stopped, or told to end.
const model = await startFakeOpenAI({
  respond: ({ messages }) => ({
    ...(messages.some(({ text }) => text.includes('briefly'))
      ? { text: 'Done.' }
      : { toolCalls: [{ name: 'nothing', arguments: {} }] }),
    usage: { prompt_tokens: 500_000, completion_tokens: 0 },
  }),
});
const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'key' };
const worker = await startWorkerHere({ databaseUrl: url, dataFolder, env });

afterAll(async () => {
  await worker.stop();
  await Promise.all([notifications.close(), model.close()]);
  rmSync(dataFolder, { recursive: true, force: true });
});

async function projectWith(cardModel: string): Promise<ProjectId> {
  const card = `---\ntype: agent\nname: poet\nmodel: ${cardModel}\n---\nYou are a poet.\n`;
  return await insertProject(store, 'Poems', folderOf({ 'agent-cards/poet.md': card }), { origin: 'api' });
}

async function start(projectId: ProjectId, message: string): Promise<RunId> {
  const { treeHash } = await findProject(store, projectId);
  const id = brandAs<RunId>(randomUUID());
  const correlationId = brandAs<CorrelationId>(randomUUID());
  await queue.enqueueRun({ id, projectId, treeHash, correlationId, agent: undefined, message, model: undefined });
  return id;
}

async function ended(id: RunId) {
  const { signal } = new AbortController();
  for await (const batch of watchRun(store, notifications, systemClock, { id, after: 0, signal })) {
    if (batch.some(({ kind }) => kind === 'run.finished')) break;
  }
  return await findRun(store, id);
}

const only = (maxUsd: number) => ({ maxUsd, maxTokens: null, maxRuns: null, byAdministrator: true });

it('a worker stops a run that has used the rest of the month, and the next one before its first model call', async () => {
  const projectId = await projectWith('openai.gpt-4.1');
  expect((await ended(await start(projectId, 'briefly'))).status).toBe('completed');
  await saveOwnBudget(store.pool, projectId, only(4));
  const stopped = await ended(await start(projectId, 'Go on'));
  expect(stopped).toMatchObject({ status: 'failed', error: { code: 'over_budget' } });
  expect(stopped.error?.message).toMatch(
    /^The runs of this project have used \$4 of \$4 in .* The budget renews on 1 /,
  );
  expect(model.requests).toHaveLength(4);
  // A turn in line, for example, was taken in while there was money left.
  expect((await ended(await start(projectId, 'briefly'))).error?.code).toBe('over_budget');
  expect(model.requests).toHaveLength(4);
  expect(await readMonthSpending(store.pool, projectId)).toMatchObject({ runs: 3, usd: 4, tokens: 2_000_000 });

  await saveOwnBudget(store.pool, projectId, only(5));
  expect((await ended(await start(projectId, 'briefly'))).status).toBe('completed');
});

it('runs at the same time share the rest of the budget, except for calls in flight', async () => {
  const projectId = await projectWith('openai.gpt-4.1');
  await saveOwnBudget(store.pool, projectId, only(20));
  const runs = await Promise.all(Array.from({ length: 4 }, () => start(projectId, 'Go on')));
  const codes = (await Promise.all(runs.map(ended))).map(({ error }) => error?.code);
  expect(codes).toEqual(['over_budget', 'over_budget', 'over_budget', 'over_budget']);
  const { usd } = await readMonthSpending(store.pool, projectId);
  expect(usd).toBeGreaterThanOrEqual(20);
  expect(usd).toBeLessThanOrEqual(23);
});

it('calls of a model without a known price are counted as such, and tokens limit them', async () => {
  const projectId = await projectWith('openai.mystery');
  const spent = () => readMonthSpending(store.pool, projectId);
  await saveOwnBudget(store.pool, projectId, { ...only(1), maxTokens: 1_000_000 });
  const run = await ended(await start(projectId, 'Go on'));
  expect([run.error?.code, (await spent()).unpricedCalls]).toEqual(['over_budget', 2]);
  expect(await spent()).toMatchObject({ usd: 0, tokens: 1_000_000 });
});

it('no run takes longer than an administrator allows', async () => {
  const projectId = await projectWith('openai.mystery');
  await saveLimits(store.pool, { ...noLimits, runs: { ...noRunLimits, longestMs: 50 } });
  const run = await ended(await start(projectId, 'Go on'));
  expect(run.error).toMatchObject({
    code: 'run_timeout',
    message: 'The run took longer than 50 ms. No run may take longer here. Split it into shorter runs.',
  });
});

it('a run in a project without a budget reads the limits once', async () => {
  const project = await projectWith('openai.gpt-4.1');
  const query = vi.spyOn(Client.prototype, 'query');
  // On a slow machine the model is called more than a second after the limits were read.
  const now = vi.spyOn(systemClock, 'now').mockReturnValue(systemClock.now());
  try {
    await ended(await start(project, 'briefly'));
    const names = query.mock.calls.map(([one]: readonly unknown[]) =>
      typeof one === 'object' && one !== null && 'name' in one ? one.name : undefined,
    );
    expect(names.filter((name) => name === 'limit-rules')).toHaveLength(1);
  } finally {
    query.mockRestore();
    now.mockRestore();
  }
});

it('a budget that was set while the limits were read is found a second after that read began', async () => {
  const project = await projectWith('openai.gpt-4.1');
  await saveOwnBudget(store.pool, project, only(0));
  const without = await readLimitRules(store.pool);
  const clock = fakeClock();
  const readAt = clock.now();
  await clock.advance(900);
  const find = openProjectBudgets(store, clock).of(project, { flush: () => Promise.resolve() }, without, readAt);
  await clock.advance(99);
  expect(find()).toBeUndefined();
  await clock.advance(1);
  expect(await find()).toMatch(/^The runs of this project have used /);
});

it('a later read that finds no budget counts from its beginning too', async () => {
  const project = await projectWith('openai.gpt-4.1');
  const without = await readLimitRules(store.pool);
  const clock = fakeClock();
  const find = openProjectBudgets(store, clock).of(project, { flush: () => Promise.resolve() }, without, clock.now());
  await clock.advance(1_000);
  const reading = find();
  await clock.advance(900);
  await reading;
  await saveOwnBudget(store.pool, project, only(0));
  await clock.advance(99);
  expect(find()).toBeUndefined();
  await clock.advance(1);
  expect(await find()).toMatch(/^The runs of this project have used /);
});
