import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  clampWindow,
  focusOn,
  follow,
  momentFromText,
  momentToText,
  pan,
  reveal,
  ticks,
  windowFromText,
  windowToText,
  zoom,
} from './time-window';

const end = 1_000_000;

it('keeps the time under the pointer while zooming', () => {
  expect(zoom({ from: 0, to: 1000 }, 0.5, 0.25, end)).toEqual({ from: 125, to: 625 });
  expect(zoom({ from: 0, to: 1000 }, 1e9, 0.5, end)).toEqual({ from: 0, to: end });
});

it('follows a play-head that has left the window, as one turns a page', () => {
  const page = { from: 1_000, to: 2_000 };
  expect(follow(page, 1_500, end)).toBe(page);
  expect(follow(page, 2_001, end)).toEqual({ from: 1_901, to: 2_901 });
  expect(follow(page, 999, end)).toEqual({ from: 99, to: 1_099 });
  expect(follow(page, end, end)).toEqual({ from: end - 1_000, to: end });
});

it('never leaves the run', () => {
  const windows = fc
    .tuple(fc.nat(end), fc.integer({ min: 20, max: end }))
    .map(([from, width]) => ({ from, to: from + width }));
  fc.assert(
    fc.property(
      windows,
      fc.double({ min: 0.01, max: 100, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (w, by, at) => {
        for (const next of [
          zoom(w, by, at, end),
          pan(w, by - 50, end),
          clampWindow(w, end),
          focusOn(w.from, w.to, end),
        ]) {
          expect(next.from).toBeGreaterThanOrEqual(0);
          expect(next.to).toBeLessThanOrEqual(end + 1);
          expect(next.to).toBeGreaterThan(next.from);
        }
      },
    ),
  );
});

it('reveals by the least move', () => {
  const window = { from: 100, to: 200 };
  expect(reveal(window, 120, 130, end)).toBe(window);
  expect(reveal(window, 300, 310, end)).toEqual({ from: 255, to: 355 });
});

it('ticks at round times', () => {
  expect(ticks({ from: 0, to: 1_000_000 }, 1000, 90)).toEqual({
    step: 100_000,
    at: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => n * 100_000),
  });
  expect(ticks({ from: 30, to: 120 }, 1000, 90).step).toBe(10);
  expect(ticks({ from: 0, to: 600_000_000 }, 1000, 90).step).toBe(60_000_000);
});

it('writes windows for the address bar', () => {
  const window = { from: 120_000, to: 3_400_500 };
  expect(windowToText(window)).toBe('120-3400.5');
  expect(windowFromText('120-3400.5')).toEqual(window);
  expect(windowFromText('nonsense')).toBeUndefined();
});

it('writes moments for the address bar', () => {
  expect(momentToText(1_250_500)).toBe('1250.5');
  expect(momentFromText('1250.5')).toBe(1_250_500);
  expect(momentFromText('0')).toBe(0);
  expect(['-1', 'soon', ''].map(momentFromText)).toEqual([undefined, undefined, undefined]);
});
