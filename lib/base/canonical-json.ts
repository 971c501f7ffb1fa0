import { isRecord, type Json } from './json';

/** Writes JSON text with sorted keys. The text is the same for two values that differ only in the order of members. */
export function canonicalJson(value: Json): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (!isRecord(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
