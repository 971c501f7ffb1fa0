/** Throws unless `condition` is true. A failure is a bug in Callboard, never a fault of the user. */
export function assert(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`Bug: ${what}`);
}

/** Ends an exhaustive `switch` as its `default`. It does not compile when a case is missing. */
export function assertNever(value: never): never {
  throw new Error(`Bug: unexpected ${JSON.stringify(value)}`);
}
