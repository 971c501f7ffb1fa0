import { expect, test } from 'vitest';
import { clockDate, clockTime, dateAndTime } from './clock-words';

/** 29 November 2026, 16:45:12.345 in the time zone of this machine. */
const origin = new Date(2026, 10, 29, 16, 45, 12, 345).getTime();

test('a moment of a run has the clock and the date of the browser', () => {
  expect(clockTime({ origin }, 0)).toBe('16:45:12.345');
  expect(clockTime({ origin }, 47_700_000)).toBe('16:46:00.045');
  expect(clockDate({ origin }, 86_400_000_000)).toBe('30 Nov 2026, 16:45:12.345');
  expect(dateAndTime(origin)).toBe('29 Nov 2026, 16:45:12');
});

test('a run without events has no clock', () => {
  expect([clockTime({ origin: undefined }, 0), clockDate({ origin: undefined }, 0)]).toEqual(['', '']);
});
