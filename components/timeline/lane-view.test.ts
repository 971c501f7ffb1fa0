import { expect, test } from 'vitest';
import { lanesFromText, lanesToText } from './lane-view';

test('numbers of lanes are written with ranges, and read back', () => {
  const lanes = new Set([9, 3, 4, 5, 0, 11]);
  expect(lanesToText(lanes)).toBe('0.3_5.9.11');
  expect(lanesFromText('0.3_5.9.11')).toEqual(lanes);
  expect(lanesToText(new Set())).toBe('');
});

test('text that is not a list of lanes names none', () => {
  for (const text of ['', 'x', '1-2', '1,2', '_', '1.', '99999999']) expect(lanesFromText(text)).toEqual(new Set());
  expect(lanesFromText('5_1')).toEqual(new Set());
  expect(lanesFromText('1_9999999.1_9999999').size).toBe(100_000);
});
