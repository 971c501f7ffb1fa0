import type { Check } from '@/lib/base/check';
import { isRecord } from '@/lib/base/json';
import { hearReach } from './reach';
import { hearStatus } from './signed-out';
import { unreachable } from './unreachable';

/** A request that was refused or got no answer. Users may see the message. */
export class RequestError extends Error {
  /** The status of the HTTP answer; 0 when there was none. */
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.name = 'RequestError';
    this.status = status;
  }
}

/**
 * Returns the checked answer to `GET url`. Rejects with a `RequestError`, or with the reason for which `signal` was
 * aborted. It needs no schema library; ./ask-shape.ts checks with schemas.
 */
export async function getChecked<T>(url: string, check: Check<T>, signal?: AbortSignal): Promise<T> {
  const response = await get(url, { signal: signal ?? null });
  const value = answerOf(response.status, await response.text());
  if (check(value)) return value;
  throw unexpectedForm(response.status);
}

/** Returns a response that is ok or 304. Rejects as `getChecked` does. */
export async function get(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init).catch((error: unknown) => {
    if (init.signal?.aborted) throw error;
    hearReach(false);
    throw new RequestError(unreachable, 0);
  });
  hearReach(true);
  hearStatus(response.status);
  if (response.ok || response.status === 304) return response;
  throw new RequestError(sentenceOf(response.status, await response.text()), response.status);
}

/** Parses the text of an answer, which the caller checks. Throws a `RequestError` if the request was refused. */
export function answerOf(status: number, text: string): unknown {
  if (status < 200 || status >= 300) throw new RequestError(sentenceOf(status, text), status);
  return parsed(text);
}

export function unexpectedForm(status: number): RequestError {
  return new RequestError('Callboard sent an answer of an unexpected form. Reload the page.', status);
}

function sentenceOf(status: number, text: string): string {
  const answer = parsed(text);
  const error = isRecord(answer) ? answer.error : undefined;
  const message = isRecord(error) ? error.message : undefined;
  return typeof message === 'string' ? message : `The server answered ${status}. Try again.`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
