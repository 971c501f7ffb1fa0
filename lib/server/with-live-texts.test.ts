import { expect, test } from 'vitest';
import { settle } from '@/lib/testing/fake-clock';
import type { LivePiece } from '@/lib/trace/live-texts';
import type { LiveTextReader } from './live-text-readers';
import { withLiveTexts } from './with-live-texts';

/** A stream of events whose parts the test sends, and a reader whose texts it gives. */
function setUp() {
  const parts: (string | undefined)[] = [];
  let wake = () => {};
  let tell = () => {};
  let waiting: LivePiece[] = [];
  let taken = 0;
  let isClosed = false;
  async function* events(): AsyncGenerator<string> {
    for (;;) {
      while (parts.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      const part = parts.shift();
      if (part === undefined) return;
      yield part;
    }
  }
  const reader: LiveTextReader = {
    take() {
      taken += 1;
      const pieces = waiting;
      waiting = [];
      return { pieces, isMore: false };
    },
    close() {
      isClosed = true;
    },
  };
  const stream = withLiveTexts(events(), (onNews) => {
    tell = onNews;
    return reader;
  });
  return {
    stream,
    next: async () => (await stream.next()).value,
    event(part: string | undefined) {
      parts.push(part);
      wake();
    },
    say(text: string) {
      waiting.push({ step: 'lead#m1', path: 'lead', part: 'text', at: 0, text });
      tell();
    },
    state: () => ({ taken, isClosed }),
  };
}

const message = (...texts: string[]) => {
  const pieces = texts.map((text) => ({ step: 'lead#m1', path: 'lead', part: 'text', at: 0, text }));
  return `event: text\ndata: ${JSON.stringify(pieces)}\n\n`;
};

test('texts come between whole events, without an id', async () => {
  const { next, event, say } = setUp();
  event('id: 1\ndata: {}\n\n');
  expect(await next()).toBe('id: 1\ndata: {}\n\n');
  const waits = next();
  say('Hello');
  expect(await waits).toBe(message('Hello'));
  event('id: 2\ndata: ');
  expect(await next()).toBe('id: 2\ndata: ');
  const rest = next();
  say('not inside');
  await settle();
  event('{}\n\n');
  expect(await rest).toBe('{}\n\n');
  expect(await next()).toBe(message('not inside'));
  event(undefined);
  expect(await next()).toBeUndefined();
});

test('nothing is taken for a reader that does not read, and then one message has everything', async () => {
  const { stream, next, event, say, state } = setUp();
  const first = next();
  event('id: 1\ndata: {}\n\n');
  await first;
  for (const text of ['a', 'b', 'c']) say(text);
  await settle();
  expect(state().taken).toBe(0);
  expect(await next()).toBe(message('a', 'b', 'c'));
  await stream.return(undefined);
  expect(state().isClosed).toBe(true);
});

test('a fault of the events ends the stream', async () => {
  async function* broken(): AsyncGenerator<string> {
    yield 'id: 1\ndata: {}\n\n';
    throw new Error('The database is gone');
  }
  let isClosed = false;
  const close = () => {
    isClosed = true;
  };
  const stream = withLiveTexts(broken(), () => ({ take: () => ({ pieces: [], isMore: false }), close }));
  await stream.next();
  await expect(stream.next()).rejects.toThrow('The database is gone');
  expect(isClosed).toBe(true);
});
