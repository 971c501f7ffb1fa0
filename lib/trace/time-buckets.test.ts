import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bucketOf, noTime, percentileOf } from './time-buckets';

test('a percentile from buckets differs from that of the durations by 9 % at most', () => {
  const ms = fc.double({ min: 1, max: 864e5, noNaN: true });
  fc.assert(
    fc.property(fc.array(ms, { minLength: 1, maxLength: 60 }), fc.constantFrom(0.5, 0.95), (durations, part) => {
      const buckets = new Map<number, number>([[noTime, 3]]);
      for (const each of durations) buckets.set(bucketOf(each), (buckets.get(bucketOf(each)) ?? 0) + 1);
      const sorted = durations.toSorted((a, b) => a - b);
      const exact = sorted[Math.max(0, Math.ceil(sorted.length * part - 1e-9) - 1)] ?? 0;
      const found = percentileOf(buckets, part) ?? 0;
      expect(Math.abs(found - exact) / exact).toBeLessThan(0.0906);
    }),
  );
});

test('without a duration there is no percentile', () => {
  expect(percentileOf(new Map(), 0.5)).toBeUndefined();
  expect(percentileOf(new Map([[noTime, 2]]), 0.5)).toBeUndefined();
  expect(bucketOf(0)).toBe(0);
});
