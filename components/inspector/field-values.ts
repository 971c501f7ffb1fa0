import { isRecord, type Json, parseJson } from '@/lib/base/json';
import { parameterName } from '@/lib/cards/read/read-request-params';
import type { CardField, FieldPath, ValueField } from './field-kinds';
import { numberFault, parseNumber } from './number-text';

/** How a value of a card is shown in a field, and how the text of a field becomes a value. */

/** What a typed text means: a value, no value (`undefined`), or a sentence that says why it is none. */
export type TypedValue = { readonly value: Json | undefined } | { readonly fault: string };

/** Returns the text that a field shows for the value in the card, which may be of a wrong type. */
export function shownText(field: ValueField, value: unknown): string {
  if (value === undefined || value === null) return '';
  switch (field.kind) {
    case 'strings':
      return textsIn(value)
        .map((one) =>
          one.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t'),
        )
        .join('\n');
    case 'json':
      return JSON.stringify(value, null, 2);
    default:
      return plainText(value);
  }
}

/** Returns the value of a typed text. A text of blanks is no value. */
export function typedValue(field: ValueField, text: string): TypedValue {
  if (text.trim() === '') return { value: undefined };
  switch (field.kind) {
    case 'text':
    case 'secret':
    case 'lines':
      return { value: text };
    case 'choice':
      // A field that is a flag or one word has the flag as a choice.
      return { value: text === 'true' ? true : text };
    case 'yes-no':
      return { value: text === 'true' };
    case 'number': {
      const fault = numberFault(text, { least: field.least });
      return fault === undefined ? { value: parseNumber(text) } : { fault };
    }
    case 'strings':
      return { value: text.split('\n').flatMap((line) => (line === '' ? [] : [unescaped(line)])) };
    case 'json':
      return typedJson(text, field.shape);
  }
}

function typedJson(text: string, shape: 'mapping' | 'any'): TypedValue {
  const value = parseJson(text);
  if (value === undefined)
    return { fault: 'This is not JSON, so it is not written. Check quotes, commas and brackets.' };
  if (shape === 'any' || isRecord(value)) return { value };
  return { fault: 'This is not a JSON object, so it is not written. Write {"name": value}.' };
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

function unescaped(line: string): string {
  return line.replace(/\\(.)/g, (_, char: string) => escapes[char] ?? char);
}

function plainText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns the entries of a list as texts. A single text counts as a list of one, as in fast-agent. */
export function textsIn(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map((entry: unknown) =>
    isRecord(entry) && typeof entry.entrypoint === 'string' ? entry.entrypoint : plainText(entry),
  );
}

/**
 * Returns the path at which a card has a field, whose value may be written in another way: request parameters may be in
 * camelCase.
 */
export function writtenPath(document: unknown, path: FieldPath): FieldPath {
  const [root, key] = path;
  if (root !== 'request_params' || typeof key !== 'string') return path;
  const written = isRecord(document) && isRecord(document.request_params) ? Object.keys(document.request_params) : [];
  return written.includes(key) ? path : [root, written.find((one) => parameterName(one) === key) ?? key];
}

const controls: Readonly<Record<CardField['kind'], string>> = {
  text: 'text',
  model: 'model picker',
  secret: 'text, hidden',
  lines: 'text of several lines',
  number: 'number',
  choice: 'choice',
  'yes-no': 'choice: yes, no, not set',
  strings: 'lines, one entry each',
  pairs: 'rows of name and value, the value also from a variable',
  json: 'JSON',
  flag: 'checkbox',
  agent: 'picker of an agent, with “create”',
  agents: 'list of agents: add by picker, move, remove, “create”',
  servers: 'list of servers: add by picker, move, remove, “create”',
  filter: 'picker of what each server listed, also patterns',
  words: 'picker of words, also new ones',
  files: 'picker of files of the project',
  skills: 'default, none, or a picker of the directories found',
  functions: 'list of functions: add, move, remove',
  hooks: 'hook chain',
  schema: 'schema builder, or JSON',
  connections: 'list of targets, each with its fields',
  parameters: 'JSON',
  groups: 'list of groups, each with its fields',
};

/** Returns the name of the control of a field, for the table in the documentation. */
export function controlOf(field: CardField): string {
  return field.kind === 'choice'
    ? `choice: ${field.options.map((option) => `\`${option}\``).join(', ')}`
    : controls[field.kind];
}
