import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignKeys } from './align';

/** The length of the longest common subsequence, by the textbook. */
function longest(a: readonly number[], b: readonly number[]): number {
  let above = new Array<number>(b.length + 1).fill(0);
  for (const key of a) {
    const row = [0];
    b.forEach((other, j) => {
      row.push(key === other ? (above[j] ?? 0) + 1 : Math.max(above[j + 1] ?? 0, row[j] ?? 0));
    });
    above = row;
  }
  return above[b.length] ?? 0;
}

function pairsOf(partner: Int32Array): number[] {
  return [...partner].filter((place) => place >= 0);
}

const keys = fc.array(fc.nat(4), { maxLength: 30 });

describe('alignKeys', () => {
  it('finds the longest common subsequence of short lists', () => {
    fc.assert(
      fc.property(keys, keys, (a, b) => {
        const partner = alignKeys(a, b);
        const places = pairsOf(partner);
        expect(places).toEqual([...new Set(places)].sort((x, y) => x - y));
        for (const [i, place] of partner.entries()) if (place >= 0) expect(b[place]).toBe(a[i]);
        expect(places).toHaveLength(longest(a, b));
      }),
      { numRuns: 500 },
    );
  });

  it('pairs equal lists item by item', () => {
    const list = Array.from({ length: 20_000 }, (_, i) => i % 7);
    expect([...alignKeys(list, list)]).toEqual(list.map((_, i) => i));
  });

  it('keeps pairs of equal items in order in long lists that differ everywhere', () => {
    const a = Array.from({ length: 20_000 }, (_, i) => i);
    const b = a.map((i) => (i % 2 === 0 ? i : i + 100_000));
    const partner = alignKeys(a, b);
    expect(pairsOf(partner)).toHaveLength(10_000);
    expect(pairsOf(alignKeys(a, a.toReversed()))).toHaveLength(1);
  });

  it('gives nothing for lists without anything in common, and for empty ones', () => {
    expect([...alignKeys([1, 2], [3])]).toEqual([-1, -1]);
    expect([...alignKeys([], [3])]).toEqual([]);
  });
});
