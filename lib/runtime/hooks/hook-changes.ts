import { isRecord, type Json, type JsonObject, parseJson } from '@/lib/base/json';
import type { EventBody } from '@/lib/runtime/record/events';
import type { ToolResult } from '@/lib/runtime/record/messages';

export type HookChange = Extract<EventBody, { kind: 'hook.ended' }>['changes'][number];

/** The recorded JSON of a value before or after a change is cut at this length, in UTF-16 units. */
const maxChars = 8_000;

/** Returns the members of the arguments that a hook changed, added or removed, before and after. */
export function argumentsChange(
  before: JsonObject,
  after: JsonObject,
  scrub: (args: JsonObject) => JsonObject,
): HookChange | undefined {
  return cleanChange('arguments', before, after, scrub);
}

/** Returns what a hook changed in the result. `before` is `undefined` when the hook answered without running the tool. */
export function resultChange(
  before: ToolResult | undefined,
  after: ToolResult,
  scrub: (result: ToolResult) => ToolResult,
): HookChange | undefined {
  return cleanChange('result', before, after, scrub);
}

/** Serves a hook that hides values: shows where something changed, but not the value. */
function cleanChange<T extends object>(
  what: 'arguments' | 'result',
  before: T | undefined,
  after: T,
  scrub: (value: T) => T,
): HookChange | undefined {
  const raw = changeOf(what, before, after);
  if (!raw) return undefined;
  const [cleanBefore, cleanAfter] = [before && scrub(before), scrub(after)];
  if (cleanBefore === before && cleanAfter === after) return raw;
  const clean = changeOf(what, cleanBefore, cleanAfter);
  if (clean) return clean;
  const hidden = changeOf(what, undefined, cleanAfter);
  return hidden && { ...hidden, before: '[hidden]' };
}

function changeOf(what: 'arguments' | 'result', before: object | undefined, after: object): HookChange | undefined {
  if (before === after) return undefined;
  const old: Readonly<Record<string, unknown>> = before ? { ...before } : {};
  const now: Readonly<Record<string, unknown>> = { ...after };
  const changedOld: Record<string, unknown> = {};
  const changedNow: Record<string, unknown> = {};
  let isChanged = false;
  for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (isSame(old[key], now[key])) continue;
    isChanged = true;
    if (old[key] !== undefined) changedOld[key] = old[key];
    if (now[key] !== undefined) changedNow[key] = now[key];
  }
  if (!isChanged) return undefined;
  return { what, before: before ? recorded(changedOld) : null, after: recorded(changedNow) };
}

/** Returns a copy for the log, cut to the limit. */
function recorded(value: Record<string, unknown>): Json {
  const text = JSON.stringify(value);
  return text.length <= maxChars
    ? (parseJson(text) ?? null)
    : `${text.slice(0, maxChars)}… [cut: first ${maxChars} of ${text.length} characters]`;
}

/** True for equal JSON. The order of members makes no difference, and an undefined member equals an absent one. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  for (const key in a) if (!isSame(a[key], b[key])) return false;
  for (const key in b) if (a[key] === undefined && b[key] !== undefined) return false;
  return true;
}
