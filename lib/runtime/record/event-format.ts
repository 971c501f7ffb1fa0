import { AppError } from '@/lib/base/app-error';
import { parseExactJson } from '@/lib/base/exact-json';
import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import { eventSchema } from './event-schema';
import type { RunEvent } from './events';

/**
 * The format in which this code writes events. Increase it when the shape or the meaning of any kind changes, and add a
 * function to `upgrades` that converts the former format. docs/event-format.md has the history.
 */
export const eventFormat = 6;

/** Thrown for a record that this code cannot read because its format is newer or it is damaged. */
export class UnreadableRecord extends AppError {
  constructor(message: string) {
    super('conflict', message);
    this.name = 'UnreadableRecord';
  }
}

type Upgrade = (event: JsonObject) => JsonObject;

/** Each function converts an event from the format of its key to the next one. */
const upgrades: ReadonlyMap<number, Upgrade> = new Map([[1, renameWholeHistory]]);

/**
 * Reads a persisted event and converts it to the current format. Throws `UnreadableRecord` with a sentence for a newer format
 * and for a value that is not an event.
 */
export function readEventRecord(format: number, body: string): RunEvent {
  if (format > eventFormat) throw new UnreadableRecord(newerRecord('The events of this run', format, eventFormat));
  const event = upgraded(format, parseEvent(body));
  checkEvent(event);
  return event;
}

/** The members of events that hold values of agents, in which integers beyond 2^53 keep their digits. */
const exactMembers: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['state.changed', ['delta']],
  ['tool.returned', ['result', 'written']],
  ['tool.ended', ['result']],
  ['instance.started', ['state']],
  ['session.opened', ['content']],
  ['session.saved', ['messages', 'state']],
  ['history.merged', ['messages']],
]);

/** Matches text that may have an integer beyond 2^53 outside a string. */
const largeInteger = /[:[,]-?\d{16}/;

function parseEvent(body: string): Json {
  const event: Json = JSON.parse(body);
  const members = isObject(event) && largeInteger.test(body) ? exactMembers.get(event.kind) : undefined;
  const exact = members && parseExactJson(body);
  if (!exact || !isObject(exact) || !isObject(event)) return event;
  const kept = Object.entries(exact).filter(([name]) => members?.includes(name));
  return { ...event, ...Object.fromEntries(kept) };
}

function upgraded(format: number, written: Json): unknown {
  let event = written;
  for (let from = format; from < eventFormat; from += 1) {
    const upgrade = upgrades.get(from);
    if (upgrade !== undefined && isObject(event)) event = upgrade(event);
  }
  return event;
}

/** The value itself is used after the check, because the copy that zod makes has its keys in another order. */
function checkEvent(event: unknown): asserts event is RunEvent {
  const read = eventSchema.safeParse(event);
  if (read.success) return;
  const [issue] = read.error.issues;
  const which = isRecord(event) ? `event ${String(event.seq)} (${String(event.kind)})` : 'an event';
  const place = issue === undefined || issue.path.length === 0 ? '' : `, '${issue.path.join('.')}'`;
  throw new UnreadableRecord(
    `The record of this run is damaged: ${which}${place} is not as this version of Callboard writes it. Restore the database from a backup, or run it again.`,
  );
}

/**
 * Reads an event as JSON text. Text in the current format is returned unchanged, unless it may have integers that browsers cannot
 * hold: they become their digits as text.
 */
export function currentEventText(format: number, body: string): string {
  if (format === eventFormat && !largeInteger.test(body)) return body;
  return JSON.stringify(readEventRecord(format, body));
}

/** Makes the error for a record whose format is newer than this code. */
export function newerRecord(what: string, format: number, known: number): string {
  return `${what} were written by a newer Callboard (format ${format}; this one reads up to ${known}). Nothing was changed. Update Callboard to open them.`;
}

/**
 * Converts format 1 to 2. In format 1, a history changed by a phase hook was the whole conversation. In format 2, `history`
 * is only what the model has read before, and unread messages stay behind it; a whole conversation is called
 * `conversation`.
 */
function renameWholeHistory(event: JsonObject): JsonObject {
  if (event.kind !== 'hook.ended' || !Array.isArray(event.changes)) return event;
  const changes = event.changes.map((change: Json) =>
    isObject(change) && change.what === 'history' ? { ...change, what: 'conversation' } : change,
  );
  return { ...event, changes };
}

function isObject(value: Json): value is JsonObject {
  return isRecord(value);
}
