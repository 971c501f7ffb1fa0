import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';

/**
 * A `fetch` for the openai client over node:http with kept-alive connections, at a fraction of the CPU of the built-in one:
 * the body of a good answer is not wrapped in a web stream but handed out as node's own, through `bodyOf`.
 */
export interface HttpTransport {
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** The unread body of a 2xx response made by `fetch`. */
  bodyOf(response: Response): http.IncomingMessage | undefined;
  /**
   * Requests that `fetch` sent for the response with these headers, or before it rejected with this error: 2 where a kept
   * connection was closed by the server.
   */
  requestsOf(outcome: Headers | Error): number;
}

/** Which addresses may be called; `AddressGuard` of lib/tools is one. */
export interface TransportGuard {
  /** Why this URL is not called, as far as its text says. */
  problemOf(url: URL): string | undefined;
  /** A `lookup` that refuses what the name resolves to in the moment of connecting. */
  lookupFor(url: URL): LookupFunction;
}

/** No byte for this long ends a request; `setTimeout` on its body changes that for the answer. */
const idleMs = 600_000;
/** An error page may be of any size, and slow; its start says what is wrong. */
const maxErrorBytes = 16 * 1024;
const maxErrorMs = 10_000;
/** A server may say `100 Continue` and the like before its answer, but not for ever. */
const maxInformational = 20;

export function createHttpTransport(guard?: TransportGuard): HttpTransport {
  const agents = {
    'http:': new http.Agent({ keepAlive: true, maxFreeSockets: 1_024, scheduling: 'lifo' }),
    'https:': new https.Agent({ keepAlive: true, maxFreeSockets: 1_024, scheduling: 'lifo' }),
  };
  const bodies = new WeakMap<Response, http.IncomingMessage>();
  /** Headers and errors of requests that were sent a second time. */
  const repeated = new WeakSet<object>();
  let last: Target | undefined;

  /** A client sends request after request to one address, with one and the same headers: both are read once. */
  function targetOf(input: string | URL | Request, headers: RequestInit['headers']): Target {
    const address = input instanceof Request ? input.url : String(input);
    if (last === undefined || last.address !== address || last.given !== headers || headers === undefined) {
      last = readTarget(address, headers, guard);
    }
    return last;
  }

  async function fetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const { message, isRepeated } = await send(targetOf(input, init.headers), init, false);
    const response = await responseOf(message);
    if (isRepeated) repeated.add(response.headers);
    return response;
  }

  async function responseOf(message: http.IncomingMessage): Promise<Response> {
    const status = message.statusCode ?? 500;
    if (status >= 200 && status <= 299) {
      // Nobody reads the headers of a good answer.
      const response = new Response(null, { status });
      bodies.set(response, message);
      return response;
    }
    const headers = new Headers();
    for (const [name, value] of Object.entries(message.headers)) {
      if (value !== undefined) headers.set(name, typeof value === 'string' ? value : value.join(', '));
    }
    return new Response(await readStart(message), { status: Math.max(status, 300), headers });
  }

  function send(target: Target, init: RequestInit, isRepeated: boolean): Promise<Sent> {
    return new Promise((resolve, reject) => {
      const { secure, host, port, path, lookup } = target;
      const body = typeof init.body === 'string' ? init.body : '';
      const request = (secure ? https : http).request({
        host,
        port,
        path,
        method: init.method ?? 'GET',
        // As a flat list they are written as they are, without another look at each.
        headers: [...target.headers, 'content-length', String(Buffer.byteLength(body))],
        // The second time over a connection of its own: the other kept ones may be just as stale.
        agent: isRepeated ? false : secure ? agents['https:'] : agents['http:'],
        timeout: idleMs,
        ...(lookup && { lookup }),
      });
      const { signal } = init;
      const stop = new Stop(request, signal);
      let answered = false;
      let informational = 0;
      request.on('information', () => {
        informational += 1;
        if (informational > maxInformational) request.destroy(new Error('the server sends only 1xx answers'));
      });
      request.once('response', (message) => {
        answered = true;
        message.once('timeout', () => message.destroy(new Error('timed out waiting for more')));
        message.once('close', () => stop.forget());
        resolve({ message, isRepeated });
      });
      request.once('timeout', () => {
        if (!answered) request.destroy(new Error(`timed out: no byte for ${idleMs / 1000} s`));
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        stop.forget();
        // A kept connection that the server closed meanwhile: nothing was answered, so it is not a failed attempt. The
        // server may have read the request all the same, so it counts.
        const stale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        if (isRepeated) repeated.add(error);
        if (stale && !answered && !isRepeated && !signal?.aborted) resolve(send(target, init, true));
        else reject(error);
      });
      if (signal?.aborted) stop.handleEvent();
      else request.end(body);
    });
  }

  return {
    fetch,
    bodyOf: (response) => bodies.get(response),
    requestsOf: (outcome) => (repeated.has(outcome) ? 2 : 1),
  };
}

interface Sent {
  readonly message: http.IncomingMessage;
  readonly isRepeated: boolean;
}

/** Ends a request when its caller's signal says so. */
class Stop {
  private readonly request: http.ClientRequest;
  private readonly signal: AbortSignal | null | undefined;

  constructor(request: http.ClientRequest, signal: AbortSignal | null | undefined) {
    this.request = request;
    this.signal = signal;
    signal?.addEventListener('abort', this, { once: true });
  }

  handleEvent(): void {
    this.request.destroy(new DOMException('The request was aborted.', 'AbortError'));
  }

  forget(): void {
    this.signal?.removeEventListener('abort', this);
  }
}

/** Where a request goes, as node wants it. */
interface Target {
  readonly address: string;
  readonly given: RequestInit['headers'];
  readonly secure: boolean;
  readonly host: string;
  readonly port: number | undefined;
  readonly path: string;
  readonly lookup: LookupFunction | undefined;
  /** Name, value, name, value … */
  readonly headers: readonly string[];
}

function readTarget(address: string, given: RequestInit['headers'], guard: TransportGuard | undefined): Target {
  const url = new URL(address);
  const problem = guard?.problemOf(url);
  if (problem !== undefined) throw new TypeError(problem);
  const { protocol, hostname, port, pathname, search } = url;
  const headers = new Headers(given);
  headers.set('accept-encoding', 'identity');
  headers.set('host', url.host);
  return {
    address,
    given,
    secure: protocol === 'https:',
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? undefined : Number(port),
    path: `${pathname}${search}`,
    lookup: guard?.lookupFor(url),
    headers: [...headers].flat(),
  };
}

async function readStart(message: http.IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => message.destroy(), maxErrorMs);
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
  clearTimeout(timer);
  return message.statusCode === 304 ? null : Buffer.concat(parts).subarray(0, maxErrorBytes).toString('utf8');
}
