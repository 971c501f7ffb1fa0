import fc from 'fast-check';
import { expect, test } from 'vitest';
import { alertHref, alertNotice } from './alert-words';
import { type AlertRule, alertFigures, isRaisedNow, startOfAlert } from './alerts';
import { type DashboardFigures, noDashboardFigures } from './dashboard';

const rate: AlertRule = { figure: 'errorRate', kind: 'run', name: '', threshold: 0.2, hours: 24, least: 10 };
const ran = (calls: number, failed: number): DashboardFigures => ({ ...noDashboardFigures, calls, failed });

test('an error rate is raised above its line, with enough runs', () => {
  expect(isRaisedNow(rate, false, ran(1, 1))).toBe(false);
  expect(isRaisedNow(rate, false, ran(9, 9))).toBe(false);
  expect(isRaisedNow(rate, false, ran(10, 2))).toBe(false);
  expect(isRaisedNow(rate, false, ran(10, 3))).toBe(true);
});

test('it stays raised until the rate is a tenth below the line, also with few runs, and ends in an empty window', () => {
  expect(isRaisedNow(rate, true, ran(100, 19))).toBe(true);
  expect(isRaisedNow(rate, true, ran(100, 18))).toBe(false);
  expect(isRaisedNow(rate, true, ran(2, 1))).toBe(true);
  expect(isRaisedNow(rate, true, noDashboardFigures)).toBe(false);
});

test('a cost needs no least number of runs', () => {
  const day: AlertRule = { ...rate, figure: 'costDay', threshold: 5 };
  expect(isRaisedNow(day, false, { ...ran(1, 0), costUsd: 5.01 })).toBe(true);
  expect(isRaisedNow(day, false, { ...ran(1, 0), costUsd: 5 })).toBe(false);
});

test('costs count from the beginning of the day or month in UTC, rates from a whole hour', () => {
  const now = Date.parse('2026-03-01T00:59:59.999Z');
  const start = (rule: Partial<AlertRule>) => new Date(startOfAlert({ ...rate, ...rule }, now)).toISOString();
  expect(start({ figure: 'costMonth' })).toBe('2026-03-01T00:00:00.000Z');
  expect(start({ figure: 'costDay' })).toBe('2026-03-01T00:00:00.000Z');
  expect(start({ hours: 24 })).toBe('2026-02-28T00:00:00.000Z');
  expect(start({ hours: 1 })).toBe('2026-02-28T23:00:00.000Z');
});

const figures = fc
  .record({ calls: fc.nat(50), part: fc.float({ min: 0, max: 1, noNaN: true }) })
  .map(({ calls, part }) => ({
    ...ran(calls, Math.round(calls * part)),
    ...(calls > 0 && { p50: 1 + part * 1_000, p95: 2 + part * 2_000 }),
    costUsd: part * 10,
  }));
const rules = fc.record({
  figure: fc.constantFrom(...alertFigures),
  kind: fc.constant('run' as const),
  name: fc.constant(''),
  threshold: fc.double({ min: 0.01, max: 0.9, noNaN: true }),
  hours: fc.constant(24 as const),
  least: fc.integer({ min: 1, max: 20 }),
});

test('a second check of the same figures changes nothing', () => {
  fc.assert(
    fc.property(rules, fc.array(figures, { maxLength: 40 }), (rule, found) => {
      let raised = false;
      for (const each of found) {
        const next = isRaisedNow(rule, raised, each);
        expect(isRaisedNow(rule, next, each)).toBe(next);
        raised = next;
      }
    }),
  );
});

test('a notice says the figure, the line and the window, and leads to the dashboard', () => {
  const found = { value: 0.124, calls: 137 };
  expect(alertNotice(rate, 'Shop', found, true)).toBe(
    'Alert: Error rate, runs of Shop: 12.4 %, above the line of 20 % (137 runs in the last 24 hours)',
  );
  expect(alertNotice(rate, undefined, { value: undefined, calls: 0 }, false)).toBe(
    'Over: Error rate, runs of all projects: nothing ended in the last 24 hours. The line is 20 %',
  );
  const month: AlertRule = { ...rate, figure: 'costMonth', kind: 'model', name: 'gpt-5', threshold: 100 };
  expect(alertNotice(month, 'Shop', { value: 101.5, calls: 9 }, true)).toBe(
    'Alert: Cost of the month, model gpt-5 in Shop: $101.50, above the line of $100.00 (this month in UTC)',
  );
  expect(alertHref(month, 'p1')).toBe('/runs/dashboard?range=30d&by=model&project=p1#alerts');
});
