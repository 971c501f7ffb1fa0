import http from 'node:http';
import https from 'node:https';
import type { AddressGuard } from './address-guard';

/** A `fetch` for the SDK's transports that connects to allowed addresses only. */
export interface GuardedFetch {
  fetch(input: string | URL, init?: RequestInit): Promise<Response>;
  /** Closes idle connections. */
  close(): void;
}

const maxStaleRetries = 3;

/**
 * Makes a `fetch` over node:http, because the built-in fetch cannot check an address when connecting. It does not follow
 * redirects: the SDK does, within an origin, by calling it again. It has no time limit, because an event stream may be
 * silent for hours. It fails with a TypeError, as fetch does.
 */
export function createGuardedFetch(guard: AddressGuard): GuardedFetch {
  // The time-out is shorter than the keep-alive of servers, so that a request does not use a connection that the server is
  // closing.
  const options = { keepAlive: true, timeout: 4_000 } as const;
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) };

  async function fetch(input: string | URL, init: RequestInit = {}): Promise<Response> {
    const url = new URL(input);
    const problem = guard.problemOf(url);
    if (problem !== undefined) throw new TypeError(problem);
    const message = await send(url, init, 0);
    const headers = new Headers();
    for (const [name, value] of Object.entries(message.headers)) {
      if (value !== undefined) headers.set(name, typeof value === 'string' ? value : value.join(', '));
    }
    const status = message.statusCode ?? 500;
    const hasBody = status >= 200 && ![204, 205, 304].includes(status) && init.method !== 'HEAD';
    if (!hasBody) message.resume();
    return new Response(hasBody ? streamOf(message) : null, { status: Math.max(status, 200), headers });
  }

  function send(url: URL, init: RequestInit, staleRetries: number): Promise<http.IncomingMessage> {
    return new Promise((resolve, reject) => {
      const secure = url.protocol === 'https:';
      const request = (secure ? https : http).request(url, {
        method: init.method ?? 'GET',
        headers: { ...Object.fromEntries(new Headers(init.headers)), 'accept-encoding': 'identity' },
        lookup: guard.lookupFor(url),
        agent: secure ? agents['https:'] : agents['http:'],
      });
      const { signal } = init;
      const abort = () => request.destroy(new DOMException('The request was aborted.', 'AbortError'));
      signal?.addEventListener('abort', abort, { once: true });
      request.once('response', (message) => {
        message.once('close', () => signal?.removeEventListener('abort', abort));
        resolve(message);
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        signal?.removeEventListener('abort', abort);
        // The server closed a kept-alive connection. It may have read a POST, so a POST is not sent again.
        const isClosed = error.code === 'ECONNRESET' || error.code === 'EPIPE';
        const isStale = request.reusedSocket && isClosed && init.method !== 'POST';
        if (isStale && staleRetries < maxStaleRetries && !signal?.aborted) resolve(send(url, init, staleRetries + 1));
        else reject(error.name === 'AbortError' ? error : new TypeError('fetch failed', { cause: error }));
      });
      if (signal?.aborted) abort();
      else request.end(typeof init.body === 'string' || init.body instanceof Uint8Array ? init.body : undefined);
    });
  }

  return {
    fetch,
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

function streamOf(message: http.IncomingMessage): ReadableStream<Uint8Array> {
  let isOver = false;
  const once = (end: () => void) => () => {
    if (!isOver) end();
    isOver = true;
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      message.on('data', (chunk: Buffer) => {
        if (isOver) return;
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) message.pause();
      });
      message.once(
        'end',
        once(() => controller.close()),
      );
      message.once('error', (error) => once(() => controller.error(error))());
    },
    pull() {
      message.resume();
    },
    cancel() {
      isOver = true;
      message.destroy();
    },
  });
}
