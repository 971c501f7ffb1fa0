import * as z from 'zod/mini';
import { type $ZodType, safeParse } from 'zod/v4/core';
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

const refusal = z.object({ error: z.object({ message: z.string() }) });

/**
 * Returns the checked answer to `GET url`. Rejects with a `RequestError`, or with the reason for which `signal` was
 * aborted.
 */
export async function getJson<T>(url: string, shape: $ZodType<T>, signal?: AbortSignal): Promise<T> {
  const response = await get(url, { signal: signal ?? null });
  return readAnswer(response.status, await response.text(), shape);
}

/** Returns a response that is ok or 304. Rejects as `getJson` does. */
export async function get(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init).catch((error: unknown) => {
    if (init.signal?.aborted) throw error;
    throw new RequestError(unreachable, 0);
  });
  if (response.ok || response.status === 304) return response;
  throw new RequestError(sentenceOf(response.status, await response.text()), response.status);
}

/** Sends bytes with POST and returns the checked answer. Rejects with a `RequestError`. */
export async function postBytes<T>(url: string, bytes: Uint8Array<ArrayBuffer>, shape: $ZodType<T>): Promise<T> {
  const response = await get(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/octet-stream' },
    body: bytes,
  });
  return readAnswer(response.status, await response.text(), shape);
}

/** Parses and checks the text of an answer. */
export function readAnswer<T>(status: number, text: string, shape: $ZodType<T>): T {
  if (status < 200 || status >= 300) throw new RequestError(sentenceOf(status, text), status);
  const read = safeParse(shape, parsed(text));
  if (read.success) return read.data;
  throw new RequestError('Callboard sent an answer of an unexpected form. Reload the page.', status);
}

function sentenceOf(status: number, text: string): string {
  return refusal.safeParse(parsed(text)).data?.error.message ?? `The server answered ${status}. Try again.`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
