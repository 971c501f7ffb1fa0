import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '@/lib/testing/seeded-random';
import { bearer } from './app';

/** What a reader of a run's stream received. Each event is kept as the text that came. */
export interface Reader {
  /** Events in the order they came. */
  readonly seen: readonly { readonly seq: number; readonly text: string }[];
  /** Returns how often the reader closed its own connection. */
  readonly drops: () => number;
  /** True once `run.finished` has come. */
  readonly isDone: () => boolean;
  /** Resolves after `run.finished`, or when stopped. */
  readonly done: Promise<void>;
}

/**
 * Follows a run over its event stream, closes the connection after 3 to 12 events, and continues after the last event it
 * has.
 */
export function readStream(url: string, runId: string, random: SeededRandom, signal: AbortSignal): Reader {
  const seen: { seq: number; text: string }[] = [];
  let drops = 0;
  let finished = false;

  async function connect(): Promise<void> {
    const cut = new AbortController();
    const left = 3 + random.below(10);
    const answer = await fetch(`${url}/api/v1/runs/${runId}/events`, {
      headers: { ...bearer, accept: 'text/event-stream', 'last-event-id': String(seen.at(-1)?.seq ?? 0) },
      signal: AbortSignal.any([signal, cut.signal]),
    });
    if (!answer.ok || answer.body === null) {
      await answer.body?.cancel();
      return;
    }
    const until = seen.length + left;
    for await (const text of messages(answer.body)) {
      const event = JSON.parse(text) as { seq: number; kind: string };
      seen.push({ seq: event.seq, text });
      if (event.kind === 'run.finished') finished = true;
      if (finished || seen.length >= until) break;
    }
    if (!finished && seen.length >= until) drops += 1;
    cut.abort();
  }

  async function follow(): Promise<void> {
    while (!finished && !signal.aborted) {
      await connect().catch(() => undefined);
      if (!finished) await sleep(50);
    }
  }

  return { seen, drops: () => drops, isDone: () => finished, done: follow() };
}

/** Yields the data of each message that is an event. */
async function* messages(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let buffer = '';
  for await (const chunk of body) {
    buffer += decoder.decode(chunk, { stream: true });
    for (let end = buffer.indexOf('\n\n'); end !== -1; end = buffer.indexOf('\n\n')) {
      const lines = buffer.slice(0, end).split('\n');
      buffer = buffer.slice(end + 2);
      const isEvent = !lines.some((line) => line.startsWith('event:') && !line.endsWith('message'));
      const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trimStart());
      if (isEvent && data.length > 0) yield data.join('\n');
    }
  }
}
