import fc from 'fast-check';
import { expect, test } from 'vitest';
import { begin, ended, fold, log, modelOff, modelOn, queued, started, toolOff, toolOn } from '@/lib/testing/trace-log';
import {
  advance,
  eventTimes,
  idleGaps,
  nextError,
  nextTime,
  nextTimeInLane,
  slowestStep,
  spanAtTime,
} from './moment-steps';

const trace = fold(
  log(
    [0, begin],
    [0, queued('lead')],
    [0, started('lead')],
    [1, modelOn('lead', 1)],
    [3, modelOff('lead', 1)],
    [3, toolOn('lead', 1, 'agent__kid', 'agent')],
    [3, queued('lead/kid[1]', 'lead#t1')],
    [3, started('lead/kid[1]')],
    [4, toolOn('lead/kid[1]', 1)],
    [9, toolOff('lead/kid[1]', 1, true)],
    [10, ended('lead/kid[1]', 'failed')],
    [11, toolOff('lead', 1)],
  ),
);
const us = (times: Iterable<number>) => [...times].map((time) => time / 1000);

test('the play-head steps from event to event, in the run and in one lane', () => {
  const times = eventTimes(trace);
  expect(us(new Set(times))).toEqual([0, 1, 3, 4, 9, 10, 11]);
  const walk = (from: number, by: 1 | -1) => {
    const seen: number[] = [];
    for (let at = nextTime(times, from, by); at !== undefined; at = nextTime(times, at, by)) seen.push(at);
    return us(seen);
  };
  expect(walk(0, 1)).toEqual([1, 3, 4, 9, 10, 11]);
  expect(walk(9_000, -1)).toEqual([4, 3, 1, 0]);
  const [, kid] = trace.lanes;
  if (kid === undefined) throw new Error('There is no child');
  expect(nextTimeInLane(trace, kid, 4_000, 1)).toBe(9_000);
  expect(nextTimeInLane(trace, kid, 4_000, -1)).toBe(3_000);
  expect(nextTimeInLane(trace, kid, 3_000, -1)).toBeUndefined();
});

test('the event at a moment is a start before it is an end, in the lane that is asked for', () => {
  const kindAt = (moment: number, lane?: number) => trace.spans.kindOf(spanAtTime(trace, moment, lane) ?? -1);
  expect([kindAt(1_000), kindAt(3_000), kindAt(3_000, 0), kindAt(9_000)]).toEqual([
    'model',
    'instance',
    'tool',
    'tool',
  ]);
  expect(spanAtTime(trace, 5_000)).toBeUndefined();
});

test('errors are found when they became known, forwards and backwards, without what only passes them on', () => {
  expect(nextError(trace, 0, 1)?.at).toBe(9_000);
  expect(nextError(trace, 9_000, 1)).toBeUndefined();
  expect(nextError(trace, 10_000, -1)?.at).toBe(9_000);
});

test('the slowest step is no delegation and no instance', () => {
  expect(trace.spans.start.at(slowestStep(trace) ?? -1)).toBe(4_000);
  expect(slowestStep(fold([]))).toBeUndefined();
});

test('a gap begins and ends near its events', () => {
  expect(idleGaps(Float64Array.of(0, 100_000, 5_100_000, 6_000_000))).toEqual([{ from: 350_000, to: 4_850_000 }]);
  expect(idleGaps(Float64Array.of(0, 1_999_999))).toEqual([]);
});

test('time passes at the chosen speed, and a gap takes the same short time at any speed', () => {
  const gaps = [{ from: 1_000_000, to: 61_000_000 }];
  expect(advance(0, 500, 2, gaps)).toBe(1_000_000);
  expect(advance(0, 700, 2, gaps)).toBeCloseTo(31_000_000);
  expect(advance(0, 900, 2, gaps)).toBeCloseTo(61_000_000);
  expect(advance(0, 1_000, 2, gaps)).toBeCloseTo(61_200_000);
  expect(advance(0, 1_000, 0.25, [])).toBe(250_000);
});

test('property: many short frames bring the play-head where one long frame does', () => {
  const gap = fc.tuple(fc.nat(5_000_000), fc.integer({ min: 1, max: 9_000_000 }));
  fc.assert(
    fc.property(
      fc.array(gap, { maxLength: 4 }),
      fc.array(fc.nat(200)),
      fc.constantFrom(0.25, 1, 16),
      (raw, frames, speed) => {
        let at = 0;
        const gaps = raw.map(([apart, length]) => {
          const from = at + apart;
          at = from + length;
          return { from, to: at };
        });
        const whole = frames.reduce((sum, ms) => sum + ms, 0);
        const stepped = frames.reduce((moment, ms) => advance(moment, ms, speed, gaps), 0);
        expect(Math.abs(stepped - advance(0, whole, speed, gaps))).toBeLessThan(1);
      },
    ),
  );
});
