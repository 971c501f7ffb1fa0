import { expect, test } from 'vitest';
import { readSort, runSorts, sortText } from './run-sort';

test('a sort is read as it is written', () => {
  for (const field of Object.keys(runSorts)) {
    for (const text of [field, `-${field}`]) {
      const sort = readSort(text);
      expect(sort && sortText(sort)).toBe(text);
    }
  }
  expect(readSort('-cost')).toEqual({ field: 'cost', descending: true });
  expect([readSort('price'), readSort(''), readSort('--cost')]).toEqual([undefined, undefined, undefined]);
});
