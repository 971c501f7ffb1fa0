import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PresentWindow } from '@/lib/base/presence';
import { fieldKey, fileKey, holderOf, keyWords } from './soft-locks';

const key = fieldKey('agent:lead', 'Instruction');
const at = (id: string, since: number, more: Partial<PresentWindow> = {}): PresentWindow => ({
  ...{ id, since, name: id, you: false, draft: 'main', page: 'editor', selected: [], editing: key },
  ...more,
});

test('a field belongs to the person who entered it first, until somebody takes it', () => {
  expect(holderOf([], key)).toBeUndefined();
  expect(holderOf([at('ben', 2), at('ana', 1)], key)?.id).toBe('ana');
  expect(holderOf([at('ben', 2, { taken: true }), at('ana', 1)], key)?.id).toBe('ben');
  expect(holderOf([at('ben', 2, { taken: true }), at('ana', 3, { taken: true })], key)?.id).toBe('ana');
  expect(holderOf([at('ben', 1, { editing: fieldKey('agent:lead', 'Name') })], key)).toBeUndefined();
});

test('everybody sees the same holder, in whatever order windows are listed', () => {
  const windows = fc.uniqueArray(
    fc.record({
      id: fc.string({ minLength: 1 }),
      since: fc.nat(3),
      taken: fc.option(fc.constant(true), { nil: undefined }),
    }),
    { selector: ({ id }) => id, maxLength: 6 },
  );
  fc.assert(
    fc.property(windows, (all) => {
      const listed = all.map(({ id, since, taken }) => at(id, since, { taken }));
      expect(holderOf(listed.toReversed(), key)?.id).toBe(holderOf(listed, key)?.id);
    }),
  );
});

test('a locked field is named by its label, and a file by its name', () => {
  expect(keyWords(key)).toBe('Instruction');
  expect(keyWords(fileKey('agent-cards/a#b.md'))).toBe('agent-cards/a#b.md');
});
