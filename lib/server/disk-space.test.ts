import { expect, test } from 'vitest';
import { diskState } from './disk-space';

test('a disk with little room is nearly full, and one with hardly any is full', () => {
  const megabyte = 1024 * 1024;
  expect([500, 64, 63, 32, 31, 0].map((free) => diskState(free * megabyte))).toEqual([
    'ok',
    'ok',
    'nearly full',
    'nearly full',
    'full',
    'full',
  ]);
  expect(diskState(undefined)).toBe('ok');
});
