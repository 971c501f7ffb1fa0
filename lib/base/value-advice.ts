import type { z } from 'zod';

/** Returns what a value must be, as the end of a sentence. If the schema has a message, that message is used. */
export function valueAdvice(issue: z.core.$ZodIssue, object = 'a mapping'): string {
  const inner: z.core.$ZodIssue | undefined = issue.code === 'custom' ? issue.params?.of : undefined;
  if (inner !== undefined) return valueAdvice(inner, object);
  if (hasOwnWords(issue)) return lowerFirst(issue.message);
  switch (issue.code) {
    case 'invalid_type':
      return `use ${kindOf(issue.expected, object)}`;
    case 'invalid_value':
      return `use ${listed(issue.values.map(String))}`;
    case 'too_small':
      return `use ${sizeOf(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)}`;
    case 'too_big':
      return `use ${sizeOf(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)}`;
    case 'unrecognized_keys':
      return `leave out '${issue.keys.join("', '")}'`;
    case 'invalid_union': {
      const wanted = issue.errors.flatMap(([first]) =>
        first?.code === 'invalid_type' && first.path.length === 0 ? [kindOf(first.expected, object)] : [],
      );
      return wanted.length === 0 ? 'use another value' : `use ${listed([...new Set(wanted)])}`;
    }
    default:
      return 'use another value';
  }
}

/** Returns the same as a sentence, for values in JSON. */
export function valueSentence(issue: z.core.$ZodIssue): string {
  if (hasOwnWords(issue)) return issue.message;
  const advice = valueAdvice(issue, 'an object');
  return `${advice.charAt(0).toUpperCase()}${advice.slice(1)}.`;
}

/** The words of the library begin like this. */
function hasOwnWords({ message }: z.core.$ZodIssue): boolean {
  return !/^(?:Invalid|Too|Unrecognized) /.test(message);
}

function kindOf(expected: string, object: string): string {
  return expected === 'object' || expected === 'record' ? object : (kinds[expected] ?? 'another kind of value');
}

const kinds: Readonly<Record<string, string | undefined>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  string: 'a text',
};

function sizeOf(origin: string, bound: string, size: number | bigint): string {
  const shown = `${bound} ${size}`;
  switch (origin) {
    case 'string':
      return size === 1 && bound === 'at least' ? 'a text that is not empty' : `a text with ${shown} characters`;
    case 'array':
    case 'set':
      return size === 1 && bound === 'at least' ? 'a list that is not empty' : `a list with ${shown} entries`;
    default:
      return `a number of ${shown}`;
  }
}

function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`.replace(/[.]$/, '');
}
