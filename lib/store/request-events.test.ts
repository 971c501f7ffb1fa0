import { expect, test } from 'vitest';
import { brandAs, type CorrelationId, type InstancePath, type StepKey } from '@/lib/base/ids';
import { systemClock } from '@/lib/jobs/system-clock';
import type { EventBody } from '@/lib/runtime/record/events';
import { testDatabase } from '@/lib/testing/postgres';
import { logged, storedRun, taken } from '@/lib/testing/stored-run';
import { createEventWriter } from './event-writer';
import { readRequestEvents } from './events';

const { store } = await testDatabase();
const lead = brandAs<InstancePath>('lead');
const kid = brandAs<InstancePath>('lead/kid[1]');

test('of an instance come its begin and its requests, and of the run the texts at addresses', async () => {
  const run = await storedRun(store);
  const { epoch, lastSeq } = await taken(store, run, 'a');
  const writer = createEventWriter(store, run, { startSeq: lastSeq, epoch, clock: systemClock, onLost: () => {} });
  const queued = (path: InstancePath): EventBody => ({
    kind: 'instance.queued',
    path,
    agentName: 'x',
    instanceName: 'x',
    correlationId: brandAs<CorrelationId>('c'),
    depth: 0,
  });
  const asked = (path: InstancePath, tools: readonly string[]): EventBody => ({
    kind: 'model.started',
    path,
    step: brandAs<StepKey>(`${path}#m1`),
    attempt: 1,
    model: 'm',
    messageCount: 1,
    tools,
  });
  writer.append({ kind: 'url.fetched', url: 'https://a.example', text: 'Text' });
  for (const event of [queued(lead), asked(lead, ['go']), logged('no'), queued(kid), asked(kid, ['get', 'set'])]) {
    writer.append(event);
  }
  await writer.flush();
  expect((await readRequestEvents(store, run, kid)).map((event) => event.kind)).toEqual([
    'url.fetched',
    'instance.queued',
    'model.started',
  ]);
  expect((await readRequestEvents(store, run, kid)).at(-1)).toMatchObject({ path: kid, tools: ['get', 'set'] });
});
