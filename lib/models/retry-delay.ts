import { isRecord } from '@/lib/base/json';

interface Refused {
  readonly headers: Headers | undefined;
  /** The server's own message. */
  readonly said: string;
  /** The error as it came. */
  readonly error?: unknown;
}

/**
 * Returns how long a server asks to wait, in milliseconds, or `undefined` if it does not say. `now` is in epoch milliseconds.
 * In this order: `Retry-After` (RFC 9110: seconds or an HTTP date) and `retry-after-ms`, Google's `RetryInfo`, a time in the
 * words ("try again in 6.2s"), and the reset of a limit that is used up (`x-ratelimit-reset-requests: 6s`).
 */
export function retryDelay({ headers, said, error }: Refused, now: number): number | undefined {
  return fromRetryAfter(headers, now) ?? fromRetryInfo(error) ?? fromWords(said) ?? fromResets(headers, now);
}

function fromRetryAfter(headers: Headers | undefined, now: number): number | undefined {
  const precise = Number(headers?.get('retry-after-ms') ?? Number.NaN);
  if (precise >= 0) return precise;
  const header = headers?.get('retry-after') ?? undefined;
  if (header === undefined || header.trim() === '') return undefined;
  const seconds = Number(header);
  if (seconds >= 0) return seconds * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** https://cloud.google.com/apis/design/errors: `{"@type": "…google.rpc.RetryInfo", "retryDelay": "7s"}` in the details. */
function fromRetryInfo(error: unknown): number | undefined {
  const details = isRecord(error) && Array.isArray(error.details) ? error.details : [];
  const info = details.filter(isRecord).find(({ retryDelay: delay }) => typeof delay === 'string');
  return typeof info?.retryDelay === 'string' ? duration(info.retryDelay) : undefined;
}

const whenInWords =
  /(?:(?:try again|retry) (?:in|after)|wait(?: for)?)\s+((?:\d+(?:\.\d+)?\s*(?:ms|milliseconds?|h|hours?|m|min(?:ute)?s?|s|sec(?:ond)?s?)\s*)+)/i;

function fromWords(said: string): number | undefined {
  const found = whenInWords.exec(said)?.[1];
  return found === undefined ? undefined : duration(found);
}

function fromResets(headers: Headers | undefined, now: number): number | undefined {
  if (!headers) return undefined;
  const waits = ['-requests', '-tokens', ''].flatMap((of) => {
    const reset = headers.get(`x-ratelimit-reset${of}`);
    const remaining = headers.get(`x-ratelimit-remaining${of}`);
    // The other limits are not the reason for the refusal.
    if (reset === null || (remaining !== null && Number(remaining) > 0)) return [];
    return untilReset(reset, now) ?? [];
  });
  return waits.length === 0 ? undefined : Math.max(...waits);
}

/** A reset is a duration (`6s`, `1m30s`), a number of seconds, or a time in epoch seconds or milliseconds. */
function untilReset(reset: string, now: number): number | undefined {
  const number = Number(reset);
  if (reset.trim() === '' || !(number >= 0)) return duration(reset);
  if (number > 1e12) return Math.max(0, number - now);
  return number > 1e9 ? Math.max(0, number * 1000 - now) : number * 1000;
}

const unitMs: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|milli)/i, 1],
  [/^h/i, 3_600_000],
  [/^m/i, 60_000],
  [/^s/i, 1_000],
];

/** Reads `7s`, `1m30.5s`, `350ms`, `20 seconds`. */
function duration(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi)];
  if (parts.length === 0) return undefined;
  let sum = 0;
  for (const [, amount, unit = ''] of parts) {
    const ms = unitMs.find(([pattern]) => pattern.test(unit))?.[1];
    if (ms === undefined) return undefined;
    sum += Number(amount) * ms;
  }
  return Math.ceil(sum);
}
