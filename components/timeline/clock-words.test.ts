import { expect, test } from 'vitest';
import { clockDate, clockTick, clockTime, clockZero, dateAndTime } from './clock-words';
import { ticks } from './time-window';

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

test('ticks of the clock are at round times, and no two neighbours are the same', () => {
  const zero = clockZero(origin);
  const words = (from: number, to: number) => {
    const { step, at } = ticks({ from, to }, 500, 96, zero);
    return at.map((time) => clockTick(zero + time, step));
  };
  expect(words(0, 10_000_000)).toEqual(['16:45:14', '16:45:16', '16:45:18', '16:45:20', '16:45:22']);
  expect(words(0, 1_000_000)).toEqual(['16:45:12.4', '16:45:12.6', '16:45:12.8', '16:45:13.0', '16:45:13.2']);
  expect(words(0, 40)).toEqual([
    '16:45:12.34500',
    '16:45:12.34501',
    '16:45:12.34502',
    '16:45:12.34503',
    '16:45:12.34504',
  ]);
  expect(words(0, 12 * 3_600_000_000)).toEqual(['18:00', '21:00', '30 Nov', '03:00']);
  expect(words(0, 4 * 86_400_000_000)).toEqual(['30 Nov', '1 Dec', '2 Dec', '3 Dec']);
});
