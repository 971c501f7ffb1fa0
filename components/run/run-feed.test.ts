import { describe, expect, it } from 'vitest';
import type { RunSource, StreamReader } from '@/lib/client/run-source';
import { eventsOf } from '@/lib/testing/events-of';
import { decodeTrace, encodeTrace } from '@/lib/trace/columns';
import { emptyTrace } from '@/lib/trace/empty-trace';
import { foldEvent } from '@/lib/trace/fold';
import { endedText, LiveTexts } from '@/lib/trace/live-texts';
import { type FeedHost, RunFeed } from './run-feed';

const events = eventsOf('lead 0-90: model 0-10, model 80-90', 'writer[1] 10-40: time__now 12-20', 'writer[2] 10-60');

/** Columns up to `loaded`; streams and watches are recorded and driven by the test, timers fire when told. */
function setUp(loaded: number) {
  const watches: { version: number; onNewer: () => void; open: boolean }[] = [];
  const streams: { after: number; reader: StreamReader; open: boolean }[] = [];
  const timers: { ms: number; fire: () => void }[] = [];
  let loads = 0;
  const asked: (boolean | undefined)[] = [];
  const failures: string[] = [];
  const code = { isGone: false };
  const source: RunSource = {
    async loadTrace(_signal, options) {
      asked.push(options?.allSpans);
      loads++;
      const failure = failures.shift();
      if (failure !== undefined) throw new Error(failure);
      const trace = emptyTrace();
      for (const event of events.slice(0, loaded)) foldEvent(trace, event);
      return { bytes: encodeTrace(trace), serverNow: 1_000, version: loads };
    },
    watchVersions(version, onNewer) {
      const watch = { version, onNewer, open: true };
      watches.push(watch);
      return () => {
        watch.open = false;
      };
    },
    openStream(after, reader) {
      const stream = { after, reader, open: true };
      streams.push(stream);
      return () => {
        stream.open = false;
      };
    },
    loadEvents: async () => [],
    loadPreviews: async () => [],
  };
  const host: FeedHost = {
    now: () => 900,
    after(ms, fire) {
      const timer = { ms, fire };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
  };
  const fireAll = () => {
    for (const timer of timers.splice(0)) timer.fire();
  };
  return {
    feed: new RunFeed(
      source,
      host,
      async () => {
        if (code.isGone) throw new Error('Loading chunk 12 failed');
        return { fold: foldEvent, keeper: { texts: new LiveTexts(), endedText } };
      },
      async () => {
        if (code.isGone) throw new Error('Loading chunk 11 failed');
        return decodeTrace;
      },
    ),
    watches,
    streams,
    timers,
    fireAll,
    failures,
    code,
    asked,
    loads: () => loads,
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** What a reader sees: one line per span. */
function shape(feed: RunFeed) {
  const { trace } = feed.getState();
  const { spans } = trace;
  return Array.from({ length: spans.length }, (_, i) => [spans.kindOf(i), spans.start.at(i), spans.end.at(i)]);
}

function wholeShape() {
  const trace = emptyTrace();
  for (const event of events) foldEvent(trace, event);
  return Array.from({ length: trace.spans.length }, (_, i) => [
    trace.spans.kindOf(i),
    trace.spans.start.at(i),
    trace.spans.end.at(i),
  ]);
}

describe('RunFeed', () => {
  it('loads columns, then streams the rest', async () => {
    const { feed, streams } = setUp(5);
    feed.start();
    await settled();
    expect(feed.getState()).toMatchObject({ phase: 'live' });
    expect(streams[0]?.after).toBe(5);
    expect(feed.now()).toBe(1_000_000);
    streams[0]?.reader.onEvents(events.slice(5));
    expect(feed.getState().phase).toBe('ended');
    expect(shape(feed)).toEqual(wholeShape());
    expect(feed.now()).toBe(90_000);
  });

  it('says that code of the page is gone, and goes on if it comes back', async () => {
    const { feed, code, fireAll } = setUp(events.length);
    code.isGone = true;
    feed.start();
    await settled();
    expect(feed.getState()).toMatchObject({ phase: 'failed', lacksCode: true });
    code.isGone = false;
    fireAll();
    await settled();
    expect(feed.getState()).toMatchObject({ phase: 'ended', lacksCode: false, error: undefined });
    expect(shape(feed)).toEqual(wholeShape());
  });

  it('says that the code of the stream is gone, and streams if it comes back', async () => {
    const { feed, code, streams, fireAll } = setUp(5);
    feed.start();
    code.isGone = true;
    await settled();
    expect(feed.getState()).toMatchObject({ phase: 'reconnecting', lacksCode: true });
    code.isGone = false;
    fireAll();
    await settled();
    expect(streams).toHaveLength(1);
    expect(feed.getState()).toMatchObject({ lacksCode: false });
  });

  it('does not ask to reload if the server cannot be reached', async () => {
    const { feed, failures } = setUp(5);
    failures.push('The server cannot be reached.');
    feed.start();
    await settled();
    expect(feed.getState()).toMatchObject({ phase: 'failed', lacksCode: false });
  });

  it('continues by lastSeq after 100 drops: nothing missing, nothing twice', async () => {
    const { feed, streams, fireAll } = setUp(0);
    feed.start();
    await settled();
    for (let drop = 0; drop < 100; drop++) {
      const stream = streams.at(-1);
      const from = Math.max(0, (stream?.after ?? 0) - (drop % 3));
      stream?.reader.onEvents(events.slice(from, from + (drop % 4)));
      if (feed.getState().phase === 'ended') break;
      stream?.reader.onBroken();
      expect(feed.getState().phase).toBe('reconnecting');
      fireAll();
    }
    expect(feed.getState().phase).toBe('ended');
    expect(shape(feed)).toEqual(wholeShape());
  });

  it('asks again when events were left out, and waits longer each time nothing comes', async () => {
    const { feed, streams, timers, fireAll } = setUp(2);
    feed.start();
    await settled();
    streams[0]?.reader.onEvents(events.slice(4));
    expect(streams[0]?.open).toBe(false);
    expect(feed.getState().trace.lastSeq).toBe(2);
    const waits: (number | undefined)[] = [];
    for (let i = 0; i < 7; i++) {
      waits.push(timers[0]?.ms);
      fireAll();
      streams.at(-1)?.reader.onBroken();
    }
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000]);
    expect(streams.at(-1)?.after).toBe(2);
  });

  it('says why the server refuses to stream, until it streams', async () => {
    const { feed, streams, fireAll } = setUp(2);
    feed.start();
    await settled();
    streams[0]?.reader.onBroken('20 streams of events are open in your browsers.');
    expect(feed.getState()).toMatchObject({
      phase: 'reconnecting',
      refused: '20 streams of events are open in your browsers.',
    });
    fireAll();
    streams[1]?.reader.onEvents(events.slice(2, 4));
    expect(feed.getState()).toMatchObject({ phase: 'live', refused: undefined });
  });

  it('says why it could not load, and tries again', async () => {
    const { feed, failures, fireAll, loads } = setUp(events.length);
    failures.push('The database cannot be reached.');
    feed.start();
    await settled();
    expect(feed.getState()).toMatchObject({ phase: 'failed', error: 'The database cannot be reached.' });
    fireAll();
    await settled();
    expect(loads()).toBe(2);
    expect(feed.getState()).toMatchObject({ phase: 'ended', error: undefined });
  });

  it('loads the run again with all spans and without them, and with the last that was asked for', async () => {
    const { feed, asked, watches } = setUp(events.length);
    feed.showAllSpans(false);
    feed.start();
    await settled();
    feed.showAllSpans(true);
    feed.showAllSpans(true);
    await settled();
    expect(asked).toEqual([false, true]);
    expect(watches.map(({ open }) => open)).toEqual([false, true]);
    // The page was hidden meanwhile.
    feed.stop();
    feed.showAllSpans(false);
    feed.start();
    feed.showAllSpans(true);
    await settled();
    expect(asked).toEqual([false, true, false]);
    expect(feed.getState().phase).toBe('ended');
    // Hidden while it loads.
    feed.showAllSpans(false);
    feed.stop();
    feed.start();
    await settled();
    expect(asked.slice(3)).toEqual([false, false]);
    // Back to what is shown before the other has arrived.
    feed.showAllSpans(true);
    feed.showAllSpans(false);
    await settled();
    expect(asked.slice(5)).toEqual([true]);
    expect(watches.filter(({ open }) => open)).toHaveLength(1);
  });

  it('loads an ended run again when its events were replaced, and keeps what it has when that fails', async () => {
    const { feed, watches, failures, fireAll, loads } = setUp(events.length);
    feed.start();
    await settled();
    expect(watches).toMatchObject([{ version: 1, open: true }]);
    const first = feed.getState().trace;
    watches[0]?.onNewer();
    await settled();
    expect(feed.getState()).toMatchObject({ phase: 'ended', replaced: 1 });
    expect(feed.getState().trace).not.toBe(first);
    expect(watches).toMatchObject([{ open: false }, { version: 2, open: true }]);
    failures.push('The database cannot be reached.');
    watches[1]?.onNewer();
    await settled();
    expect(feed.getState()).toMatchObject({ phase: 'ended', replaced: 1, error: undefined });
    fireAll();
    await settled();
    expect(loads()).toBe(4);
    expect(feed.getState()).toMatchObject({ phase: 'ended', replaced: 2 });
    feed.stop();
    expect(watches.at(-1)?.open).toBe(false);
  });

  it('goes on where it was when the page stops and starts it', async () => {
    const { feed, streams } = setUp(3);
    feed.start();
    await settled();
    feed.stop();
    expect(streams[0]?.open).toBe(false);
    feed.start();
    expect(streams[1]?.after).toBe(3);
  });

  it('folds every message at once, and calls its listeners once for many of them', async () => {
    const { feed, streams, timers, fireAll } = setUp(1);
    feed.start();
    await settled();
    let calls = 0;
    feed.subscribe(() => calls++);
    const before = feed.getState().version;
    for (const event of events.slice(1, -1)) {
      streams[0]?.reader.onEvents([event]);
      expect(feed.getState().trace.lastSeq).toBe(event.seq);
      expect(timers).toHaveLength(1);
    }
    expect(calls).toBe(0);
    fireAll();
    expect([calls, feed.getState().version - before]).toEqual([1, 1]);
  });

  it('tells of a new instance sooner than of other news, but not at once', async () => {
    const { feed, streams, timers } = setUp(1);
    feed.start();
    await settled();
    const isNew = (seq: number) => events[seq - 1]?.kind === 'instance.queued';
    const plain = events.find(({ seq }) => seq > 2 && !isNew(seq))?.seq ?? 0;
    streams[0]?.reader.onEvents(events.slice(1, plain));
    expect(timers.map(({ ms }) => ms)).toEqual([40]);
  });
});

describe('what models say', () => {
  const piece = (step: string, text: string) => ({ step, path: 'lead', part: 'text' as const, at: 0, text });
  const start = events.findIndex((event) => event.kind === 'model.started');
  const end = events.findIndex((event) => event.kind === 'model.ended');

  it('belongs to a model call that goes on, and is gone when its event comes', async () => {
    const { feed, streams, fireAll } = setUp(start);
    feed.start();
    await settled();
    const reader = streams[0]?.reader;
    let told = 0;
    feed.said.subscribe(() => {
      told += 1;
    });
    const texts = () => feed.said.now(feed.getState().trace).map(({ step, parts }) => [step, parts[0]?.said.text()]);
    reader?.onTexts([piece('lead#m1', 'The ')]);
    expect(texts()).toEqual([]);
    reader?.onEvents(events.slice(start, start + 1));
    expect(texts()).toEqual([['lead#m1', 'The ']]);
    reader?.onTexts([{ ...piece('lead#m1', 'weather'), at: 4 }]);
    expect(told).toBe(0);
    fireAll();
    expect(told).toBe(1);
    expect(texts()).toEqual([['lead#m1', 'The weather']]);
    reader?.onEvents(events.slice(start + 1, end + 1));
    expect(texts()).toEqual([]);
    expect(told).toBe(2);
  });

  it('is dropped with a call of which only the end is seen, and at the end of the run', async () => {
    const { feed, streams } = setUp(start + 1);
    feed.start();
    await settled();
    const reader = streams[0]?.reader;
    reader?.onTexts([piece('lead#m1', 'one'), piece('lead#m2', 'never started')]);
    reader?.onEvents(events.slice(start + 1));
    expect(feed.said.now(feed.getState().trace)).toEqual([]);
    reader?.onTexts([piece('lead#m2', 'late')]);
    expect(feed.said.now(feed.getState().trace)).toEqual([]);
  });
});
