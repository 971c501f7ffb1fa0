import { expect, test } from 'vitest';
import { eventsOf } from '@/lib/testing/events-of';
import { testDatabase } from '@/lib/testing/postgres';
import { storedRun } from '@/lib/testing/stored-run';
import { decodeTrace } from '@/lib/trace/columns';
import { emptyTrace } from '@/lib/trace/empty-trace';
import { foldEvent } from '@/lib/trace/fold';
import { readRunTrace, saveRunTrace } from './run-traces';
import { findRun } from './runs';

const { store } = await testDatabase();

test('the record of a run is kept once, comes back byte for byte, and goes with its run', async () => {
  const id = await storedRun(store);
  expect(await readRunTrace(store, id)).toBeUndefined();
  const trace = emptyTrace();
  for (const event of eventsOf('lead 0-90: model 0-10', 'writer[1] 10-40: model 12-20')) foldEvent(trace, event);
  await saveRunTrace(store, id, trace);
  const bytes = await saveRunTrace(store, id, trace);
  const stored = await readRunTrace(store, id);
  expect(stored && [...stored]).toEqual([...bytes]);
  expect(decodeTrace(stored ?? new Uint8Array()).lanes).toHaveLength(2);
  expect((await findRun(store, id)).modelUsage).toMatchObject({ 'test-model': { inputTokens: 20, modelCalls: 2 } });
  await store.prisma.run.delete({ where: { id } });
  expect(await readRunTrace(store, id)).toBeUndefined();
});

test('a record of another format counts as missing', async () => {
  const id = await storedRun(store);
  await saveRunTrace(store, id, emptyTrace());
  await store.prisma.runTrace.update({ where: { runId: id }, data: { format: 0 } });
  expect(await readRunTrace(store, id)).toBeUndefined();
});
