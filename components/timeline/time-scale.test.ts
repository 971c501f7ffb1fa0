import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventsOf } from '@/lib/testing/events-of';
import { fold } from '@/lib/testing/trace-log';
import { evenScale, scaleOf, TimeAxis, TimeScale, ticksOf } from './time-scale';
import { pan, zoom } from './time-window';

const second = 1_000_000;
const hour = 3_600 * second;

/** 2 s of work, an hour without any, 2 s of work. */
const waited = fold(eventsOf('lead 0-3604000: model 0-2000, model 3602000-3604000'));

test('a long stretch without work is drawn as a small part of the work', () => {
  const scale = scaleOf(waited, waited.lastAt, false);
  expect(scale.stretches).toEqual([
    { from: 2 * second, to: 2 * second + hour, at: 2 * second, drawn: 200_000, until: 2 * second + hour },
  ]);
  expect(scale.drawn(waited.lastAt)).toBe(4_200_000);
  // The margin after the last bar is a part of what is drawn, and not of the hour.
  expect(scale.whole(waited.lastAt)).toBeCloseTo(waited.lastAt + 42_000);
});

test('stretches that are short, or short beside the work, are drawn as they were', () => {
  expect(scaleOf(fold(eventsOf('lead 0-9000: model 0-10, model 8000-9000')), 9 * second, false)).toBe(evenScale);
  const worked = fold(eventsOf('lead 0-90000: model 0-60000, model 72000-90000'));
  expect(scaleOf(worked, 90 * second, false)).toBe(evenScale);
});

test('many stretches are together no longer than half of the work', () => {
  const models = Array.from({ length: 40 }, (_, n) => `model ${n * 20_000}-${n * 20_000 + 10}`);
  const trace = fold(eventsOf(`lead 0-900000: ${models.join(', ')}`));
  const scale = scaleOf(trace, trace.lastAt, false);
  expect(scale.stretches).toHaveLength(40);
  expect(scale.stretches.reduce((sum, { drawn }) => sum + drawn, 0)).toBeLessThanOrEqual(Math.max(200_000, 40_000));
});

test('the last stretch of a run that goes on has room for any time', () => {
  const open = fold(eventsOf('lead 0-: model 0-2000'));
  const scale = scaleOf(open, hour, true);
  for (const now of [hour, 24 * hour, 240 * hour]) {
    expect(scale.drawn(now)).toBeLessThan(2_100_001);
    expect(scale.time(scale.drawn(now)) / now).toBeCloseTo(1, 3);
    expect(scale.whole(now)).toBe(now);
  }
});

test('what was in view of a run that waits is in view when it goes on', () => {
  const now = hour;
  const waiting = scaleOf(fold(eventsOf('lead 0-: model 0-2000')), now, true);
  const whole = { from: 0, to: waiting.whole(now) };
  const closer = waiting.change(whole, whole.to, (drawn, end) => zoom(drawn, 0.5, 0.5, end));
  const back = waiting.change(closer, whole.to, (drawn, end) => zoom(drawn, 4, 0.5, end));
  expect(back.from).toBe(0);
  expect(back.to / now).toBeCloseTo(1, 6);
});

test('ticks have the step of what is drawn, and none is in a stretch', () => {
  const scale = scaleOf(waited, waited.lastAt, false);
  const { step, at } = ticksOf({ from: 0, to: waited.lastAt }, scale, 900, 90);
  expect(step).toBe(500_000);
  expect(at.slice(0, 5)).toEqual([0, 500_000, 1_000_000, 1_500_000, 2_000_000]);
  expect(at.slice(5)).toEqual([3602, 3602.5, 3603, 3603.5, 3604].map((time) => time * second));
});

const scales = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 1e7, max: 1e11 })), { maxLength: 6 })
  .chain((parts) => fc.tuple(fc.constant(parts), fc.boolean()))
  .map(([parts, isOpen]) => {
    const drawn = 50_000;
    let [from, at] = [0, 0];
    const stretches = parts.map(([work, quiet], place) => {
      from += work;
      at += work;
      const to = isOpen && place === parts.length - 1 ? Number.POSITIVE_INFINITY : from + quiet;
      const stretch = { from, to, at, drawn, until: from + quiet };
      from += quiet;
      at += drawn;
      return stretch;
    });
    return new TimeScale(stretches);
  });
const times = fc.double({ min: 0, max: 1e12, noNaN: true });

test('drawn time grows with time, and each place is one moment', () => {
  fc.assert(
    fc.property(scales, times, times, (scale, a, b) => {
      const [first, second] = [Math.min(a, b), Math.max(a, b)];
      expect(scale.drawn(first)).toBeLessThanOrEqual(scale.drawn(second));
      const isOpen = scale.stretches.some(({ from, to }) => to === Number.POSITIVE_INFINITY && first > from);
      if (!isOpen) expect(Math.abs(scale.time(scale.drawn(first)) - first)).toBeLessThanOrEqual(1 + first * 1e-9);
    }),
  );
});

test('a zoom keeps the moment under the pointer, and no step sideways leads beyond the end', () => {
  fc.assert(
    fc.property(
      scales,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0.3, max: 0.9, noNaN: true }),
      (scale, at, by) => {
        const end = scale.whole(5e11);
        const whole = { from: 0, to: end };
        const before = new TimeAxis(whole, 1, scale);
        const zoomed = scale.change(whole, end, (drawn, all) => zoom(drawn, by, at, all));
        const after = new TimeAxis(zoomed, 1, scale);
        expect(after.x(before.time(at))).toBeCloseTo(at, 4);
        const [left, right] = [0, 1].map((x) => scale.drawn(after.time(x)));
        expect((right ?? 0) - (left ?? 0)).toBeCloseTo(scale.drawn(end) * by, -2);
        const there = scale.change(zoomed, end, (drawn, all) => pan(drawn, 0.01, all));
        expect(there.to).toBeLessThanOrEqual(end);
      },
    ),
  );
});

test('without short stretches windows change as they do without a scale', () => {
  const window = { from: 10, to: 1_000 };
  expect(evenScale.change(window, 5_000, (drawn) => pan(drawn, 0.5, 5_000))).toEqual(pan(window, 0.5, 5_000));
  expect(evenScale.change(window, 5_000, (drawn) => drawn)).toBe(window);
});
