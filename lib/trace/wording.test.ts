import { expect, test } from 'vitest';
import { formatBytes, formatCount, formatDuration, formatTick } from './wording';

test.each([
  [0, '0 ms'],
  [0.4, '0 ms'],
  [0.9, '1 µs'],
  [1, '1 µs'],
  [999, '999 µs'],
  [999.7, '1 ms'],
  [1_000, '1 ms'],
  [9_949, '9.9 ms'],
  [9_950, '10 ms'],
  [10_000, '10 ms'],
  [999_000, '999 ms'],
  [999_499, '999 ms'],
  [999_500, '1.00 s'],
  [1_000_000, '1.00 s'],
  [1_239_000, '1.24 s'],
  [59_994_999, '59.99 s'],
  [59_995_000, '1 m 00 s'],
  [60_000_000, '1 m 00 s'],
  [119_600_000, '2 m 00 s'],
  [3_599_499_999, '59 m 59 s'],
  [3_599_500_000, '1 h 00 m'],
  [3_600_000_000, '1 h 00 m'],
  [5_399_000_000, '1 h 30 m'],
])('%d µs are %s', (us, words) => expect(formatDuration(us)).toBe(words));

test.each([
  [950, '950'],
  [9_999, '9,999'],
  [10_000, '10k'],
  [12_340, '12.3k'],
  [999_949, '999.9k'],
  [999_950, '1M'],
  [4_500_000, '4.5M'],
])('%d is %s', (count, words) => expect(formatCount(count)).toBe(words));

test.each([
  [999, '999 B'],
  [1_000, '1 kB'],
  [1_500, '1.5 kB'],
  [3_000_000, '3 MB'],
  [1_200_000_000, '1.2 GB'],
  [999_950, '1 MB'],
  [999_950_000, '1 GB'],
])('%d bytes are %s', (bytes, words) => expect(formatBytes(bytes)).toBe(words));

const [minute, hour] = [60_000_000, 3_600_000_000];
test.each([
  [45 * minute, 5 * minute, '45 m'],
  [90 * minute, 30 * minute, '1 h 30 m'],
  [23 * hour, hour, '23 h 00 m'],
  [30 * hour, 10 * hour, '1 d 06 h'],
  [30 * hour + 30 * minute, 30 * minute, '1 d 06 h 30 m'],
  [72 * hour, 24 * hour, '3 d'],
  [90_000_000, 30_000_000, '1 m 30 s'],
  [2 * hour + 10_000_000, 10_000_000, '2 h 00 m 10 s'],
  [25 * hour + 10_000_000, 10_000_000, '25:00:10'],
  [62_500_000, 500_000, '1:02.5'],
  [72 * hour + 2_000_000, 500_000, '72:00:02.0'],
  [119_999_900, 1_000, '2:00.000'],
])('a tick at %d µs with steps of %d µs is %s', (us, step, words) => expect(formatTick(us, step)).toBe(words));
