import { expect, test } from 'vitest';
import { type Box, uncoveredBottom } from './uncovered-place';

const toast: Box = { left: 12, right: 378, top: 0, bottom: 50 };
const box = (top: number, bottom: number, left = 0, right = 390): Box => ({ left, right, top, bottom });

test('a toast stands at the lower edge where it covers nothing', () => {
  expect(uncoveredBottom(toast, [], 844)).toBe(12);
  expect(uncoveredBottom(toast, [box(100, 130), box(800, 832, 380, 390)], 844)).toBe(12);
});

test('a toast stands above the buttons that it would cover, one above the other', () => {
  // The tabs of a phone, and a button above them.
  expect(uncoveredBottom(toast, [box(796, 844)], 844)).toBe(56);
  expect(uncoveredBottom(toast, [box(796, 844), box(756, 788, 300, 380)], 844)).toBe(96);
});

test('a toast that has no place stands at the lower edge', () => {
  expect(uncoveredBottom(toast, [box(20, 100)], 100)).toBe(12);
});
