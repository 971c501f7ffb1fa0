import { type $ZodType, safeParse } from 'zod/v4/core';
import { answerOf, get, unexpectedForm } from './ask';

/**
 * Returns the answer to `GET url`, checked with a schema. Rejects with a `RequestError`, or with the reason for which `signal`
 * was aborted.
 */
export async function getJson<T>(url: string, shape: $ZodType<T>, signal?: AbortSignal): Promise<T> {
  const response = await get(url, { signal: signal ?? null });
  return readAnswer(response.status, await response.text(), shape);
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

/** Parses the text of an answer, and checks it with a schema. Throws a `RequestError`. */
export function readAnswer<T>(status: number, text: string, shape: $ZodType<T>): T {
  const read = safeParse(shape, answerOf(status, text));
  if (read.success) return read.data;
  throw unexpectedForm(status);
}
