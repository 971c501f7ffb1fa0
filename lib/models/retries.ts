import type { Clock } from '@/lib/base/clock';
import type { ModelControl, ModelRequest } from '@/lib/runtime/ports';
import type { HttpTransport } from './http-transport';
import type { Fault } from './openai-errors';
import { cancelled, failed } from './response';

/** The default of fast-agent's `llm_retries`. */
const maxRetries = 2;
const firstBackoffMs = 500;
const longestWaitMs = 300_000;

/** Counts requests that an attempt has made. */
export type Count = (requests: number) => void;

interface Retried {
  readonly request: ModelRequest;
  readonly control: ModelControl;
  readonly clock: Clock;
  /** Hides the key in a message. */
  readonly redact: (text: string) => string;
}

/** Makes attempts until one succeeds, fails for good, or is cancelled. An attempt counts its requests with `count`. */
export async function withRetries<A extends { readonly ok: true }>(
  { request, control, clock, redact }: Retried,
  attemptOnce: (count: Count) => Promise<A | { readonly ok: false; readonly fault: Fault }>,
) {
  // One attempt may take two requests, when a kept-alive connection was closed.
  let requests = 0;
  const count: Count = (made) => {
    requests += made;
  };
  for (let attempts = 1; ; attempts += 1) {
    const attempt = await attemptOnce(count);
    if (attempt.ok) return { ...attempt, requests };
    if (control.signal.aborted) return cancelled(requests);
    const wait = waitMs(attempt.fault, attempts, request.step);
    const message = redact(attempt.fault.message);
    if (wait === undefined) {
      const { code, received } = attempt.fault;
      const end = failed(code, `${message}${tooLong(attempt.fault)}`, requests);
      return received === undefined ? end : { ...end, received };
    }
    const again = `Trying again in ${(wait / 1000).toFixed(1)} s (${attempts} of ${maxRetries}).`;
    control.log({ level: 'warning', code: 'model_retry', message: `${message} ${again}`, waitMs: Math.round(wait) });
    await clock.sleep(wait, control.signal);
    if (control.signal.aborted) return cancelled(requests);
  }
}

/**
 * Counts the requests before an error. An error of a provider's package has the headers of the error response, or the
 * transport's error as its cause.
 */
export function requestsBefore(error: unknown, transport: HttpTransport): number {
  if (!(error instanceof Error)) return 1;
  const outcome = 'headers' in error && error.headers ? error.headers : error.cause;
  return outcome instanceof Headers || outcome instanceof Error ? transport.requestsOf(outcome) : 1;
}

/**
 * Returns the delay before a retry, or `undefined` for no retry. Its random part comes from the step key, so that siblings
 * do not retry together.
 */
function waitMs(problem: Fault, attempts: number, step: string): number | undefined {
  if (!problem.retry || attempts > maxRetries) return undefined;
  if (problem.retryAfterMs !== undefined)
    return problem.retryAfterMs <= longestWaitMs ? problem.retryAfterMs : undefined;
  let hash = 0;
  for (let i = 0; i < step.length; i += 1) hash = (hash * 31 + step.charCodeAt(i)) % 1_000;
  return firstBackoffMs * 2 ** (attempts - 1) + hash / 4;
}

/** Says that the server asks for a longer delay than a run waits. */
function tooLong({ retry, retryAfterMs }: Fault): string {
  if (!retry || retryAfterMs === undefined || retryAfterMs <= longestWaitMs) return '';
  const minutes = Math.ceil(retryAfterMs / 60_000);
  return ` The server asks to wait ${minutes} minutes. Callboard waits ${longestWaitMs / 60_000} minutes at most.`;
}

/** Returns the longest pause within an answer, from `streaming_timeout` of request_params, which is in seconds. */
export function idleMs(request: ModelRequest): number | undefined {
  const seconds = request.requestParams.streaming_timeout ?? request.requestParams.streamingTimeout;
  return typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : undefined;
}
