import { canonicalJson } from '@/lib/base/canonical-json';
import { restoreIntegers } from '@/lib/base/exact-json';
import { isRecord, type Json, type JsonObject } from '@/lib/base/json';

/**
 * Returns the arguments that a person edited, with the values that the person could not see. Secrets are redacted in what is
 * shown, and a form sends them back as they were shown: such a value stands for the one behind it. Returns `undefined` if the
 * values behind cannot be told, because items were added to a list that holds some, or removed from it.
 */
export function withHidden(edited: JsonObject, shown: Json, real: JsonObject): JsonObject | undefined {
  const known = restored(edited, shown, real);
  const whole = known && restoreIntegers(real, known);
  return whole !== undefined && isObject(whole) ? whole : undefined;
}

function restored(edited: Json, shown: Json, real: Json): Json | undefined {
  if (isSame(shown, real)) return edited;
  if (isSame(edited, shown)) return real;
  if (isObject(edited) && isObject(shown) && isObject(real)) {
    const members: [string, Json][] = [];
    for (const [key, value] of Object.entries(edited)) {
      const isKnown = Object.hasOwn(shown, key) && Object.hasOwn(real, key);
      const member = isKnown ? restored(value, shown[key] ?? null, real[key] ?? null) : value;
      if (member === undefined) return undefined;
      members.push([key, member]);
    }
    return Object.fromEntries(members);
  }
  if (isList(edited) && isList(shown) && isList(real)) {
    if (edited.length !== shown.length) return undefined;
    const items: Json[] = [];
    for (const [index, value] of edited.entries()) {
      const item = restored(value, shown[index] ?? null, real[index] ?? null);
      if (item === undefined) return undefined;
      items.push(item);
    }
    return items;
  }
  return edited;
}

function isSame(a: Json, b: Json): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

function isObject(value: Json): value is JsonObject {
  return isRecord(value);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
