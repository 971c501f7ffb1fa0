import { expect, test } from 'vitest';
import type { EventBody } from '@/lib/runtime/record/events';
import {
  answered,
  asked,
  begin,
  ended,
  finish,
  fold,
  hookOff,
  hookOn,
  log,
  modelOff,
  modelOn,
  queued,
  started,
  toolOff,
  toolOn,
} from '@/lib/testing/trace-log';
import { occupancy } from './analysis/activity-sweep';
import { runColumns } from './analysis/run-columns';
import { workTree } from './analysis/work-tree';
import { atOnceColumns, atOnceSteps } from './at-once';
import { failureTest } from './failures';
import { historyRows } from './history';
import { MomentTrace } from './moment-trace';
import { OtlpTrace } from './otel';
import { isLaneWaiting, openByLane, openQuestions, suspendedSince, waitedForPeople } from './questions';
import { summariseRun } from './run-summary';
import { spanName, type Trace } from './trace';

const suspend: EventBody = { kind: 'run.suspended', open: 1, activeMs: {} };
const resume: EventBody = { kind: 'run.resumed', worker: 'w' };

/** `kind name start-end status`, times in milliseconds, without instances. */
function bars({ spans, ...trace }: Trace): string[] {
  return Array.from({ length: spans.length }, (_, i) => i)
    .filter((i) => spans.kindOf(i) !== 'instance')
    .map((i) => {
      const end = spans.end.at(i);
      const until = end === Number.POSITIVE_INFINITY ? '' : end / 1000;
      const name = spanName({ spans, ...trace }, i);
      return `${spans.kindOf(i)} ${name} ${spans.start.at(i) / 1000}-${until} ${spans.statusOf(i)}`;
    });
}

/** A call asks at 5 s and is answered at 65 s, after a suspension. Another call that works goes on too. */
const waited = log(
  [0, begin],
  [0, queued('lead')],
  [0, started('lead')],
  [1_000, toolOn('lead', 1, 'mail__send')],
  [1_000, hookOn('lead', 1, 'around', 'lead#t1')],
  [2_000, toolOn('lead', 2, 'mail__read')],
  [5_000, asked('lead', 1)],
  [6_000, suspend],
  [60_000, resume],
  [61_000, hookOn('lead', 1, 'around', 'lead#t1')],
  [65_000, answered('lead', 1, 'approve')],
  [66_000, hookOff('lead', 1)],
  [67_000, toolOff('lead', 1)],
  [68_000, toolOff('lead', 2)],
  [70_000, ended('lead')],
  [70_000, finish],
);

test('a question is an interval of its call, over a suspension, in which calls go on and hooks begin again', () => {
  expect(bars(fold(waited))).toEqual([
    'tool mail__send 1000-67000 ok',
    'hook hooks.py:h1 1000-6000 interrupted',
    'tool mail__read 2000-68000 ok',
    "waiting Call tool 'send1' 5000-65000 ok",
    'hook hooks.py:h1 61000-66000 ok',
  ]);
});

test('a crash interrupts the steps that work, and none that waits for a person', () => {
  const crashed = log(
    [0, begin],
    [0, queued('lead')],
    [0, started('lead')],
    [1_000, toolOn('lead', 1)],
    [1_000, toolOn('lead', 2)],
    [2_000, asked('lead', 1, 'lead#t1.r2')],
    [9_000, resume],
  );
  expect(bars(fold(crashed)).map((bar) => bar.split(' ').slice(-2).join(' '))).toEqual([
    '1000- open',
    '1000-2000 interrupted',
    '2000- open',
  ]);
});

test('the end of a run ends its questions, and says so', () => {
  const stopped = fold(log([0, begin], [0, queued('lead')], [1, asked('lead', 1)], [2, suspend], [9, finish]));
  expect(stopped.spans.statusOf(stopped.questions[0] ?? -1)).toBe('cancelled');
  expect([openQuestions(stopped), suspendedSince(stopped)]).toEqual([[], undefined]);
});

test('figures: who waits now, since when, and for how long people were asked in all', () => {
  const now = fold(waited.filter(({ seq }) => seq <= 8));
  expect([openQuestions(now).length, [...openByLane(now)], suspendedSince(now)]).toEqual([1, [[0, 1]], 6_000_000]);
  expect(waitedForPeople(now, 8_000_000)).toBe(3_000_000);
  // Two questions at once count once.
  const both = log(
    [0, begin],
    [0, queued('lead')],
    [10, asked('lead', 1)],
    [20, asked('lead', 2)],
    [30, answered('lead', 1, 'deny')],
    [40, answered('lead', 2)],
    [90, asked('lead', 3)],
    [95, answered('lead', 3, 'answer')],
    [99, finish],
  );
  expect(waitedForPeople(fold(both), 0)).toBe(35_000);
});

test('an instance waits while it asks, and all open ones do while the run is suspended', () => {
  const child = [
    [0, begin],
    [0, queued('lead')],
    [0, started('lead')],
    [1_000, queued('lead/kid[1]')],
    [1_000, started('lead/kid[1]')],
    [2_000, toolOn('lead/kid[1]', 1, 'mail__send')],
    [3_000, asked('lead/kid[1]', 1)],
  ] as const;
  const waiting = (...more: readonly (readonly [number, EventBody])[]) => {
    const trace = fold(log(...child, ...more));
    return trace.lanes.filter((lane) => isLaneWaiting(trace, openByLane(trace), lane)).map(({ path }) => path);
  };
  expect(waiting()).toEqual(['lead/kid[1]']);
  expect(waiting([4_000, suspend])).toEqual(['lead', 'lead/kid[1]']);
  expect(waiting([4_000, suspend], [5_000, resume], [6_000, answered('lead/kid[1]', 1, 'approve')])).toEqual([]);
});

test('the wait for people is no wait for permits, and no time of a tool', () => {
  const trace = fold(waited);
  expect(summariseRun(trace)).toMatchObject({ waitedMs: 0, peopleMs: waitedForPeople(trace, trace.lastAt) / 1_000 });
  expect(summariseRun(trace).peopleMs).toBeGreaterThan(1_000);
  const quiet = log(
    [0, begin],
    [0, queued('lead')],
    [0, started('lead')],
    [0, modelOn('lead', 1)],
    [10, modelOff('lead', 1)],
    [10, toolOn('lead', 1)],
    [10, hookOn('lead', 1, 'around', 'lead#t1')],
    [20, asked('lead', 1)],
    [80, answered('lead', 1, 'approve')],
    [90, hookOff('lead', 1, true, false, { afterMs: 5, ms: 70 })],
    [90, toolOff('lead', 1)],
    [100, finish],
  );
  const done = fold(quiet);
  const parts = occupancy(workTree(runColumns(done, done.lastAt)));
  expect(parts).toEqual({
    model: 10_000,
    tool: 5_000 + 5_000,
    hook: 5_000 + 5_000,
    setup: 0,
    wait: 0,
    person: 60_000,
    agent: 10_000,
    idle: 0,
  });
});

test('a question that nobody answered in time is no failure of its own', () => {
  const expired = fold(log([0, begin], [0, queued('lead')], [1, asked('lead', 1)], [9, answered('lead', 1)]));
  const [question = -1] = expired.questions;
  expect(expired.spans.statusOf(question)).toBe('timeout');
  expect([failureTest(expired)(question), expired.lanes[0]?.errors]).toEqual([false, 0]);
});

test('the history has a question and its answer below the call', () => {
  const rows = historyRows(fold(waited), [0], new Set()).map((row) =>
    row.kind === 'group' ? 'group' : `${row.kind} ${row.seq}`,
  );
  expect(rows).toEqual(['group', 'call 4', 'asked 7', 'answered 11', 'result 13', 'call 6', 'result 14']);
});

test('a moment shows the question as it was then', () => {
  const at = new MomentTrace(fold(waited));
  at.seek(62_000_000);
  expect([openQuestions(at.trace).length, suspendedSince(at.trace)]).toEqual([1, undefined]);
  at.seek(30_000_000);
  expect(suspendedSince(at.trace)).toBe(6_000_000);
  at.seek(4_000_000);
  expect([at.trace.questions, at.trace.run.suspended]).toEqual([[], []]);
});

test('the exported call has the question and its answer as events, and goes on over a suspension', () => {
  const otlp = new OtlpTrace();
  for (const event of waited) otlp.add(event);
  const spans = otlp.toJson().resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  const calls = spans.filter(({ name }) => name.startsWith('execute_tool'));
  expect(calls.map(({ name, events }) => [name, (events ?? []).map((each) => each.name)])).toEqual([
    ['execute_tool mail__send', ['callboard.person_asked', 'callboard.person_answered']],
    ['execute_tool mail__read', []],
  ]);
});

test('a call that waits for a person counts as waiting, and not as a tool that runs', () => {
  const trace = fold(waited);
  const { counts, most } = atOnceColumns(atOnceSteps(trace), { from: 0, to: 70_000_000, now: trace.lastAt }, 7);
  expect([...counts.tool]).toEqual([2, 1, 1, 1, 1, 1, 2]);
  expect([...counts.waiting]).toEqual([1, 1, 1, 1, 1, 1, 1]);
  expect(most).toBe(2);
});
