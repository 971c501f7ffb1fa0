import { GrowingBytes } from '@/lib/base/growing-bytes';
import type { GuardedFetch } from './guarded-fetch';
import { isTooManyValues, maxMessageBytes, tooLarge, tooManyValues } from './message-limits';

type Fetch = GuardedFetch['fetch'];

/** At most this many bytes of an error page are read, because its start names the error. */
const maxErrorBytes = 16 * 1024;

/**
 * Makes a `fetch` with limited bodies, because the SDK buffers them whole. An event of a stream and a JSON response are
 * limited to one message, an error page to a few KB. When a server exceeds a limit, the body fails and `onFault` is called,
 * with the end of a sentence that begins with the server's name.
 */
export function boundedFetch(fetch: Fetch, onFault: (fault: string) => void): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const body = response.body.pipeThrough(new TransformStream(boundOf(response, onFault)));
    return new Response(body, { status: response.status, headers: response.headers });
  };
}

function boundOf(response: Response, onFault: (fault: string) => void): Transformer<Uint8Array, Uint8Array> {
  if (!response.ok) return firstBytes();
  const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true;
  return isStream ? eventBound(onFault) : wholeBound(onFault);
}

function firstBytes(): Transformer<Uint8Array, Uint8Array> {
  let left = maxErrorBytes;
  return {
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) controller.terminate();
    },
  };
}

/** Limits each event of a stream. An event ends at an empty line. */
function eventBound(onFault: (fault: string) => void): Transformer<Uint8Array, Uint8Array> {
  let size = 0;
  let tail = Buffer.alloc(0);
  return {
    transform(chunk, controller) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
      // An empty line may be split between two chunks.
      const seam = Buffer.concat([tail, bytes.subarray(0, seamBytes)]);
      const end = lastEmptyLine(bytes);
      if (end !== -1) size = bytes.length - end;
      else size = lastEmptyLine(seam) === -1 ? size + bytes.length : bytes.length;
      tail = Buffer.from(bytes.length >= seamBytes ? bytes.subarray(-seamBytes) : seam.subarray(-seamBytes));
      if (size <= maxMessageBytes) return controller.enqueue(chunk);
      onFault(tooLarge);
      controller.error(new TypeError(`The server ${tooLarge}.`));
    },
  };
}

const seamBytes = 3;

function lastEmptyLine(bytes: Buffer): number {
  return Math.max(bytes.lastIndexOf('\n\n'), bytes.lastIndexOf('\n\r\n'), bytes.lastIndexOf('\r\r'));
}

/** Passes a message on once it is complete and safe to parse. */
function wholeBound(onFault: (fault: string) => void): Transformer<Uint8Array, Uint8Array> {
  const whole = new GrowingBytes();
  return {
    transform(chunk, controller) {
      if (whole.length + chunk.length <= maxMessageBytes) return whole.add(chunk);
      onFault(tooLarge);
      controller.error(new TypeError(`The server ${tooLarge}.`));
    },
    flush(controller) {
      const bytes = whole.take();
      if (isTooManyValues(new TextDecoder().decode(bytes))) {
        onFault(tooManyValues);
        controller.error(new TypeError(`The server ${tooManyValues}.`));
      } else if (bytes.length > 0) controller.enqueue(bytes);
    },
  };
}
