import { expect, test } from 'vitest';
import { brandAs, type RunId } from '@/lib/base/ids';
import type { RunEvent } from '@/lib/runtime/record/events';
import { eventsOf } from '@/lib/testing/events-of';
import { fakeClock } from '@/lib/testing/fake-clock';
import { testDatabase } from '@/lib/testing/postgres';
import { conditionsOf } from '@/lib/testing/run-conditions';
import { storedRun, taken } from '@/lib/testing/stored-run';
import { emptyTrace } from '@/lib/trace/empty-trace';
import { foldEvent } from '@/lib/trace/fold';
import { RunTexts, summariseRun } from '@/lib/trace/run-summary';
import { createEventWriter } from './event-writer';
import { findRunPage } from './run-pages';
import { summariseEndedRuns, toStoredSummary } from './run-summaries';

const { store } = await testDatabase();
const events = () =>
  eventsOf('lead 0-900: model 0-100, model 800-900', 'writer[1] 10>110-300: time__now 120-200', 'writer[2] 200-400');

/** Stores a finished run as a worker does, with its summary or as an older version did. */
async function ended(log: readonly RunEvent[], summarised: boolean): Promise<RunId> {
  const id = await storedRun(store);
  const { epoch } = await taken(store, id, 'w');
  const trace = emptyTrace();
  const texts = new RunTexts();
  const writer = createEventWriter(store, id, {
    startSeq: 0,
    epoch,
    clock: fakeClock(),
    batchMs: 0,
    onLost: (reason) => expect.unreachable(reason),
    onEvent(event) {
      foldEvent(trace, event);
      texts.add(event);
    },
    ...(summarised && { summary: () => toStoredSummary(summariseRun(trace), texts) }),
  });
  for (const { seq: _, at: __, ...body } of log) writer.append(body);
  await writer.flush();
  return id;
}

async function columnsOf(id: RunId) {
  const { rows } = await store.pool.query(
    'SELECT summarised, tokens, "costUsd", agents, tools, hooks, models, errors, texts, bytes > 1000 AS sized FROM "Run" WHERE id = $1',
    [id],
  );
  return rows[0];
}

test('the last event of a run stores its summary, and an older run is summarised afterwards in the same way', async () => {
  const fresh = await ended(events(), true);
  const summary = await columnsOf(fresh);
  expect(summary).toMatchObject({
    summarised: true,
    agents: '\nlead\nwriter\n',
    tools: expect.stringContaining('\ntime__now\n'),
    hooks: '\n',
    models: expect.stringMatching(/^\n.+\n$/),
    errors: 0,
    texts: expect.stringContaining('done'),
    sized: true,
  });
  expect(summary.tokens).toBeGreaterThan(0);

  const old = await ended(events(), false);
  expect(await columnsOf(old)).toMatchObject({ summarised: false, agents: null, sized: true });
  expect(await summariseEndedRuns(store, 10)).toBe(1);
  expect(await summariseEndedRuns(store, 10)).toBe(0);
  expect(await columnsOf(old)).toEqual(summary);
});

test('a run is found by what happened in it', async () => {
  const id = await ended(events(), true);
  const found = async (query: string) => {
    const { groups } = await findRunPage(store, { scope: 'all', where: conditionsOf(query), limit: 50 });
    return groups.some(({ runs }) => runs.some((run) => run.id === id));
  };
  for (const query of [
    'agent=WRIT',
    'agent.is=writer',
    'tool=time',
    'tool.is=time__now',
    'tool.not=other',
    'text=done',
  ])
    expect([query, await found(query)]).toEqual([query, true]);
  for (const query of ['agent.is=writ', 'tool.not=time__now', 'hook=audit', 'text=absent', 'tokens.gt=1M', 'cost.gt=1'])
    expect([query, await found(query)]).toEqual([query, false]);
  expect(await found('tokens.gt=10&tokens.lt=1M&duration.lt=1h&time.after=1h&status=completed')).toBe(true);
  expect(await found('time.before=1h')).toBe(false);
});

test('a run that another process removed is no error', async () => {
  await ended(events(), false);
  await store.prisma.run.deleteMany({ where: { id: brandAs<RunId>('none') } });
  expect(await summariseEndedRuns(store, 10)).toBe(1);
});
