import { ByteLines } from '@/lib/base/byte-lines';
import { isRecord, parseJson } from '@/lib/base/json';
import { isThisMachine } from '@/lib/tools/mcp/address-guard';
import { boundedFetch } from '@/lib/tools/mcp/bounded-fetch';
import { exactBody, markedAnswer } from '@/lib/tools/mcp/exact-messages';
import type { GuardedFetch } from '@/lib/tools/mcp/guarded-fetch';
import { AgentFault, shortened } from './agent-fault';
import type { AgentSpec } from './agent-spec';

export type AgentFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * Makes a `fetch` for the SDK. It sends the card's headers, and only to the host and port of the card's URL. It does not
 * follow redirects. A request fails if nothing arrives for the card's timeout. Bodies are limited as those of MCP servers
 * are. Numbers that a double cannot hold go through the SDK as marked strings in both directions.
 */
export function agentFetch(spec: AgentSpec, { fetch }: GuardedFetch): AgentFetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    checkOrigin(url, spec);
    const silence = startSilence(spec.timeoutMs);
    const bounded = boundedFetch(fetch, (fault) => silence.fail(new AgentFault('a2a_answer_too_large', fault)));
    const signals = init.signal ? [init.signal, silence.signal] : [silence.signal];
    try {
      const response = await bounded(url, {
        ...init,
        ...(typeof init.body === 'string' && { body: exactBody(init.body) }),
        headers: headersOf(spec, init),
        signal: AbortSignal.any(signals),
      });
      checkStatus(response, spec);
      silence.restart();
      return markedAnswer(watched(response, silence));
    } catch (error) {
      silence.stop();
      throw silence.fault ?? error;
    }
  };
}

/** Returns the headers of a request. The SDK's own headers (content type, protocol version) win. */
function headersOf(spec: AgentSpec, init: RequestInit): Headers {
  const headers = new Headers({ ...spec.headers });
  for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
  return headers;
}

/** True if both URLs lead to the same server. All names of this machine are equal. */
export function isSameServer(a: URL, b: URL): boolean {
  if (a.protocol !== b.protocol || a.port !== b.port) return false;
  return a.hostname === b.hostname || (isThisMachine(a.hostname) && isThisMachine(b.hostname));
}

function checkOrigin(url: URL, spec: AgentSpec): void {
  if (isSameServer(url, spec.url)) return;
  throw new AgentFault(
    'a2a_address',
    `leads to ${url.origin}, which its card does not name, so nothing is sent there. Write url: ${url.origin} if you trust it.`,
  );
}

function checkStatus({ status, headers, body }: Response, spec: AgentSpec): void {
  if (status === 401 || status === 403) {
    void body?.cancel();
    const sent = Object.keys(spec.headers);
    const next =
      sent.length === 0 ? 'Add headers: to its card.' : `Check the values of ${sent.join(', ')} in its card.`;
    throw new AgentFault(
      'a2a_auth',
      `refuses the request (HTTP ${status}). ${next} A browser sign-in is not supported.`,
    );
  }
  if (status >= 300 && status < 400) {
    void body?.cancel();
    const to = shortened(headers.get('location') ?? 'nowhere');
    throw new AgentFault('a2a_address', `redirects to ${to}, which is not followed. Write that address in its card.`);
  }
}

interface Silence {
  readonly signal: AbortSignal;
  readonly fault: AgentFault | undefined;
  restart(): void;
  fail(fault: AgentFault): void;
  stop(): void;
}

function startSilence(ms: number): Silence {
  const controller = new AbortController();
  let fault: AgentFault | undefined;
  const fail = (reason: AgentFault) => {
    fault ??= reason;
    controller.abort(fault);
  };
  const late = `sent nothing for ${ms / 1_000} s. Raise request_timeout_seconds, or let it stream.`;
  const timer = setTimeout(() => fail(new AgentFault('a2a_timeout', late, false)), ms);
  return {
    signal: controller.signal,
    get fault() {
      return fault;
    },
    restart: () => void timer.refresh(),
    fail,
    stop: () => clearTimeout(timer),
  };
}

/** Restarts the timeout at each chunk of the body, and ends it with the body. Events of a stream must be JSON objects. */
function watched(response: Response, silence: Silence): Response {
  if (response.body === null) {
    silence.stop();
    return response;
  }
  const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true;
  const check = isStream ? eventCheck() : undefined;
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          silence.stop();
          return controller.close();
        }
        silence.restart();
        check?.(value);
        controller.enqueue(value);
      } catch (error) {
        silence.stop();
        controller.error(silence.fault ?? error);
        void reader.cancel().catch(() => undefined);
      }
    },
    async cancel(reason) {
      silence.stop();
      await reader.cancel(reason);
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
}

/** The largest line of an event, which is also the SDK's limit. */
const maxLineBytes = 4 * 1024 * 1024;

/** Throws at the first event that is not a JSON object. The SDK would print such an event to the log of the worker. */
function eventCheck(): (chunk: Uint8Array) => void {
  const lines = new ByteLines(maxLineBytes);
  const decoder = new TextDecoder();
  let data: string[] = [];
  return (chunk) => {
    const fits = lines.feed(chunk, (line) => {
      const text = decoder.decode(line);
      if (text.startsWith('data:')) data.push(text.slice(5));
      if (text !== '' || data.length === 0) return;
      const event = parseJson(data.join('\n'));
      data = [];
      if (!isRecord(event)) throw new AgentFault('a2a_bad_answer', 'sent an event that is not JSON.');
    });
    if (!fits)
      throw new AgentFault('a2a_answer_too_large', `sent an event of more than ${maxLineBytes / 1024 / 1024} MiB.`);
  };
}
