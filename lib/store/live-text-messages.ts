/**
 * Notifications that carry what models say from the worker to web processes that have readers of the run.
 *
 *   web      ── watch_texts:  "watch:<run>" every few seconds, "watch:<run>:all" at first ──▶ all workers
 *   worker   ── live_texts:   "text-<run>:<epoch>:[pieces and ends]" ──▶ all web processes
 *
 * Nothing is stored. A notification that is lost leaves a gap, which the reader asks to fill.
 */
import type { RunId } from '@/lib/base/ids';
import { isRecord, parseJson } from '@/lib/base/json';
import type { LivePiece } from '@/lib/trace/live-texts';
import type { Store } from './database';

export const watchTextsChannel = 'watch_texts';
/** The key of all notifications of that channel. */
export const watchTextsKey = 'watch';
export const liveTextsChannel = 'live_texts';

/** A call that has ended, by its step. */
export interface LiveEnd {
  readonly end: string;
}

/** Postgres accepts less than 8,000 bytes in a notification. */
const mostBytes = 7_900;

/** Returns the key of the notifications for the readers of a run. The run's id alone is the key of its events. */
export function liveTextsKey(runId: RunId): string {
  return `text-${runId}`;
}

/** Returns notifications that together carry the pieces and ends, in order. Long texts are split. */
export function liveTextMessages(
  runId: RunId,
  epoch: number,
  items: readonly (LivePiece | LiveEnd)[],
): readonly string[] {
  const head = `${liveTextsKey(runId)}:${epoch}:`;
  const room = mostBytes - head.length - 2;
  const messages: string[] = [];
  let batch: string[] = [];
  let bytes = 0;
  const close = () => {
    if (batch.length > 0) messages.push(`${head}[${batch.join(',')}]`);
    batch = [];
    bytes = 0;
  };
  for (const json of items.flatMap((item) => fitting(item, room))) {
    const size = Buffer.byteLength(json) + 1;
    if (bytes + size > room) close();
    batch.push(json);
    bytes += size;
  }
  close();
  return messages;
}

/** Returns the JSON of an item in parts that fit. An item with a path that alone is too long is left out. */
function fitting(item: LivePiece | LiveEnd, room: number): readonly string[] {
  const json = JSON.stringify(item);
  if (Buffer.byteLength(json) < room) return [json];
  if ('end' in item || item.text.length < 2) return [];
  const half = item.text.length >> 1;
  const second = { ...item, at: item.at + half, text: item.text.slice(half) };
  return [...fitting({ ...item, text: item.text.slice(0, half) }, room), ...fitting(second, room)];
}

/** Reads what follows the key of a notification for readers. `undefined` if it is malformed. */
export function readLiveTextMessage(
  text: string,
): { readonly epoch: number; readonly items: readonly (LivePiece | LiveEnd)[] } | undefined {
  const colon = text.indexOf(':');
  const epoch = Number(text.slice(0, colon));
  const items = parseJson(text.slice(colon + 1));
  if (colon < 1 || !Number.isInteger(epoch) || !Array.isArray(items)) return undefined;
  return { epoch, items: items.filter(isItem) };
}

function isItem(item: unknown): item is LivePiece | LiveEnd {
  if (!isRecord(item)) return false;
  if (typeof item.end === 'string') return true;
  return typeof item.step === 'string' && typeof item.at === 'number' && typeof item.text === 'string';
}

/** Sends notifications in one statement. They need not survive a crash, so the statement does not wait for the disk. */
export async function sendNotifications(store: Store, channel: string, payloads: readonly string[]): Promise<void> {
  await store.pool.query({
    name: 'send-notifications',
    text: `SELECT pg_notify($1, payload), set_config('synchronous_commit', 'off', true) FROM unnest($2::text[]) payload`,
    values: [channel, payloads],
  });
}
