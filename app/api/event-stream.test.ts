import { expect, it } from 'vitest';
import { eventStream, type StreamMessage } from './event-stream';

/** Batches handed over one by one, as a run would. */
function source() {
  let wake: (() => void) | undefined;
  const batches: (StreamMessage[] | 'end')[] = [];
  async function* read(): AsyncGenerator<StreamMessage[]> {
    for (;;) {
      const next = batches.shift();
      if (next === 'end') return;
      if (next !== undefined) yield next;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  const push = (batch: StreamMessage[] | 'end') => {
    batches.push(batch);
    wake?.();
  };
  return { read: read(), push };
}

it('frames messages with id, name and JSON, and closes at the end', async () => {
  const { read, push } = source();
  const response = eventStream(read, () => undefined);
  push([{ id: 7, data: { text: 'two\nlines' } }]);
  push([{ event: 'end', data: {} }]);
  push('end');
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  expect(await response.text()).toBe('retry: 500\n\nid: 7\ndata: {"text":"two\\nlines"}\n\nevent: end\ndata: {}\n\n');
});

it('stops the source when the reader goes, also while it waits', async () => {
  const { read, push } = source();
  let stopped = 0;
  const reader = eventStream(read, () => void stopped++).body?.getReader();
  await reader?.read();
  await reader?.cancel();
  expect(stopped).toBe(1);
  push([{ id: 1, data: 1 }]);
  await new Promise((resolve) => setImmediate(resolve));
});

it('closes when the source fails, so that the browser asks again', async () => {
  async function* broken(): AsyncGenerator<StreamMessage[]> {
    yield [{ id: 1, data: 1 }];
    throw new Error('the database went away');
  }
  expect(await eventStream(broken(), () => undefined).text()).toBe('retry: 500\n\nid: 1\ndata: 1\n\n');
});
