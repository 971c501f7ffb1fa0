/** What the hooks of one tool call did, in the order in which they ran. */
import { isRecord, type Json } from '@/lib/base/json';
import type { RunEvent } from '@/lib/runtime/record/events';
import { textOf } from '@/lib/runtime/record/messages';
import { hookPlace } from '@/lib/runtime/record/step-key';
import { type JsonChange, jsonChanges } from './json-diff';
import { spanDetail, spanEnd, type Trace } from './trace';

type HookEnd = Extract<RunEvent, { kind: 'hook.ended' }>;

/**
 * Returns the time in which a hook itself worked, in microseconds. `undefined` if its events do not say how long it waited, as in
 * older logs, or if it has not ended.
 */
export function hookOwnTime(trace: Trace, span: number, now: number): number | undefined {
  const { spans } = trace;
  const total = spanEnd(trace, span, now) - spans.start.at(span);
  const below = spans.below.get(span);
  if (below !== undefined) return Math.max(0, total - below.for);
  const isAlone = spanDetail(trace, span) !== 'around' || spans.has(span, 'stopped');
  return isAlone && spans.statusOf(span) !== 'open' ? total : undefined;
}

/**
 * Returns the arguments that a tool received: those that were asked for, with the changes of the hooks that wrap the call. Hooks
 * that ran again count with their last change. `undefined` if the changes were cut when they were recorded.
 */
export function receivedArguments(asked: Json, hooks: readonly HookEnd[]): Json | undefined {
  const last = new Map(hooks.map((event) => [event.step, event]));
  let received = asked;
  for (const { changes } of last.values()) {
    for (const { what, before, after } of changes) {
      if (what !== 'arguments') continue;
      if (!isObject(received) || !isObject(before) || !isObject(after)) return undefined;
      const removed = new Set(Object.keys(before));
      received = { ...Object.fromEntries(Object.entries(received).filter(([key]) => !removed.has(key))), ...after };
    }
  }
  return received;
}

/** True if the innermost hook that ran called the next one, so that the hooks let the call go on to its tool. */
export function reachedTool(hooks: readonly HookEnd[]): boolean {
  const innermost = Math.max(0, ...hooks.map(({ step }) => hookPlace(step)));
  return hooks.some(({ step, calledNext }) => calledNext && hookPlace(step) === innermost);
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return isRecord(value);
}

/** Returns one line of what a hook did, such as `x: 99 → 10`, for history rows. */
export function hookLine({ changes, calledNext, error }: HookEnd): string {
  if (error !== undefined) return `failed: ${error}`;
  const parts = changes.flatMap(({ what, before, after }) => {
    if (what === 'result' && before === null) return [`answered ${resultText(after)}`];
    const places = jsonChanges(before, after);
    const shown = places.slice(0, mostPlaces).map((place) => placeText(what, place));
    return places.length > mostPlaces ? [...shown, `${places.length - mostPlaces} more`] : shown;
  });
  if (parts.length > 0) return parts.join(', ');
  return calledNext ? 'no change' : 'did not call next';
}

const mostPlaces = 4;
const mostChars = 80;

function placeText(what: HookEnd['changes'][number]['what'], { path, before, after }: JsonChange): string {
  const name = what === 'arguments' ? path : [what, path].filter((part) => part !== '').join(' ');
  return `${name === '' ? what : name}: ${short(before)} → ${short(after)}`;
}

function resultText(result: Json): string {
  if (!isRecord(result) || !Array.isArray(result.content)) return short(result);
  return short(textOf(result.content.filter((part) => isRecord(part) && part.type === 'text')) || result);
}

function short(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value) ?? '';
  return text.length > mostChars ? `${text.slice(0, mostChars)}…` : text;
}
