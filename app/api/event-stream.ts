import { createLog } from '@/lib/server/log';

const log = createLog('web');

/** A comment is sent this often, because proxies and browsers close a connection on which nothing is sent. */
const heartbeatMs = 15_000;
/** At most this much waits for a reader. The next part is requested when it was taken. */
const queuedBytes = 16 * 1024;

/**
 * Makes server-sent events from an iterable of their text. The parts may have any size, so an event may begin in one and
 * end in another. A part is requested when the reader has taken the earlier ones, so a slow reader needs only one queue.
 * When the reader disconnects, `stop` is called and the iterable is ended. An error after the start can only be reported by
 * closing the connection; the browser then reconnects with the last id it has.
 */
export function eventStream(parts: AsyncIterable<string>, stop: () => void): Response {
  const text = new TextEncoder();
  const iterator = parts[Symbol.asyncIterator]();
  let heartbeat: ReturnType<typeof setInterval> | undefined;
  let open = true;
  /** False inside an event, where no comment may be written. */
  let isWhole = true;
  const shut = () => {
    open = false;
    clearInterval(heartbeat);
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // This is sent first, so that the reader knows that it is connected before the first event.
        controller.enqueue(text.encode('retry: 500\n\n'));
        heartbeat = setInterval(() => {
          // A reader that has data to take needs no comment to keep the connection open.
          if (isWhole && (controller.desiredSize ?? 0) > 0) controller.enqueue(text.encode(': still connected\n\n'));
        }, heartbeatMs);
      },
      async pull(controller) {
        try {
          const next = await iterator.next();
          // The reader may have disconnected during the wait, and then nothing may be written.
          if (!open) return;
          if (!next.done) {
            isWhole = next.value.endsWith('\n\n');
            controller.enqueue(text.encode(next.value));
            return;
          }
          shut();
          controller.close();
        } catch (error) {
          if (!open) return;
          log.error({ err: error }, 'event stream failed');
          shut();
          controller.close();
        }
      },
      cancel() {
        shut();
        stop();
        // While the iterable waits for the reader and not for events, `stop` alone does not end it.
        void iterator.return?.()?.catch(() => undefined);
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: queuedBytes }),
  );
  return new Response(body, {
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    },
  });
}
