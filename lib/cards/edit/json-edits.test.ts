import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Json } from '@/lib/base/json';
import { fieldOf, readDocument } from '@/lib/cards/read/read-field';
import { tries } from '@/lib/testing/tries';
import { FolderDraft } from './draft';
import { jsonEdits } from './json-edits';

const json = fc
  .jsonValue({ maxDepth: 3, noUnicodeString: true })
  .map((value): Json => JSON.parse(JSON.stringify(value)));

function edited(text: string, after: Json | undefined): string {
  const draft = new FolderDraft(new Map([['a.yaml', { kind: 'text', text }]]));
  for (const edit of jsonEdits(['at'], fieldOf(readDocument(text, 'a.yaml'), ['at']), after))
    draft.yaml('a.yaml', edit);
  const changes = draft.changes();
  if (!changes.ok) throw new Error(changes.error.message);
  return changes.value.get('a.yaml') ?? text;
}

it('edits only the keys that differ, and keeps comments and order', () => {
  const text = 'at:\n  a: 1 # one\n  b:\n    c: [1, 2]\n    d: x\n  e: 2\n';
  expect(edited(text, { e: 3, b: { c: [1, 2], f: true }, a: 1 })).toBe(
    'at:\n  a: 1 # one\n  b:\n    c: [1, 2]\n    f: true\n  e: 3\n',
  );
  expect(edited(text, { a: 1, b: { c: [1, 2], d: 'x' }, e: 2 })).toBe(text);
  expect(edited('x: 1\nat: { a: 1 }\n', undefined)).toBe('x: 1\n');
});

it('edits an item of a list in its place', () => {
  const text = 'at:\n  - a: 1 # one\n    b: 2\n  - 3 # three\n';
  expect(edited(text, [{ a: 9, b: 2 }, 3])).toBe('at:\n  - a: 9 # one\n    b: 2\n  - 3 # three\n');
  expect(edited(text, [{}, 3])).toBe('at:\n  - {}\n  - 3 # three\n');
  expect(edited('at: [1, { a: 1 }]\n', [1, { a: 2 }])).toBe('at: [1, { a: 2 }]\n');
  expect(edited('at: [[], { a: 1 }]\n', [[], {}])).toBe('at: [[], {}]\n');
});

it('turns any value into any other', () => {
  fc.assert(
    fc.property(json, json, (before, after) => {
      const text = `at: ${JSON.stringify(before)}\n`;
      expect(fieldOf(readDocument(edited(text, after), 'a.yaml'), ['at'])).toEqual(after);
    }),
    { numRuns: tries(500) },
  );
});
