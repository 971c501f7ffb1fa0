/**
 * Returns the record's own member, if any. A plain lookup would be wrong, because an untrusted key may be `constructor` or
 * `__proto__`.
 */
export function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
