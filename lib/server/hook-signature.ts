import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '@/lib/base/app-error';

/** What a webhook says of itself: the headers of Standard Webhooks (standardwebhooks.com, version 1). */
export interface HookHeaders {
  /** `webhook-id`: the same in every attempt of one message. */
  readonly id: string;
  /** `webhook-timestamp`: seconds since 1970, as text. */
  readonly timestamp: string;
  /** `webhook-signature`: one or several of `v1,BASE64`, with spaces between them. */
  readonly signature: string;
}

/** A request may be so much older or newer than the clock of this machine. */
export const toleranceSeconds = 300;
const mostSignatures = 10;

/** Reads the headers. Throws AppError `bad_request`, which names what is missing. */
export function readHookHeaders(headers: { get(name: string): string | null }): HookHeaders {
  const read = (name: string, pattern: RegExp, what: string) => {
    const value = headers.get(name)?.trim() ?? '';
    if (value === '') throw new AppError('bad_request', `The header ${name} is missing. It is ${what}.`);
    if (!pattern.test(value)) throw new AppError('bad_request', `The header ${name} cannot be read. It is ${what}.`);
    return value;
  };
  return {
    id: read('webhook-id', /^[\x21-\x7e]{1,200}$/, 'an id of the message, of at most 200 characters without spaces'),
    timestamp: read('webhook-timestamp', /^\d{1,12}$/, 'the time in seconds since 1970'),
    signature: read('webhook-signature', /^[\x20-\x7e]{1,2000}$/, 'v1, and the base64 of the HMAC-SHA256'),
  };
}

/**
 * Checks who sent a body, and when. One of the signatures must be the HMAC-SHA256 of `<id>.<timestamp>.<body>` with the key in `secret`
 * (`whsec_` and base64). Returns what is wrong, or `undefined`. The time of a comparison does not depend on where signatures differ.
 */
export function faultOfHook(
  { id, timestamp, signature }: HookHeaders,
  body: Uint8Array,
  { secret, now }: { readonly secret: string; readonly now: number },
): 'signature' | 'time' | undefined {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  const given = signature.split(' ').filter((each) => each !== '');
  const fits = given.slice(0, mostSignatures).map((each) => isSignature(each, expected));
  if (!fits.includes(true)) return 'signature';
  return Math.abs(now / 1_000 - Number(timestamp)) > toleranceSeconds ? 'time' : undefined;
}

function isSignature(text: string, expected: Buffer): boolean {
  const bytes = text.startsWith('v1,') ? Buffer.from(text.slice(3), 'base64') : Buffer.alloc(0);
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}
