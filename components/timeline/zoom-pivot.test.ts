import { expect, test } from 'vitest';
import { begin, fold, log, modelOff, modelOn, queued, started } from '@/lib/testing/trace-log';
import { evenScale } from './time-scale';
import { zoom } from './time-window';
import { zoomPivot } from './zoom-pivot';

/** Model calls 0-10 ms and 80-100 ms. */
const trace = fold(
  log(
    [0, begin],
    [0, queued('lead')],
    [0, started('lead')],
    [0, modelOn('lead', 1)],
    [10, modelOff('lead', 1)],
    [80, modelOn('lead', 2)],
    [100, modelOff('lead', 2)],
  ),
);
const whole = { from: 0, to: 100_000 };
const none = { moment: undefined, selected: undefined, now: 100_000, scale: evenScale };

test('the play-head stays in its place, else the selected bar', () => {
  expect(zoomPivot(trace, whole, { ...none, moment: 25_000, selected: 2 })).toBe(0.25);
  expect(zoomPivot(trace, whole, { ...none, selected: 1 })).toBe(0.1);
});

test('a play-head or a bar that is not in view decides nothing', () => {
  const later = { from: 80_000, to: 100_000 };
  expect(zoomPivot(trace, later, { ...none, moment: 25_000, selected: 1 })).toBe(0.5);
});

test('without both, zooming in ends at a step and not in a gap', () => {
  let window = whole;
  for (let press = 0; press < 6; press++) window = zoom(window, 0.5, zoomPivot(trace, window, none), 100_000);
  expect(window.to).toBeGreaterThan(80_000);
  expect(zoomPivot(trace, { from: 20_000, to: 60_000 }, none)).toBe(0.5);
});
