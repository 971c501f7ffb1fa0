import { expect, it } from 'vitest';
import { eventStream } from './event-stream';

/** Batches handed over one by one, as a run would. */
function source() {
  let wake: (() => void) | undefined;
  const batches: string[] = [];
  async function* read(): AsyncGenerator<string> {
    for (;;) {
      const next = batches.shift();
      if (next === 'end') return;
      if (next !== undefined) yield next;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  const push = (batch: string) => {
    batches.push(batch);
    wake?.();
  };
  return { read: read(), push };
}

it('sends parts as they come, and closes at the end', async () => {
  const { read, push } = source();
  const response = eventStream(read, () => undefined);
  push('id: 7\ndata: {"text":');
  push('"two\\nlines"}\n\n');
  push('event: end\ndata: {}\n\n');
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
  push('data: 1\n\n');
  await new Promise((resolve) => setImmediate(resolve));
});

it('reads no further than its queue ahead of a reader, and ends the source when that reader goes', async () => {
  let read = 0;
  let ended = false;
  async function* endless(): AsyncGenerator<string> {
    try {
      for (;;) {
        read += 1;
        yield `data: ${'x'.repeat(40_000)}\n\n`;
      }
    } finally {
      ended = true;
    }
  }
  const reader = eventStream(endless(), () => undefined).body?.getReader();
  await reader?.read();
  await new Promise((resolve) => setImmediate(resolve));
  expect(read).toBeLessThanOrEqual(3);
  await reader?.cancel();
  await new Promise((resolve) => setImmediate(resolve));
  expect(ended).toBe(true);
});

it('closes when the source fails, so that the browser asks again', async () => {
  async function* broken(): AsyncGenerator<string> {
    yield 'id: 1\ndata: 1\n\n';
    throw new Error('the database went away');
  }
  expect(await eventStream(broken(), () => undefined).text()).toBe('retry: 500\n\nid: 1\ndata: 1\n\n');
});
