import { randomUUID } from 'node:crypto';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { findLargeInteger, replaceIntegers } from '@/lib/base/exact-json';

/**
 * The SDK's HTTP transports write the body themselves, and `JSON.stringify` cannot write integers beyond 2^53. Such an integer
 * goes through them as a marked string, and the mark is taken off in the request. Nobody outside knows the mark.
 */
const mark = `${randomUUID()}#`;
const marked = new RegExp(`"${mark}(-?\\d+)"`, 'g');

export function markIntegers(transport: Transport): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if (findLargeInteger(message) === undefined) return send(message, options);
    return send(replaceIntegers(message, (integer) => `${mark}${integer}`) as typeof message, options);
  };
}

/** Returns the body with the digits of marked integers. */
export function exactBody(body: string): string {
  return body.includes(mark) ? body.replaceAll(marked, '$1') : body;
}
