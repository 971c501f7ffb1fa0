import type { z } from 'zod';
import { withNumbers } from '@/lib/base/exact-json';
import { isRecord } from '@/lib/base/json';

/**
 * Parses a file's values with a schema. Integers beyond 2^53 stay bigints where the schema takes them: in values that are passed on. Elsewhere
 * they are the nearest number, as `z.number()` and JSON Schema need it.
 */
export function parseExactly<S extends z.ZodType>(schema: S, value: unknown): z.ZodSafeParseResult<z.output<S>> {
  const first = schema.safeParse(value);
  if (first.success || withNumbers(value) === value) return first;
  const rounded = first.error.issues.reduce(
    (whole, { code, path }) => (code === 'unrecognized_keys' ? whole : roundedAt(whole, path)),
    value,
  );
  return rounded === value ? first : schema.safeParse(rounded);
}

function roundedAt(value: unknown, [step, ...rest]: readonly PropertyKey[]): unknown {
  if (step === undefined) return withNumbers(value);
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === step ? roundedAt(item, rest) : item));
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(([key, member]): [string, unknown] => [
    key,
    key === step ? roundedAt(member, rest) : member,
  ]);
  return Object.fromEntries(members);
}
