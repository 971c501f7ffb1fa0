import { createLog } from '@/lib/server/log';

const log = createLog('web');

/** Proxies and browsers give up on a silent stream; a comment keeps it open. */
const heartbeatMs = 15_000;
/** At most this much waits for a reader; the next part is requested when it was taken. */
const queuedBytes = 16 * 1024;

/**
 * Server-sent events from an iterable of their text, in parts of any size: an event may begin in one and end in another. Asks for a part when the reader has
 * taken what came before, so a slow reader costs one queue; when the reader goes, `stop` is called and the iterable is ended. What is
 * thrown after the start can only be told by closing: the browser asks again, with the last id it has.
 */
export function eventStream(parts: AsyncIterable<string>, stop: () => void): Response {
  const text = new TextEncoder();
  const iterator = parts[Symbol.asyncIterator]();
  let heartbeat: ReturnType<typeof setInterval> | undefined;
  let open = true;
  /** True inside an event, where no comment may be written. */
  let isWhole = true;
  const shut = () => {
    open = false;
    clearInterval(heartbeat);
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // Sent at once, so that the reader knows that it is connected before the first event.
        controller.enqueue(text.encode('retry: 500\n\n'));
        heartbeat = setInterval(() => {
          // A reader that has data to take needs no comment to keep the connection open.
          if (isWhole && (controller.desiredSize ?? 0) > 0) controller.enqueue(text.encode(': still here\n\n'));
        }, heartbeatMs);
      },
      async pull(controller) {
        try {
          const next = await iterator.next();
          // The reader may have gone while this waited: then there is nothing left to write to.
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
        // Where it waits for the reader rather than for events, `stop` alone does not end it.
        void iterator.return?.()?.catch(() => undefined);
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: queuedBytes }),
  );
  return new Response(body, {
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    },
  });
}
