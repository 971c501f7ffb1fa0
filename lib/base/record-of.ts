import { z } from 'zod';
import { isRecord } from './json';

/**
 * Makes a zod schema for a mapping with arbitrary keys. It is needed because zod's own record silently drops the key
 * `__proto__`. Issues name the path of the member.
 */
export function recordOf<S extends z.ZodType>(member: S) {
  const record = z.unknown().transform((value, context): Readonly<Record<string, z.output<S>>> => {
    if (!isRecord(value)) {
      context.issues.push({ code: 'invalid_type', expected: 'record', input: value });
      return z.NEVER;
    }
    const entries: [string, z.output<S>][] = [];
    for (const [key, item] of Object.entries(value)) {
      const read = member.safeParse(item);
      if (read.success) entries.push([key, read.data]);
      else {
        for (const issue of read.error.issues) {
          context.issues.push(rawIssue(issue, item, key));
        }
      }
    }
    return Object.fromEntries(entries);
  });
  members.set(record, member);
  return record;
}

const members = new WeakMap<object, z.ZodType>();

/** Returns the schema of the members of a mapping that `recordOf` made. Returns `undefined` for any other schema. */
export function memberOf(record: object): z.ZodType | undefined {
  return members.get(record);
}

/** Turns an issue of a member into one of the mapping. Keeps its message, its unknown keys, and the issue itself as `params.of`. */
function rawIssue(issue: z.core.$ZodIssue, input: unknown, key: string): z.core.$ZodRawIssue {
  const raw: z.core.$ZodRawIssue<z.core.$ZodIssueCustom> = {
    code: 'custom',
    message: issue.message,
    input,
    params: { of: issue },
  };
  const path = [key, ...issue.path];
  return issue.code === 'unrecognized_keys'
    ? { code: issue.code, keys: issue.keys, message: issue.message, input: isRecord(input) ? input : {}, path }
    : { ...raw, path };
}
