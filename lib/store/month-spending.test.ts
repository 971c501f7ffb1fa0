import { expect, it } from 'vitest';
import { brandAs, type EpochMs, type InstancePath, type RunId, type StepKey } from '@/lib/base/ids';
import { monthOf } from '@/lib/base/limits';
import type { EventBody } from '@/lib/runtime/record/events';
import { noUsage } from '@/lib/runtime/record/messages';
import { fakeClock } from '@/lib/testing/fake-clock';
import { testDatabase } from '@/lib/testing/postgres';
import { finished, storedRun, taken } from '@/lib/testing/stored-run';
import { deleteSomeRuns } from './delete-runs';
import { createEventWriter } from './event-writer';
import { saveCommonBudget, saveOwnBudget } from './limit-rules';
import { findSpentBudget, listProjectBudgets, readMonthSpending } from './month-spending';
import { removeProject } from './projects';

const { store } = await testDatabase();

const begun = (isScripted = false): EventBody => ({
  kind: 'run.started',
  runId: brandAs<RunId>('r'),
  correlationId: brandAs('c'),
  entryAgent: 'a',
  message: 'Go',
  model: undefined,
  scripted: isScripted,
});

function called(tokens: number, costUsd?: number): EventBody {
  return {
    kind: 'model.ended',
    path: brandAs<InstancePath>('a'),
    agentName: 'a',
    instanceName: 'a',
    step: brandAs<StepKey>('a#m1'),
    usage: { ...noUsage, inputTokens: tokens, modelCalls: 1 },
    ...(costUsd !== undefined && { costUsd }),
    requests: 1,
  } as EventBody;
}

async function begin() {
  const id = await storedRun(store);
  const run = await taken(store, id, 'w');
  const writer = createEventWriter(store, id, {
    startSeq: 0,
    epoch: run.epoch,
    clock: fakeClock(),
    batchMs: 0,
    onLost: () => undefined,
  });
  const write = async (...events: readonly EventBody[]) => {
    for (const event of events) writer.append(event);
    await writer.flush();
  };
  const spent = () => readMonthSpending(store.pool, run.projectId);
  return { id, projectId: run.projectId, writer, write, spent };
}

it('the month of a project counts what runs use while they are under way', async () => {
  const { write, spent } = await begin();
  const month = monthOf(new Date());
  expect(await spent()).toEqual({ month, runs: 0, usd: 0, tokens: 0, unpricedCalls: 0 });
  await write(begun(), called(1_000, 0.25));
  expect(await spent()).toEqual({ month, runs: 1, usd: 0.25, tokens: 1_000, unpricedCalls: 0 });
  await write(called(500, 0.5), called(30));
  await write(finished);
  expect(await spent()).toEqual({ month, runs: 1, usd: 0.75, tokens: 1_530, unpricedCalls: 1 });
});

it('answers that a run takes from the record of another run cost nothing', async () => {
  const { write, writer, spent } = await begin();
  for (const body of [begun(), called(1_000, 0.25)]) writer.appendAt(body, brandAs<EpochMs>(1));
  await write(called(10, 0.5), finished);
  expect(await spent()).toMatchObject({ runs: 1, usd: 0.5, tokens: 10 });
});

it('a scripted run uses nothing', async () => {
  const { write, spent } = await begin();
  await write(begun(true), called(1_000, 0.25));
  await write(called(10), finished);
  expect(await spent()).toMatchObject({ runs: 1, usd: 0, tokens: 0, unpricedCalls: 0 });
});

it('deleting runs gives no budget back, and a deleted project leaves no count', async () => {
  const { id, projectId, write, spent } = await begin();
  await write(begun(), called(1_000, 0.25), finished);
  await deleteSomeRuns(store, { ids: [id], scope: 'all' });
  expect(await store.prisma.run.count({ where: { id } })).toBe(0);
  expect(await spent()).toMatchObject({ runs: 1, usd: 0.25 });
  await removeProject(store, projectId);
  expect(await store.prisma.monthSpending.count({ where: { projectId } })).toBe(0);
});

it('only this month counts, and a budget that is used up says so', async () => {
  const { projectId, write } = await begin();
  const before = { projectId, month: '2026-01', part: 0, runs: 90, costUsd: 90, tokens: 90_000 };
  await store.prisma.monthSpending.create({ data: before });
  await saveOwnBudget(store.pool, projectId, { maxUsd: 1, maxTokens: null, maxRuns: 1, byAdministrator: false });
  await write(begun(), called(10, 0.5));
  // The run itself was counted when it began, so the number of runs stops none that is under way.
  expect(await findSpentBudget(store.pool, projectId)).toBeUndefined();
  await write(called(10, 0.5));
  expect(await findSpentBudget(store.pool, projectId)).toMatch(/^The runs of this project have used \$1 of \$1 in /);
  await saveOwnBudget(store.pool, projectId, undefined);
  expect(await findSpentBudget(store.pool, projectId)).toBeUndefined();
});

it('projects with usage or a budget that the reader may see are listed, the most expensive first', async () => {
  const cheap = await begin();
  await cheap.write(begun(), called(10, 1));
  const dear = await begin();
  await dear.write(begun(), called(10, 2));
  const idle = await begin();
  await saveOwnBudget(store.pool, dear.projectId, {
    maxUsd: 9,
    maxTokens: null,
    maxRuns: null,
    byAdministrator: false,
  });
  await saveCommonBudget(store.pool, { maxUsd: 4, maxTokens: 100, maxRuns: null });
  const listed = await listProjectBudgets(store.pool, [idle.projectId, cheap.projectId, dear.projectId]);
  expect(listed).toMatchObject([
    { id: dear.projectId, budget: { maxUsd: 4, maxTokens: 100, maxRuns: null }, spent: { usd: 2 } },
    { id: cheap.projectId, own: undefined, spent: { usd: 1 } },
  ]);
  expect(listed).toHaveLength(2);
  expect(await listProjectBudgets(store.pool, [])).toEqual([]);
});
