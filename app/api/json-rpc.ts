import { isRecord, type Json, parseJson } from '@/lib/base/json';
import { isJsonTooLarge } from '@/lib/base/json-size';
import { repeatedKeyOf } from '@/lib/base/repeated-key';
import { eventStream } from './event-stream';
import { mostValues } from './read-body';

/** A space is sent this often before a late answer, because connections on which nothing is sent are closed. JSON allows it. */
const patienceMs = 15_000;

/** Answers with JSON when it is there. */
export function lateJson(answer: Promise<unknown>, heartbeatMs = patienceMs): Response {
  const text = new TextEncoder();
  let heartbeat: ReturnType<typeof setInterval> | undefined;
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      heartbeat = setInterval(() => controller.enqueue(text.encode(' ')), heartbeatMs);
      try {
        const value = await answer;
        clearInterval(heartbeat);
        controller.enqueue(text.encode(JSON.stringify(value)));
        controller.close();
      } catch (error) {
        clearInterval(heartbeat);
        controller.error(error);
      }
    },
    cancel: () => clearInterval(heartbeat),
  });
  return new Response(body, { headers: { 'Content-Type': 'application/json' } });
}

/** Answers with one server-sent event for each value. An error after the first is the last event, which `failed` makes. */
export function jsonEvents(
  values: AsyncIterable<unknown>,
  failed: (error: unknown) => unknown,
  stop: () => void,
): Response {
  return eventStream(texts(values, failed), stop);
}

async function* texts(values: AsyncIterable<unknown>, failed: (error: unknown) => unknown): AsyncGenerator<string> {
  try {
    for await (const value of values) yield `data: ${JSON.stringify(value)}\n\n`;
  } catch (error) {
    yield `data: ${JSON.stringify(failed(error))}\n\n`;
  }
}

/**
 * Returns the object in a JSON-RPC body. Returns an empty object, which no method accepts, for any other value, for too many values, and
 * for a key that comes twice. With `parseExactJson` integers beyond 2^53 are `bigint`s.
 */
export function readRequestObject(
  bytes: Uint8Array,
  parse: (text: string) => Json | undefined = parseJson,
): Record<string, unknown> {
  const text = new TextDecoder().decode(bytes);
  if (isJsonTooLarge(text, mostValues, Number.POSITIVE_INFINITY)) return {};
  const value = parse(text);
  return isRecord(value) && repeatedKeyOf(text) === undefined ? value : {};
}
