/** States what must hold; a failure is a bug of ours, never the user's. */
export function assert(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`Bug: ${what}`);
}

/** Ends an exhaustive `switch`. */
export function assertNever(value: never): never {
  throw new Error(`Bug: unexpected ${JSON.stringify(value)}`);
}
