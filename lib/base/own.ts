/** The member of that name, where there is one: a name from outside may be `constructor` or `__proto__`. */
export function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
