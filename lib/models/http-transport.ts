import http from 'node:http';
import https from 'node:https';

/**
 * A `fetch` for the openai client over node:http with kept-alive connections, at a fraction of the CPU of the built-in one:
 * the body of a good answer is not wrapped in a web stream but handed out as node's own, through `bodyOf`.
 */
export interface HttpTransport {
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** The unread body of a 2xx response made by `fetch`. */
  bodyOf(response: Response): http.IncomingMessage | undefined;
}

/** No byte for this long ends a request; `setTimeout` on its body changes that for the answer. */
const idleMs = 600_000;
const maxErrorBytes = 64 * 1024;
const maxStaleRetries = 5;

export function createHttpTransport(): HttpTransport {
  const agents = {
    'http:': new http.Agent({ keepAlive: true, maxFreeSockets: 1_024, scheduling: 'lifo' }),
    'https:': new https.Agent({ keepAlive: true, maxFreeSockets: 1_024, scheduling: 'lifo' }),
  };
  const bodies = new WeakMap<Response, http.IncomingMessage>();

  async function fetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const url = new URL(input instanceof Request ? input.url : input);
    const message = await send(url, init, 0);
    const headers = new Headers();
    for (const [name, value] of Object.entries(message.headers)) {
      if (value !== undefined) headers.set(name, typeof value === 'string' ? value : value.join(', '));
    }
    const status = message.statusCode ?? 500;
    if (status < 200 || status > 299)
      return new Response(await readStart(message), { status: Math.max(status, 300), headers });
    const response = new Response(null, { status, headers });
    bodies.set(response, message);
    return response;
  }

  function send(url: URL, init: RequestInit, staleRetries: number): Promise<http.IncomingMessage> {
    return new Promise((resolve, reject) => {
      const secure = url.protocol === 'https:';
      const request = (secure ? https : http).request(url, {
        method: init.method ?? 'GET',
        headers: { ...Object.fromEntries(new Headers(init.headers)), 'accept-encoding': 'identity' },
        agent: secure ? agents['https:'] : agents['http:'],
        timeout: idleMs,
      });
      const { signal } = init;
      const abort = () => request.destroy(new DOMException('The request was aborted.', 'AbortError'));
      const forget = () => signal?.removeEventListener('abort', abort);
      signal?.addEventListener('abort', abort, { once: true });
      let answered = false;
      request.once('response', (message) => {
        answered = true;
        message.once('timeout', () => message.destroy(new Error('timed out waiting for more')));
        message.once('close', forget);
        resolve(message);
      });
      request.once('timeout', () => {
        if (!answered) request.destroy(new Error(`timed out: no byte for ${idleMs / 1000} s`));
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        forget();
        // A kept connection that the server closed meanwhile: nothing was answered, so it is not a failed attempt.
        const stale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        if (stale && staleRetries < maxStaleRetries && !signal?.aborted) resolve(send(url, init, staleRetries + 1));
        else reject(error);
      });
      if (signal?.aborted) abort();
      else request.end(typeof init.body === 'string' ? init.body : undefined);
    });
  }

  return { fetch, bodyOf: (response) => bodies.get(response) };
}

/** An error page may be of any size; its start says what is wrong. */
async function readStart(message: http.IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of message) {
      if (!Buffer.isBuffer(chunk)) continue;
      parts.push(chunk);
      size += chunk.length;
      if (size >= maxErrorBytes) break;
    }
  } catch {
    // The status is known; a body that breaks off adds nothing to it.
  }
  return message.statusCode === 304 ? null : Buffer.concat(parts).toString('utf8');
}
