import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Json } from '@/lib/base/json';
import { jsonChanges } from './json-diff';

it('names the places that differ', () => {
  const before: Json = { city: 'paris', limit: 500, gone: true, deep: { list: [1, { a: 'x' }] } };
  const after: Json = { city: 'paris', limit: 100, deep: { list: [1, { a: 'y' }] }, more: null };
  expect(jsonChanges(before, after)).toEqual([
    { path: 'limit', before: 500, after: 100 },
    { path: 'gone', before: true, after: undefined },
    { path: 'deep.list[1].a', before: 'x', after: 'y' },
    { path: 'more', before: undefined, after: null },
  ]);
  expect(jsonChanges([1], [1, 2])).toEqual([{ path: '[1]', before: undefined, after: 2 }]);
  expect(jsonChanges(null, { content: [] })).toEqual([{ path: '', before: null, after: { content: [] } }]);
});

it('property: a value does not differ from itself, and differs from any other', () => {
  const json = fc.jsonValue() as fc.Arbitrary<Json>;
  fc.assert(
    fc.property(json, json, (a, b) => {
      expect(jsonChanges(a, structuredClone(a))).toEqual([]);
      expect(jsonChanges(a, b).length > 0).toBe(!sameJson(a, b));
    }),
  );
});

/** Whatever the order of keys. */
function sameJson(a: Json, b: Json): boolean {
  const sorted = (_: string, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([x], [y]) => (x < y ? -1 : 1)))
      : value;
  return JSON.stringify(a, sorted) === JSON.stringify(b, sorted);
}
