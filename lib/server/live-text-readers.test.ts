import { afterAll, describe, expect, it } from 'vitest';
import { brandAs, type InstancePath, type RunId, type StepKey } from '@/lib/base/ids';
import { LiveTextSender } from '@/lib/jobs/live-text-sender';
import { systemClock } from '@/lib/jobs/system-clock';
import type { ModelDelta } from '@/lib/runtime/record/events';
import { liveTextsChannel, sendNotifications, watchTextsChannel, watchTextsKey } from '@/lib/store/live-text-messages';
import { openNotifications } from '@/lib/store/notifications';
import { testDatabase } from '@/lib/testing/postgres';
import { type LiveTextReader, openLiveTextReaders } from './live-text-readers';

const { url, store } = await testDatabase();
const toWorkers = openNotifications(url, watchTextsChannel);
const toReaders = openNotifications(url, liveTextsChannel);
const sender = new LiveTextSender(systemClock, (messages) => sendNotifications(store, liveTextsChannel, messages));
toWorkers.subscribe(watchTextsKey, (request) => {
  if (request !== undefined) sender.watch(request);
});
const readers = openLiveTextReaders(toReaders, systemClock, (requests) =>
  sendNotifications(store, watchTextsChannel, requests),
);

afterAll(async () => {
  sender.close();
  await Promise.all([toWorkers.close(), toReaders.close()]);
});

const path = brandAs<InstancePath>('lead');
const delta = (text: string): ModelDelta => {
  const step = brandAs<StepKey>('lead#m1');
  return { path, step, text, agentName: 'lead', instanceName: 'lead', sessionId: undefined, incremental: true };
};

/** A reader that keeps the text, and can wait for it. */
function follow(runId: RunId, through = readers) {
  let text = '';
  let wake = () => {};
  const reader: LiveTextReader = through.open(runId, () => wake());
  return {
    reader,
    async until(wanted: string) {
      for (;;) {
        for (const piece of reader.take().pieces) text = text.slice(0, piece.at) + piece.text;
        if (text === wanted) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

describe('from worker to readers through the database', () => {
  it('brings each reader the text so far and what follows, however late it comes', async () => {
    const runId = brandAs<RunId>('run-a');
    const run = sender.open(runId, 1);
    run.add(delta('The weather'));
    const early = follow(runId);
    await early.until('The weather');
    run.add(delta(' in Bern: '));
    await early.until('The weather in Bern: ');
    const late = follow(runId);
    await late.until('The weather in Bern: ');
    run.add(delta('snow 😀'));
    await Promise.all([early.until('The weather in Bern: snow 😀'), late.until('The weather in Bern: snow 😀')]);
    early.reader.close();
    late.reader.close();
  });

  it('rings for a reader that comes while another one has the text, although nothing more is said', async () => {
    const runId = brandAs<RunId>('run-c');
    const run = sender.open(runId, 1);
    run.add(delta('The weather'));
    const before = follow(runId);
    await before.until('The weather');
    let rings = 0;
    const after = readers.open(runId, () => {
      rings += 1;
    });
    before.reader.close();
    expect(rings).toBe(1);
    expect(after.take().pieces.map(({ text }) => text)).toEqual(['The weather']);
    after.close();
  });

  it('asks again for the text so far if a request could not be sent', async () => {
    const runId = brandAs<RunId>('run-d');
    const run = sender.open(runId, 1);
    run.add(delta('The weather'));
    // The worker has sent all of it to another web process.
    const elsewhere = follow(runId);
    await elsewhere.until('The weather');
    let tries = 0;
    const clock = { ...systemClock, sleep: (_ms: number, signal?: AbortSignal) => systemClock.sleep(1, signal) };
    const patient = openLiveTextReaders(toReaders, clock, async (requests) => {
      tries += 1;
      if (tries < 3) throw new Error('The database is away.');
      await sendNotifications(store, watchTextsChannel, requests);
    });
    const { reader, until } = follow(runId, patient);
    await until('The weather');
    for (const each of [elsewhere.reader, reader]) each.close();
    expect(tries).toBeGreaterThanOrEqual(3);
  });

  it('begins anew when another attempt of the run speaks', async () => {
    const runId = brandAs<RunId>('run-b');
    const first = sender.open(runId, 1);
    const reader = follow(runId);
    first.add(delta('lost wor'));
    await reader.until('lost wor');
    const second = sender.open(runId, 2);
    first.close();
    second.add(delta('found'));
    await reader.until('found');
    reader.reader.close();
  });
});
