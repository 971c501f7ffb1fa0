import { isRecord, parseJson } from '@/lib/base/json';
import type { GuardedFetch } from './guarded-fetch';

type Fetch = GuardedFetch['fetch'];
type RequestId = string | number;

/** An answer may still be on its way through the SDK when its body has ended, or may come by another stream. */
const graceMs = 500;
/** So often the SDK tries to resume a stream, see `reconnection`. */
const mostResumes = 2;

/** Resuming is given up within two seconds, unless the server asks for another delay (`retry`). */
export const reconnection = {
  initialReconnectionDelay: 500,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: mostResumes,
};

/** Notices requests whose answer cannot come any more. */
export interface RequestWatch {
  /** Called with a request whose answer is lost, and why: a sentence about the server, without its full stop. */
  onLost: (id: RequestId, why: string) => void;
  asked(id: RequestId): void;
  /** Called for a request that nobody waits for any more. */
  done(id: RequestId): void;
  /** Called for an answer, with its id if it has one. */
  answered(id: RequestId | undefined): void;
  tookEvent(id: RequestId, event: string): void;
}

/** What is known of the answer to a request. */
interface Awaited {
  /** The id of the last event of its stream, from which the stream can be resumed. */
  event: string | undefined;
  failedResumes: number;
}

/**
 * Notices requests over streamable HTTP whose answer cannot come any more, and which the SDK would let wait for their whole time
 * limit:
 *
 *   POST ──▶ 202, or a body that ends ──▶ no answer, no event id ──▶ lost
 *                                    └──▶ no answer, event id: the SDK resumes by GET ──▶ refused, or without events ──▶ lost
 */
export class AnswerWatch implements RequestWatch {
  onLost: (id: RequestId, why: string) => void = () => undefined;
  private readonly awaited = new Map<RequestId, Awaited>();

  asked(id: RequestId): void {
    this.awaited.set(id, { event: undefined, failedResumes: 0 });
  }

  done(id: RequestId): void {
    this.awaited.delete(id);
  }

  answered(id: RequestId | undefined): void {
    if (id !== undefined) this.done(id);
  }

  tookEvent(id: RequestId, event: string): void {
    const one = this.awaited.get(id);
    if (one !== undefined) one.event = event;
  }

  /** Makes a `fetch` whose answers are watched. */
  watch(fetch: Fetch): Fetch {
    return async (input, init) => {
      const resumed = this.resumedBy(init);
      if (resumed !== undefined) return await this.resume(resumed, () => fetch(input, init));
      const response = await fetch(input, init);
      const id = requestIn(init);
      if (id === undefined || !response.ok) return response;
      const status = `HTTP ${response.status}`;
      if (response.status === 202 || response.body === null) {
        this.loseSoon(id, `it gave ${status} and no result`);
        return response;
      }
      return noticingEnd(response, (isBroken) => {
        const how = isBroken ? 'broke its answer off' : 'ended its answer without a result';
        this.loseSoon(id, `it ${how} (${status})`, ({ event }) => event === undefined);
      });
    };
  }

  private resumedBy(init: RequestInit | undefined): RequestId | undefined {
    if (init?.method !== 'GET') return undefined;
    const event = new Headers(init.headers).get('last-event-id');
    if (event === null) return undefined;
    for (const [id, one] of this.awaited) if (one.event === event) return id;
    return undefined;
  }

  private async resume(id: RequestId, fetch: () => Promise<Response>): Promise<Response> {
    const failed = (how: string, isFinal: boolean) => {
      const one = this.awaited.get(id);
      if (one === undefined) return;
      one.failedResumes += 1;
      if (isFinal || one.failedResumes >= mostResumes) this.loseSoon(id, `${notResumed} (${how})`);
    };
    let response: Response;
    try {
      response = await fetch();
    } catch (error) {
      failed('no connection', false);
      throw error;
    }
    if (!response.ok || response.body === null) {
      // The SDK does not try again after 405.
      failed(`HTTP ${response.status}`, response.ok || response.status === 405);
      return response;
    }
    const one = this.awaited.get(id);
    const from = one?.event;
    if (one !== undefined) one.failedResumes = 0;
    // Without a new event the SDK does not know from where to go on.
    return noticingEnd(response, () => {
      this.loseSoon(id, `${notResumed} (HTTP ${response.status}, without events)`, ({ event }) => event === from);
    });
  }

  private loseSoon(id: RequestId, why: string, isLost: (one: Awaited) => boolean = () => true): void {
    if (!this.awaited.has(id)) return;
    setTimeout(() => {
      const one = this.awaited.get(id);
      if (one === undefined || !isLost(one)) return;
      this.awaited.delete(id);
      this.onLost(id, why);
    }, graceMs);
  }
}

const notResumed = 'it ended its answer without a result, and the answer could not be resumed';

/** Returns the id of the request that a POST carries; `undefined` for a notification or an answer of ours. */
function requestIn(init: RequestInit | undefined): RequestId | undefined {
  if (init?.method !== 'POST' || typeof init.body !== 'string') return undefined;
  const message = parseJson(init.body);
  if (!isRecord(message) || message.method === undefined) return undefined;
  const { id } = message;
  return typeof id === 'number' || typeof id === 'string' ? id : undefined;
}

/** Returns the response with a body that reports its end. A body that nobody reads to its end reports nothing. */
function noticingEnd(response: Response, onEnd: (isBroken: boolean) => void): Response {
  const reader = response.body?.getReader();
  if (reader === undefined) return response;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        controller.close();
        onEnd(false);
      } catch (error) {
        controller.error(error);
        onEnd(true);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(body, { status: response.status, headers: response.headers });
}
