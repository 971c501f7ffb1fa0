import { expect, test } from 'vitest';
import { textFile } from './document';
import { mayReadAtOnce } from './reading-budget';

const folder = (...sizes: readonly number[]) =>
  new Map(sizes.map((size, index) => [`${index}.md`, textFile('x'.repeat(size))] as const));

test('a project that is opened is read at once up to half a megabyte', () => {
  expect(mayReadAtOnce(folder(300_000, 200_000), undefined)).toBe(true);
  expect(mayReadAtOnce(folder(300_000, 300_000), undefined)).toBe(false);
});

test('after an edit the changed files count, not the whole project', () => {
  const read = folder(400_000, 10);
  const [large, small] = [...read];
  if (large === undefined || small === undefined) throw new Error('two files');
  expect(mayReadAtOnce(new Map([large, [small[0], textFile('y'.repeat(50_000))]]), read)).toBe(true);
  expect(mayReadAtOnce(new Map([large, [small[0], textFile('y'.repeat(70_000))]]), read)).toBe(false);
});

test('typing in a long file stays immediate', () => {
  expect(mayReadAtOnce(folder(400_001), folder(400_000))).toBe(true);
  expect(mayReadAtOnce(folder(403_000), folder(400_000))).toBe(false);
});
