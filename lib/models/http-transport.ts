import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';

/** A request that may wait a shorter time for its first byte. */
export interface IdleRequest extends RequestInit {
  /** In milliseconds; 10 minutes if it is not set. */
  readonly idleMs?: number | undefined;
}

/**
 * A `fetch` for the openai client over node:http with keep-alive. It needs a fraction of the CPU of the built-in fetch,
 * because it does not wrap the body of a successful response in a web stream. `bodyOf` returns Node's own stream.
 */
export interface HttpTransport {
  fetch(input: string | URL | Request, init?: IdleRequest): Promise<Response>;
  /** The unread body of a 2xx response made by `fetch`. */
  bodyOf(response: Response): http.IncomingMessage | undefined;
  /**
   * Returns the number of requests that `fetch` sent for the response with these headers, or before this error. It is 2
   * when the server had closed a kept-alive connection.
   */
  requestsOf(outcome: Headers | Error): number;
}

/** Decides which addresses may be called. `AddressGuard` of lib/tools implements it. */
export interface TransportGuard {
  /**
   * Says why the text of this URL forbids calling it. Returns `undefined` if nothing in the text does; the address is
   * checked later.
   */
  problemOf(url: URL): string | undefined;
  /** Returns a `lookup` for Node's sockets that rejects forbidden addresses when connecting. */
  lookupFor(url: URL): LookupFunction;
}

/** A request without a byte for this long is aborted. `setTimeout` on the body changes it for the rest of the response. */
const idleMs = 600_000;
/** Only the start of an error page is read, because the page may be huge or slow. */
const maxErrorBytes = 16 * 1024;
const maxErrorMs = 10_000;
/** At most this many responses such as `100 Continue` may come before the final one. */
const maxInformational = 20;

export function createHttpTransport(guard?: TransportGuard): HttpTransport {
  const connections: Connections = {
    agents: {
      'http:': new http.Agent({ keepAlive: true, maxFreeSockets: 1_024, scheduling: 'lifo' }),
      'https:': new https.Agent({ keepAlive: true, maxFreeSockets: 1_024, scheduling: 'lifo' }),
    },
    repeated: new WeakSet(),
  };
  const { repeated } = connections;
  const bodies = new WeakMap<Response, http.IncomingMessage>();
  let last: Target | undefined;

  /**
   * Parses the address and headers of a request. A client sends all its requests to one address with the same headers
   * object, so both are parsed once.
   */
  function targetOf(input: string | URL | Request, headers: RequestInit['headers']): Target {
    const address = input instanceof Request ? input.url : String(input);
    if (last === undefined || last.address !== address || last.given !== headers || headers === undefined) {
      last = readTarget(address, headers, guard);
    }
    return last;
  }

  async function fetch(input: string | URL | Request, init: IdleRequest = {}): Promise<Response> {
    const { message, isRepeated } = await send(connections, targetOf(input, init.headers), init, false);
    const response = await responseOf(message);
    if (response.ok) bodies.set(response, message);
    if (isRepeated) repeated.add(response.headers);
    return response;
  }

  return {
    fetch,
    bodyOf: (response) => bodies.get(response),
    requestsOf: (outcome) => (repeated.has(outcome) ? 2 : 1),
  };
}

interface Connections {
  readonly agents: { readonly 'http:': http.Agent; readonly 'https:': https.Agent };
  /** The headers and errors of requests that were sent twice. */
  readonly repeated: WeakSet<object>;
}

interface Sent {
  readonly message: http.IncomingMessage;
  readonly isRepeated: boolean;
}

function send(connections: Connections, target: Target, init: IdleRequest, isRepeated: boolean): Promise<Sent> {
  const { agents, repeated } = connections;
  return new Promise((resolve, reject) => {
    const { secure, host, port, path, lookup } = target;
    // As bytes, because Node then writes the headers alone and keeps them as one string, not as a tree of 57 pieces for as
    // long as the request lives.
    const body = Buffer.from(typeof init.body === 'string' ? init.body : '');
    const silenceMs = init.idleMs ?? idleMs;
    const request = (secure ? https : http).request({
      host,
      port,
      path,
      method: init.method ?? 'GET',
      // Node writes a flat list as it is, without checking each header again.
      headers: [...target.headers, 'content-length', String(body.length)],
      // The retry uses a new connection, since other kept-alive ones may be stale too.
      agent: isRepeated ? false : secure ? agents['https:'] : agents['http:'],
      timeout: silenceMs,
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
      if (!answered) request.destroy(new Error(`no byte came within ${silenceMs / 1000} s`));
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      stop.forget();
      // The server closed a kept-alive connection. The request is sent again and is not a failed attempt. It is still
      // counted, because the server may have read it.
      if (isRepeated) repeated.add(error);
      const stale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      if (stale && !answered && !isRepeated && !signal?.aborted) resolve(send(connections, target, init, true));
      else reject(error);
    });
    if (signal?.aborted) stop.handleEvent();
    else request.end(body);
  });
}

/** Makes the response for the openai client. The body of a successful response stays with `message`. */
async function responseOf(message: http.IncomingMessage): Promise<Response> {
  const status = message.statusCode ?? 500;
  if (status >= 200 && status <= 299) {
    // The headers of a successful response are not used.
    return new Response(null, { status });
  }
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined) headers.set(name, typeof value === 'string' ? value : value.join(', '));
  }
  return new Response(await readStart(message), { status: Math.max(status, 300), headers });
}

/** Aborts a request when its caller's signal aborts. */
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

/** The destination of a request, in the form of Node's options. */
interface Target {
  readonly address: string;
  readonly given: RequestInit['headers'];
  readonly secure: boolean;
  readonly host: string;
  readonly port: number | undefined;
  readonly path: string;
  readonly lookup: LookupFunction | undefined;
  /** Names and values alternate: name, value, name, value …. */
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
    // An incomplete error page is enough, because the status is known.
  }
  clearTimeout(timer);
  return message.statusCode === 304 ? null : Buffer.concat(parts).subarray(0, maxErrorBytes).toString('utf8');
}
