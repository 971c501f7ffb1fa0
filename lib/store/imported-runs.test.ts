import { expect, test } from 'vitest';
import { brandAs, type CorrelationId, type ProjectId, type RunId } from '@/lib/base/ids';
import { eventsOf } from '@/lib/testing/events-of';
import { testDatabase } from '@/lib/testing/postgres';
import { readAllEvents } from './events';
import { encodeRun, encodeSpans } from './imported-run-rows';
import { addSpans, findUnsettledRuns, readUnsettledRun, settleRun } from './imported-runs';
import { findProject, insertProject } from './projects';

const { store } = await testDatabase();

async function newRun(name: string) {
  const projectId = brandAs<ProjectId>(await insertProject(store, 'P', new Map()));
  const { treeHash } = await findProject(store, projectId);
  const id = brandAs<RunId>(name);
  const add = (...spans: readonly string[]) =>
    addSpans(
      store,
      { id, projectId, treeHash, source: 'test' },
      encodeSpans(spans.map((spanId) => ({ spanId, body: JSON.stringify({ spanId }) }))),
    );
  return { id, add };
}

async function unsettled(id: RunId) {
  const found = await readUnsettledRun(store, id);
  if (found === undefined) throw new Error('The run is settled');
  const spans = (found.pages ?? []).flatMap((page) => JSON.parse(new TextDecoder().decode(page)));
  return { version: found.version, spans };
}

const run = encodeRun({
  source: 'test',
  correlationId: brandAs<CorrelationId>('c'),
  events: eventsOf('lead 0-90: model 0-10'),
});

test('spans that arrive while the events are made leave the run unsettled, with the events so far', async () => {
  const { id, add } = await newRun('late');
  expect(await add('b', 'a')).toBe(2);
  const first = await unsettled(id);
  expect(first.spans).toEqual([{ spanId: 'a' }, { spanId: 'b' }]);
  expect(await add('c')).toBe(1);
  expect(await settleRun(store, id, first.version, run)).toBe(false);
  expect((await readAllEvents(store, id)).at(-1)?.kind).toBe('run.finished');
  expect(await findUnsettledRuns(store)).toContain(id);

  const second = await unsettled(id);
  expect(second.spans).toHaveLength(3);
  expect(await settleRun(store, id, second.version, run)).toBe(true);
  expect(await readUnsettledRun(store, id)).toBeUndefined();
  expect(await findUnsettledRuns(store)).not.toContain(id);
});

test('spans that are the same as before leave a run settled', async () => {
  const { id, add } = await newRun('same');
  await add('a');
  await settleRun(store, id, (await unsettled(id)).version, run);
  expect(await add('a')).toBe(1);
  expect(await readUnsettledRun(store, id)).toBeUndefined();
});

test('a large trace is read in pages, and of spans beyond the limit some are stored', async () => {
  const { id, add } = await newRun('large');
  const ids = Array.from({ length: 4_500 }, (_, index) => String(index).padStart(5, '0'));
  await add(...ids);
  const { pages } = (await readUnsettledRun(store, id)) ?? {};
  expect(pages).toHaveLength(3);
  expect((await unsettled(id)).spans.map(({ spanId }: { spanId: string }) => spanId)).toEqual(ids);
  await store.prisma.importedTrace.update({ where: { runId: id }, data: { spanCount: 97_000 } });
  expect(await add(...ids.map((each) => `x${each}`))).toBe(3_000);
  expect(await add('y')).toBe(0);
});

test('texts that Postgres refuses in other columns are kept in a span', async () => {
  const { id } = await newRun('odd');
  const projectId = await insertProject(store, 'P', new Map());
  const { treeHash } = await findProject(store, projectId);
  const body = JSON.stringify({ name: 'a\0b \ud800 "quoted" \\u0000 😀' });
  await addSpans(store, { id, projectId, treeHash, source: 'test' }, encodeSpans([{ spanId: 'a', body }]));
  expect((await unsettled(id)).spans).toEqual([JSON.parse(body)]);
});
