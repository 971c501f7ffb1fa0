/**
 * Tells whether a value from outside has the form of a `T`. Pages that must load little check with functions like this, and not
 * with schemas, whose library is larger than most pages.
 */
export type Check<T> = (value: unknown) => value is T;

/** Returns the check of an array of values that pass `check`. */
export function listOf<T>(check: Check<T>): Check<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(check);
}
