import fc from 'fast-check';
import { expect, test } from 'vitest';
import { alertState } from './alert-info';
import { alertHref, alertNotice, alertWindowWords } from './alert-words';
import { type AlertRule, alertFigures, decideAlert, isRaisedNow, problemOfAlert, spansOfAlert } from './alerts';
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
  const start = (rule: Partial<AlertRule>) =>
    spansOfAlert({ ...rate, ...rule }, now).map(({ from }) => new Date(from).toISOString())[0];
  expect(start({ figure: 'costMonth' })).toBe('2026-03-01T00:00:00.000Z');
  expect(start({ figure: 'costDay' })).toBe('2026-03-01T00:00:00.000Z');
  expect(start({ hours: 24 })).toBe('2026-02-28T00:00:00.000Z');
  expect(start({ hours: 1 })).toBe('2026-02-28T23:00:00.000Z');
});

const at = (text: string) => Date.parse(`2026-${text}Z`);

test('a day or month that has ended is counted for six hours more, because long runs of it end later', () => {
  const day: AlertRule = { ...rate, figure: 'costDay' };
  const month: AlertRule = { ...rate, figure: 'costMonth' };
  const today = { from: at('03-01T00:00'), until: undefined };
  expect(spansOfAlert(day, at('03-01T05:59'))).toEqual([today, { from: at('02-28T00:00'), until: today.from }]);
  expect(spansOfAlert(month, at('03-01T00:00'))).toEqual([today, { from: at('02-01T00:00'), until: today.from }]);
  expect(spansOfAlert(day, at('03-01T06:00'))).toEqual([today]);
  expect(spansOfAlert(month, at('03-02T00:20'))).toHaveLength(1);
  expect(spansOfAlert(rate, at('03-01T00:20'))).toHaveLength(1);
  expect(alertWindowWords(day, at('03-01T05:59'))).toBe('today or yesterday in UTC, the higher');
  expect(alertWindowWords(month, at('03-01T05:59'))).toBe('this or last month in UTC, the higher');
  expect([alertWindowWords(day, at('03-01T06:00')), alertWindowWords(day, undefined)]).toEqual(
    Array.from({ length: 2 }, () => 'today in UTC'),
  );
});

test('each of two days is told on its own, and the day before is over six hours after its end', () => {
  const day: AlertRule = { ...rate, figure: 'costDay', threshold: 100 };
  let raisedAt: number | undefined;
  const check = (now: number, ...costs: readonly number[]) => {
    const [present, ...before] = spansOfAlert(day, now).map((span, n) => ({
      span,
      figures: { ...ran(1, 0), costUsd: costs[n] ?? 0 },
    }));
    if (present === undefined) return expect.unreachable();
    const { count, told, ...decision } = decideAlert(day, raisedAt, [present, ...before], now);
    raisedAt = decision.raisedAt;
    return [told, count.figures.costUsd, count.span.until === undefined ? 'today' : 'yesterday'];
  };
  expect(check(at('03-01T00:10'), 1, 50)).toEqual([undefined, 50, 'yesterday']);
  expect(check(at('03-01T00:25'), 1, 250)).toEqual(['raised', 250, 'yesterday']);
  expect(raisedAt).toBe(at('02-28T23:59:59.999'));
  expect(check(at('03-01T00:26'), 1, 250)).toEqual([undefined, 250, 'yesterday']);
  expect(check(at('03-01T05:00'), 101, 250)).toEqual(['raised', 101, 'today']);
  expect(check(at('03-01T06:00'), 101)).toEqual([undefined, 101, 'today']);
  expect(check(at('03-02T00:00'), 0, 101)).toEqual([undefined, 101, 'yesterday']);
  expect(check(at('03-02T06:00'), 3)).toEqual(['over', 3, 'today']);
  expect(check(at('03-02T07:00'), 3)).toEqual([undefined, 3, 'today']);
});

test('a line of a duration that the window cannot see is refused', () => {
  const p95: AlertRule = { ...rate, figure: 'p95', threshold: 3_600_000, hours: 1 };
  const problem =
    'The line of a duration is shorter than the time that is looked back: below 3600 seconds, or choose a longer time.';
  expect(problemOfAlert(p95)).toBe(problem);
  expect(problemOfAlert({ ...p95, threshold: 3_599_000 })).toBeUndefined();
  expect(problemOfAlert({ ...p95, hours: 6 })).toBeUndefined();
  expect(problemOfAlert({ ...p95, figure: 'costDay', threshold: 4_000_000 })).toBeUndefined();
  expect(problemOfAlert({ ...p95, figure: 'p50', threshold: 0 })).toMatch(/above zero/);
});

test('an alert that counts nothing is not fine', () => {
  const alert = { ...rate, id: 'a', enabled: true, raisedAt: undefined, checkedAt: 1, calls: 0, mayChange: true };
  expect(alertState(alert)).toBe('nothing');
  expect(alertState({ ...alert, figure: 'costDay' })).toBe('nothing');
  expect(alertState({ ...alert, calls: 9 })).toBe('few');
  expect(alertState({ ...alert, calls: 10 })).toBe('fine');
  expect(alertState({ ...alert, checkedAt: undefined })).toBe('unchecked');
  expect(alertState({ ...alert, raisedAt: 1 })).toBe('raised');
  expect(alertState({ ...alert, raisedAt: 1, enabled: false })).toBe('off');
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
  const span = { until: undefined };
  const found = { value: 0.124, calls: 137, span };
  expect(alertNotice(rate, 'Shop', found, true)).toBe(
    'Alert: Error rate, runs of Shop: 12.4 %, above the line of 20 % (137 runs in the last 24 hours)',
  );
  expect(alertNotice(rate, undefined, { value: undefined, calls: 0, span }, false)).toBe(
    'Over: Error rate, runs of all projects: nothing ended in the last 24 hours. The line is 20 %',
  );
  const month: AlertRule = { ...rate, figure: 'costMonth', kind: 'model', name: 'gpt-5', threshold: 100 };
  expect(alertNotice(month, 'Shop', { value: 101.5, calls: 9, span }, true)).toBe(
    'Alert: Cost of the month, model gpt-5 in Shop: $101.50, above the line of $100.00 (this month in UTC)',
  );
  expect(alertNotice(month, 'Shop', { value: 101.5, calls: 9, span: { until: 1 } }, true)).toMatch(
    /\(last month in UTC\)$/,
  );
  expect(alertHref(month, 'p1')).toBe('/runs/dashboard?range=30d&by=model&project=p1#alerts');
});
