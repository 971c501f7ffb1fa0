import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dueAfter, passedTimes, problemOfSchedule } from './due-times';

const at = (text: string) => Date.parse(text);
const zones = [
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'America/Santiago', 'Asia/Kolkata'],
  ...['Australia/Lord_Howe', 'Pacific/Chatham', 'Antarctica/Troll', 'Pacific/Kiritimati'],
];
const zone = fc.constantFrom(...zones);
const moment = fc.integer({ min: at('2026-01-01T00:00Z'), max: at('2028-01-01T00:00Z') });

/** Returns what the clock shows: `2026-03-29 03:00`. */
function clockOf(moment: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return parts.format(moment);
}

function dues(cron: string, timeZone: string, from: string, count: number): readonly string[] {
  const found: string[] = [];
  let last = at(from);
  while (found.length < count) {
    last = dueAfter({ cron, zone: timeZone }, last) ?? Number.NaN;
    found.push(new Date(last).toISOString().slice(0, 16));
  }
  return found;
}

test('a time that clocks skip is due when they jump, and one that comes twice is due the first time', () => {
  expect(dues('30 2 * * *', 'Europe/Berlin', '2026-03-28T00:00Z', 3)).toEqual([
    '2026-03-28T01:30',
    '2026-03-29T01:00',
    '2026-03-30T00:30',
  ]);
  expect(dues('30 2 * * *', 'Europe/Berlin', '2026-10-24T00:00Z', 3)).toEqual([
    '2026-10-24T00:30',
    '2026-10-25T00:30',
    '2026-10-26T01:30',
  ]);
});

test('a schedule of every hour is due each hour, whatever clocks do', () => {
  expect(dues('0 * * * *', 'Europe/Berlin', '2026-03-29T00:00Z', 3)).toEqual([
    '2026-03-29T01:00',
    '2026-03-29T02:00',
    '2026-03-29T03:00',
  ]);
  expect(dues('0 * * * *', 'Europe/Berlin', '2026-10-25T00:00Z', 3)).toEqual([
    '2026-10-25T01:00',
    '2026-10-25T02:00',
    '2026-10-25T03:00',
  ]);
});

test('a daily schedule is due once on each day, whatever clocks do', () => {
  const hour = fc.integer({ min: 0, max: 23 });
  const minute = fc.integer({ min: 0, max: 59 });
  fc.assert(
    fc.property(zone, hour, minute, moment, (timeZone, h, m, start) => {
      const schedule = { cron: `${m} ${h} * * *`, zone: timeZone };
      const days: string[] = [];
      let last = start;
      for (let count = 0; count < 40; count += 1) {
        const next = dueAfter(schedule, last) ?? 0;
        expect(next).toBeGreaterThan(last);
        const shown = clockOf(next, timeZone);
        // Only where clocks jump does the clock show a later time.
        const wanted = `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}`;
        expect(shown.slice(11) === wanted || clockOf(next - 60_000, timeZone).slice(11) < wanted).toBe(true);
        days.push(shown.slice(0, 10));
        last = next;
      }
      const expected = days.map((_, place) => {
        const day = new Date(at(`${days[0]}T12:00Z`) + place * 86_400_000);
        return day.toISOString().slice(0, 10);
      });
      expect(days).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});

const cron = fc.constantFrom(
  '*/7 * * * *',
  '15 */3 * * *',
  '0 9-17 * * 1-5',
  '30 1,2,3 * * *',
  '0 0 1 * *',
  '5 4 * * 0',
);

test('no due time lies between a moment and the due time after it', () => {
  fc.assert(
    fc.property(cron, zone, moment, fc.nat(), (fields, timeZone, after, part) => {
      const schedule = { cron: fields, zone: timeZone };
      const due = dueAfter(schedule, after) ?? 0;
      const between = after + (part % (due - after));
      expect(dueAfter(schedule, between)).toBe(due);
    }),
    { numRuns: 200 },
  );
});

test('after a time without workers only the last due time counts, and the missed ones are reported', () => {
  fc.assert(
    fc.property(cron, zone, moment, fc.integer({ min: 0, max: 20 * 86_400_000 }), (fields, timeZone, start, away) => {
      const schedule = { cron: fields, zone: timeZone };
      const first = dueAfter(schedule, start) ?? 0;
      const now = first + away;
      const { last, missed } = passedTimes(schedule, first, now);
      expect(last).toBeGreaterThanOrEqual(first);
      expect(last).toBeLessThanOrEqual(now);
      expect(dueAfter(schedule, last)).toBeGreaterThan(now);
      if (missed === 0) expect(last).toBe(first);
    }),
    { numRuns: 60 },
  );
});

test('due times of years without workers are found at once', () => {
  const everyMinute = { cron: '* * * * *', zone: 'Europe/Berlin' };
  const now = at('2027-06-01T12:00:30Z');
  expect(passedTimes(everyMinute, at('2020-01-01T00:00Z'), now)).toEqual({
    last: at('2027-06-01T12:00Z'),
    missed: 1_000,
  });
});

test.each([
  ['* * * *', 'UTC', 'five fields'],
  ['@daily', 'UTC', 'five fields'],
  ['61 * * * *', 'UTC', 'minute'],
  ['0 0 30 2 *', 'UTC', 'impossible'],
  ['; rm * * *', 'UTC', 'cannot be read'],
  ['0 7 * * *', 'Mars/Phobos', 'no time zone'],
])('the schedule %s in %s is refused with a reason', (fields, timeZone, problem) => {
  expect(problemOfSchedule({ cron: fields, zone: timeZone }, 0)).toContain(problem);
});

test('a schedule that can be read has no problem', () => {
  expect(problemOfSchedule({ cron: '0 7 * * 1-5', zone: 'Europe/Berlin' }, at('2026-11-24T00:00Z'))).toBeUndefined();
});

test('a day of the month and a day of the week are due on either, as crontab(5) says', () => {
  const days = (cron: string) => {
    let at: number | undefined = Date.UTC(2026, 10, 1) - 1;
    const found: number[] = [];
    for (let index = 0; index < 5 && at !== undefined; index += 1) {
      at = dueAfter({ cron, zone: 'UTC' }, at);
      if (at !== undefined) found.push(new Date(at).getUTCDate());
    }
    return found;
  };
  // Fridays of November 2026 are the 6th, 13th, 20th and 27th.
  expect(days('0 7 1,15 * 5')).toEqual([1, 6, 13, 15, 20]);
  expect(days('0 7 * * 5')).toEqual([6, 13, 20, 27, 4]);
  expect(days('0 7 1,15 * *')).toEqual([1, 15, 1, 15, 1]);
});
