import { randomUUID } from 'node:crypto';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { findLargeInteger, quoteLargeNumbers, replaceIntegers } from '@/lib/base/exact-json';
import { isRecord } from '@/lib/base/json';
import { isJsonTooLarge } from '@/lib/base/json-size';
import type { GuardedFetch } from './guarded-fetch';

type Fetch = GuardedFetch['fetch'];

/**
 * The SDK reads and writes messages with `JSON.parse` and `JSON.stringify`, which know no integers beyond 2^53. Such a number goes
 * through the SDK as a marked string. Nobody outside knows the mark.
 *
 *   request  value ──markIntegers──▶ SDK ──exactBody──▶ text with the digits
 *   answer   text ──markedNumbers──▶ JSON.parse, SDK ──withoutMarks──▶ message: the digits in structured results, else a double
 */
const mark = `${randomUUID()}#`;
const marked = new RegExp(`"${mark}([\\d.eE+-]+)"`, 'g');

/** Makes an HTTP transport send marked strings. `exactBody` takes the marks off in the request. */
export function markIntegers(transport: Transport): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    return send(withMarks(message), options);
  };
}

/** Returns the value with a marked string in place of each `bigint`. */
export function withMarks<T>(value: T): T {
  if (findLargeInteger(value) === undefined) return value;
  return replaceIntegers(value, (integer) => `${mark}${integer}`) as T;
}

/** Returns a value with the digits as text in place of each marked number. */
export function marksAsDigits(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith(mark) ? value.slice(mark.length) : value;
  if (Array.isArray(value)) return value.map(marksAsDigits);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, marksAsDigits(member)]));
}

/** Returns JSON text with the digits of marked numbers. */
export function exactBody(body: string): string {
  return body.includes(mark) ? body.replaceAll(marked, '$1') : body;
}

/** True once a message of a server had a number that a double cannot hold. Most servers never send one. */
let hasMarked = false;

/** Nothing is marked in messages that are nested more deeply. */
const deepest = 1_000;

/** A message is an object or a list. The first event of an SSE server is an address, where `-26e01868d` is no number. */
const messageStart = /^\s*[{[]/;

/** Marks the numbers of a server's message that a double cannot hold. Other text stays as it is. */
export function markedNumbers(text: string): string {
  return messageStart.test(text) ? withMarkedNumbers(text) : text;
}

/** Does the same for one line of a message. */
function withMarkedNumbers(text: string): string {
  const quoted = quoteLargeNumbers(text, mark);
  if (quoted === text || isJsonTooLarge(text, Number.POSITIVE_INFINITY, deepest)) return text;
  hasMarked = true;
  return quoted;
}

/**
 * Takes the marks off. A structured result gets integers with all digits, and numbers beyond the range of doubles as text. Everywhere
 * else, for example in schemas, a number becomes a double, because that is what reads it. A schema may have a property with the name
 * `structuredContent`, so the place in the message counts.
 */
export function withoutMarks<T extends JSONRPCMessage>(message: T): T {
  return hasMarked ? (unmarked(message, 'message', 0) as T) : message;
}

/** Where a value is in a message. The result of a task of MCP 2026-07-28 is inside of the task, which is a result. */
type Place = 'message' | 'result' | 'result of a task' | 'structured' | 'elsewhere';

function unmarked(value: unknown, place: Place, depth: number): unknown {
  if (typeof value === 'string') {
    if (!value.startsWith(mark)) return value;
    const digits = value.slice(mark.length);
    return place === 'structured' ? asWritten(digits) : Number(digits);
  }
  if (depth > deepest) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => unmarked(item, placeOf(undefined, place), depth + 1));
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(([key, member]): [string, unknown] => [
    key,
    unmarked(member, placeOf(key, place), depth + 1),
  ]);
  return Object.fromEntries(members);
}

/** The place of a member of a record, or of an item of a list, which has no key. */
function placeOf(key: string | undefined, outer: Place): Place {
  switch (outer) {
    case 'message':
      return key === 'result' ? 'result' : 'elsewhere';
    case 'result':
      if (key === 'result') return 'result of a task';
      return key === 'structuredContent' ? 'structured' : 'elsewhere';
    case 'result of a task':
      return key === 'structuredContent' ? 'structured' : 'elsewhere';
    case 'structured':
    case 'elsewhere':
      return outer;
  }
}

function asWritten(digits: string): bigint | string {
  return /[.eE]/.test(digits) ? digits : BigInt(digits);
}

/** Makes a `fetch` whose good answers have marked numbers: JSON bodies and event streams. */
export function markedAnswers(fetch: Fetch): Fetch {
  return async (input, init) => markedAnswer(await fetch(input, init));
}

export function markedAnswer(response: Response): Response {
  const type = response.headers.get('content-type') ?? '';
  const marks = type.includes('text/event-stream') ? byLine() : type.includes('json') ? asWhole() : undefined;
  if (!response.ok || response.body === null || marks === undefined) return response;
  const body = response.body.pipeThrough(textTransform(marks));
  return new Response(body, { status: response.status, headers: response.headers });
}

/** Takes text in pieces. Returns what can be passed on: `''` while a line or a message is incomplete. */
interface Marks {
  take(piece: string): string;
  end(): string;
}

function textTransform(marks: Marks): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const encoder = new TextEncoder();
  return new TransformStream({
    transform(chunk, controller) {
      const text = marks.take(decoder.decode(chunk, { stream: true }));
      if (text !== '') controller.enqueue(encoder.encode(text));
    },
    flush(controller) {
      const text = marks.take(decoder.decode()) + marks.end();
      if (text !== '') controller.enqueue(encoder.encode(text));
    },
  });
}

function asWhole(): Marks {
  let whole = '';
  return {
    take(piece) {
      whole += piece;
      return '';
    },
    end: () => markedNumbers(whole),
  };
}

/** JSON has no line end within a string or a number, so each line of an event can be marked alone. */
function byLine(): Marks {
  let line = '';
  let isAfterCr = false;
  /** Whether the data of the event is a message; `undefined` before it has any. */
  let isMessage: boolean | undefined;
  const ofLine = (text: string) => {
    if (text === '') isMessage = undefined;
    if (!text.startsWith('data:')) return text;
    const data = text.slice('data:'.length);
    if (data.trim() !== '') isMessage ??= messageStart.test(data);
    return isMessage ? `data:${withMarkedNumbers(data)}` : text;
  };
  return {
    take(piece) {
      const end = Math.max(piece.lastIndexOf('\n'), piece.lastIndexOf('\r')) + 1;
      if (end === 0) {
        line += piece;
        return '';
      }
      const lines = line + piece.slice(0, end);
      line = piece.slice(end);
      // Line ends are those of event streams. They are the parts with odd places, and nothing follows the last one.
      const parts = lines.split(/(\r\n|[\r\n])/);
      const isRestOfEnd = isAfterCr && lines.startsWith('\n');
      isAfterCr = lines.endsWith('\r');
      return parts
        .map((part, at) => (at % 2 === 1 || at === parts.length - 1 || (at === 0 && isRestOfEnd) ? part : ofLine(part)))
        .join('');
    },
    end: () => line,
  };
}
