import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { brandAs, type CorrelationId, type InstancePath, type RunId, type StepKey } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { systemClock } from '@/lib/jobs/system-clock';
import type { EventBody } from '@/lib/runtime/record/events';
import { testDatabase } from '@/lib/testing/postgres';
import { taken } from '@/lib/testing/stored-run';
import { createEventWriter } from './event-writer';
import { findHookChanges, mostRuns } from './hook-changes';
import { findProject, insertProject } from './projects';
import { insertRunsSql, runValues } from './runs';

const { store } = await testDatabase();

test('lists what one hook changed over the runs of one project, page by page', async () => {
  const project = await insertProject(store, 'Hooks', folderOf({ 'a.md': 'a' }), { origin: 'api' });
  const other = await insertProject(store, 'Other', folderOf({ 'a.md': 'a' }), { origin: 'api' });
  const first = await runWith(project, [
    hook(1, 'hooks.ts:audit', 99),
    hook(2, 'hooks.ts:log', 7),
    hook(3, 'hooks.ts:audit', 5),
  ]);
  const second = await runWith(project, [hook(1, 'hooks.ts:audit', undefined), hook(2, 'hooks.ts:audit', 42)]);
  await runWith(other, [hook(1, 'hooks.ts:audit', 1)]);

  const query = { hook: 'hooks.ts:audit', limit: 2, after: undefined };
  const page = await findHookChanges(store, project, query);
  expect(page.changes.map(({ runId, seq, startSeq, path, line }) => ({ runId, seq, startSeq, path, line }))).toEqual([
    { runId: second, seq: 4, startSeq: 3, path: 'lead', line: 'x: 42 → 10' },
    { runId: first, seq: 6, startSeq: 5, path: 'lead', line: 'x: 5 → 10' },
  ]);
  const rest = await findHookChanges(store, project, { ...query, after: page.next });
  expect(rest.changes.map(({ runId, line }) => [runId, line])).toEqual([[first, 'x: 99 → 10']]);
  expect(rest.next).toBeUndefined();
  expect((await findHookChanges(store, project, { ...query, hook: 'hooks.ts:other' })).changes).toEqual([]);
});

test('looks into a bounded number of runs, and goes on after them', async () => {
  const project = await insertProject(store, 'Many', folderOf({ 'a.md': 'a' }), { origin: 'api' });
  const oldest = await runWith(project, [hook(1, 'hooks.ts:audit', 3)]);
  for (let i = 0; i < mostRuns; i++) await insertRun(project);
  const query = { hook: 'hooks.ts:audit', limit: 5, after: undefined };
  const empty = await findHookChanges(store, project, query);
  expect(empty).toMatchObject({ changes: [], runs: mostRuns });
  const found = await findHookChanges(store, project, { ...query, after: empty.next });
  expect(found.changes.map(({ runId }) => runId)).toEqual([oldest]);
  expect(found.next).toBeUndefined();
});

type ProjectId = Parameters<typeof findHookChanges>[1];

async function insertRun(projectId: ProjectId): Promise<RunId> {
  const { treeHash } = await findProject(store, projectId);
  const id = brandAs<RunId>(randomUUID());
  const correlationId = brandAs<CorrelationId>(randomUUID());
  const run = { id, projectId, treeHash, correlationId, agent: undefined, message: 'Go', model: undefined };
  await store.pool.query(insertRunsSql, [...runValues([run])]);
  return id;
}

async function runWith(project: ProjectId, events: readonly (readonly EventBody[])[]): Promise<RunId> {
  const id = await insertRun(project);
  const { epoch, lastSeq } = await taken(store, id, 'a');
  const lost: unknown[] = [];
  const onLost = (reason: unknown) => lost.push(reason);
  const writer = createEventWriter(store, id, { startSeq: lastSeq, epoch, clock: systemClock, onLost });
  for (const body of events.flat()) writer.append(body);
  await writer.flush();
  expect(lost).toEqual([]);
  return id;
}

/** A hook that changes x from a number to 10; `undefined` for one that changes nothing. */
function hook(n: number, name: string, x: number | undefined): readonly EventBody[] {
  const at = { path: brandAs<InstancePath>('lead'), step: brandAs<StepKey>(`lead#t${n}.h1`) };
  const changes = x === undefined ? [] : [{ what: 'arguments' as const, before: { x }, after: { x: 10 } }];
  return [
    { kind: 'hook.started', ...at, attempt: 1, hook: name, phase: 'around', around: brandAs<StepKey>(`lead#t${n}`) },
    { kind: 'hook.ended', ...at, calledNext: true, changes },
  ];
}
