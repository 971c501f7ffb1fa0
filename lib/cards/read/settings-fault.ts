import type { z } from 'zod';
import { nearName } from '@/lib/base/near-name';
import type { Path } from '@/lib/cards/yaml/yaml-source';
import { settingsWords } from './settings-words';

/** Returns the next step for a key of callboard.yaml that does not exist. Names in the style of other products are understood. */
export function keyAdvice(path: Path): string {
  const key = String(path.at(-1));
  const names = keysBelow(path.slice(0, -1));
  const snake = key.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  const meant = names.includes(snake) ? snake : nearName(key, names);
  return meant === undefined ? 'Remove it.' : `Did you mean '${meant}'?`;
}

function keysBelow(path: Path): readonly string[] {
  return Object.keys(settingsWords).flatMap((known) => {
    const parts = known.split('.');
    const last = parts.pop();
    const fits = parts.length === path.length && parts.every((part, at) => part === '*' || part === String(path[at]));
    return fits && last !== undefined && last !== '*' ? [last] : [];
  });
}

/** Returns what a value must be, as the end of a sentence. If the schema has a message, that message is used. */
export function valueAdvice(issue: z.core.$ZodIssue): string {
  const inner: z.core.$ZodIssue | undefined = issue.code === 'custom' ? issue.params?.of : undefined;
  if (inner !== undefined) return valueAdvice(inner);
  const { message } = issue;
  if (!/^(?:Invalid|Too|Unrecognized) /.test(message) && message !== 'Invalid input') return lowerFirst(message);
  switch (issue.code) {
    case 'invalid_type':
      return `use ${kinds[issue.expected] ?? 'another kind of value'}`;
    case 'invalid_value':
      return `use ${listed(issue.values.map(String))}`;
    case 'too_small':
      return `use ${sizeOf(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)}`;
    case 'too_big':
      return `use ${sizeOf(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)}`;
    default:
      return 'use another value';
  }
}

const kinds: Readonly<Record<string, string | undefined>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'a mapping',
  record: 'a mapping',
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
