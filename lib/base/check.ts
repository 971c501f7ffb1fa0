import { isRecord } from './json';

/**
 * Tells whether a value from outside has the form of a `T`. Pages that must load little check with functions like this, and not
 * with schemas, whose library is larger than most pages.
 */
export type Check<T> = (value: unknown) => value is T;

/** Returns the check of an array of values that pass `check`. */
export function listOf<T>(check: Check<T>): Check<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(check);
}

type Test = (value: unknown) => boolean;

/** Returns the check of an object whose named fields pass. Other fields are not looked at. */
export function shapeOf<T>(fields: { readonly [Name in keyof T]?: Test }): Check<T> {
  const tests = Object.entries<Test | undefined>(fields);
  return (value): value is T =>
    isRecord(value) && tests.every(([name, passes]) => passes === undefined || passes(value[name]));
}

export const isText: Test = (value) => typeof value === 'string';
export const isNumber: Test = (value) => typeof value === 'number';

/** Passes what passes `test`, and `undefined`. */
export function optional(test: Test): Test {
  return (value) => value === undefined || test(value);
}
