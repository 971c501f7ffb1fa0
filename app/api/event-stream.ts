import { createLog } from '@/lib/server/log';

const log = createLog('web');

/** One message: its id (sent back as `Last-Event-ID`), its name (none: `message`), its JSON. */
export interface StreamMessage {
  readonly id?: number;
  readonly event?: string;
  readonly data: unknown;
}

/** Proxies and browsers give up on a silent stream; a comment keeps it open. */
const heartbeatMs = 15_000;

/**
 * Server-sent events from an iterable. Pulls as fast as the reader reads; when the reader goes, `stop` is called. What is
 * thrown after the start can only be told by closing: the browser asks again, with the last id it has.
 */
export function eventStream(messages: AsyncIterable<readonly StreamMessage[]>, stop: () => void): Response {
  const text = new TextEncoder();
  const iterator = messages[Symbol.asyncIterator]();
  let heartbeat: ReturnType<typeof setInterval> | undefined;
  let open = true;
  const shut = () => {
    open = false;
    clearInterval(heartbeat);
  };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      // Sent at once, so that the reader knows that it is connected before the first event.
      controller.enqueue(text.encode('retry: 500\n\n'));
      heartbeat = setInterval(() => controller.enqueue(text.encode(': still here\n\n')), heartbeatMs);
    },
    async pull(controller) {
      try {
        const next = await iterator.next();
        // The reader may have gone while this waited: then there is nothing left to write to.
        if (!open) return;
        if (!next.done) {
          controller.enqueue(text.encode(next.value.map(frame).join('')));
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
    },
  });
  return new Response(body, {
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    },
  });
}

function frame({ id, event, data }: StreamMessage): string {
  const head = `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}`;
  return `${head}data: ${JSON.stringify(data)}\n\n`;
}
