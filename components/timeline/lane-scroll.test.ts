import { expect, test } from 'vitest';
import { opened, scrollToShow, toggled } from './lane-scroll';

test('a row in view does not scroll, and one outside scrolls to the nearer end', () => {
  const view = { top: 100, height: 200 };
  expect(scrollToShow({ top: 100, bottom: 124 }, view)).toBe(100);
  expect(scrollToShow({ top: 276, bottom: 300 }, view)).toBe(100);
  expect(scrollToShow({ top: 99, bottom: 123 }, view)).toBe(99);
  expect(scrollToShow({ top: 277, bottom: 301 }, view)).toBe(101);
  expect(scrollToShow({ top: 900, bottom: 924 }, view)).toBe(724);
});

test('a row that is higher than the view shows its upper end', () => {
  expect(scrollToShow({ top: 300, bottom: 700 }, { top: 0, height: 200 })).toBe(300);
});

test('opening the lanes above one leaves the others folded', () => {
  const before = { collapsed: new Set([1, 2, 5]), unfolded: new Set([3]) };
  expect(opened(before, [1, 2])).toEqual({ collapsed: new Set([5]), unfolded: new Set([3, 1, 2]) });
  expect(before).toEqual({ collapsed: new Set([1, 2, 5]), unfolded: new Set([3]) });
});

test('toggling twice changes nothing, and the given set stays as it was', () => {
  const before = new Set([1]);
  expect(toggled(before, 2)).toEqual(new Set([1, 2]));
  expect(toggled(toggled(before, 2), 2)).toEqual(before);
  expect(toggled(before, 1)).toEqual(new Set());
  expect(before).toEqual(new Set([1]));
});
