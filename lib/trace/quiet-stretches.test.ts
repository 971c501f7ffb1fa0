import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventBody } from '@/lib/runtime/record/events';
import { eventsOf } from '@/lib/testing/events-of';
import { logOfRun, randomRuns } from '@/lib/testing/random-runs';
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
import { quietTime } from './quiet-stretches';
import { NO_SPAN } from './span-table';
import type { Trace } from './trace';

const second = 1_000_000;
const suspend: EventBody = { kind: 'run.suspended', open: 1, activeMs: {} };
const resume: EventBody = { kind: 'run.resumed', worker: 'w' };

/** Quiet stretches of at least a second, and the time of work, in milliseconds. */
function quiet(trace: Trace, now = trace.lastAt, goesOn = false) {
  const { stretches, busy } = quietTime(trace, second, now, goesOn);
  return { stretches: stretches.map(({ from, to }) => [from / 1000, to / 1000]), busy: busy / 1000 };
}

test('between two steps of an instance nothing works, however deep the instances are', () => {
  const lanes = [
    'lead 0-90000: model 0-10, model 80000-90000',
    'writer[1] 20-70000: time__now 30-40, model 60000-70000',
  ];
  expect(quiet(fold(eventsOf(...lanes)))).toEqual({
    stretches: [
      [40, 60_000],
      [70_000, 80_000],
    ],
    busy: 20_020,
  });
});

test('an instance without steps works while it is there, and so does a long tool', () => {
  expect(quiet(fold(eventsOf('lead 0-9000: model 0-10', 'writer[1] 20-9000'))).stretches).toEqual([]);
  expect(quiet(fold(eventsOf('lead 0-9000: time__now 0-9000'))).stretches).toEqual([]);
});

test('a call that waits for a person does not work meanwhile, nor do the hooks around it', () => {
  const events = log(
    [0, begin],
    [0, queued('lead')],
    [0, started('lead')],
    [1_000, toolOn('lead', 1)],
    [1_000, hookOn('lead', 1, 'around', 'lead#t1')],
    [3_000, asked('lead', 1)],
    [63_000, answered('lead', 1, 'approve')],
    [64_000, hookOff('lead', 1)],
    [65_000, toolOff('lead', 1)],
    [65_000, ended('lead')],
    [65_000, finish],
  );
  expect(quiet(fold(events))).toEqual({
    stretches: [
      [0, 1_000],
      [3_000, 63_000],
    ],
    busy: 4_000,
  });
});

test('a hook that begins after one question of its call and ends after another did nothing before it began', () => {
  const events = log(
    [0, begin],
    [0, queued('lead')],
    [0, started('lead')],
    [0, toolOn('lead', 1, 'agent__kid', 'agent')],
    [1_000, asked('lead', 1)],
    [21_000, answered('lead', 1, 'approve')],
    [21_000, queued('lead/kid[1]', 'lead#t1')],
    [21_000, started('lead/kid[1]')],
    [22_000, toolOn('lead/kid[1]', 1)],
    [23_000, toolOff('lead/kid[1]', 1)],
    [41_000, hookOn('lead', 1, 'around', 'lead#t1')],
    [43_000, asked('lead/kid[1]', 2, 'lead/kid[1]#t1')],
    [63_000, answered('lead/kid[1]', 2, 'approve')],
    [64_000, hookOff('lead', 1)],
    [64_000, ended('lead/kid[1]')],
    [64_000, toolOff('lead', 1)],
    [64_000, ended('lead')],
    [64_000, finish],
  );
  expect(quiet(fold(events)).stretches).toContainEqual([23_000, 41_000]);
});

test('no call works while no worker has the run', () => {
  const events = log(
    [0, begin],
    [0, queued('lead')],
    [0, started('lead')],
    [0, toolOn('lead', 1)],
    [0, toolOn('lead', 2)],
    [2_000, asked('lead', 1)],
    [9_000, suspend],
    [60_000, resume],
    [61_000, answered('lead', 1)],
    [62_000, toolOff('lead', 1)],
    [62_000, toolOff('lead', 2)],
    [62_000, ended('lead')],
    [62_000, finish],
  );
  expect(quiet(fold(events))).toEqual({ stretches: [[9_000, 60_000]], busy: 11_000 });
});

test('the last stretch of a run that goes on has no end, and open steps work until now', () => {
  const events = log([0, begin], [0, queued('lead')], [0, started('lead')], [0, modelOn('lead', 1)]);
  expect(quiet(fold(events), 60 * second, true)).toEqual({ stretches: [], busy: 60_000 });
  const after = fold([...events, ...log([10, modelOff('lead', 1)]).map((event) => ({ ...event, seq: 9 }))]);
  expect(quiet(after, 5 * second, true).stretches).toEqual([[10, Number.POSITIVE_INFINITY]]);
  expect(quiet(after, 5 * second, false).stretches).toEqual([[10, 5_000]]);
  expect(quiet(after, second / 2, true).stretches).toEqual([]);
});

/** Whether something works at a moment, looked up in all spans. */
function worksAt({ spans, lanes, questions, run }: Trace, moment: number): boolean {
  const covers = (span: number) => spans.start.at(span) < moment && moment < spans.end.at(span);
  const waits = (span: number) =>
    questions.some((question) => {
      const above: number[] = [];
      for (let at = spans.parent.at(question); at !== NO_SPAN; at = spans.parent.at(at)) above.push(at);
      const isAround = spans.kindOf(span) === 'hook' && above.includes(spans.parent.at(span));
      return covers(question) && (above.includes(span) || isAround);
    });
  const all = Array.from({ length: spans.length }, (_, span) => span);
  const isWork = (span: number) => {
    const lane = spans.lane.at(span);
    const kind = spans.kindOf(span);
    if (kind === 'instance')
      return (
        lanes[lane]?.children.length === 0 &&
        all.every((one) => spans.lane.at(one) !== lane || ['instance', 'queued'].includes(spans.kindOf(one)))
      );
    if (kind === 'tool' && spans.sourceOf(span) === 'agent') return lanes.every((one) => one.parentSpan !== span);
    return ['model', 'tool', 'hook', 'setup'].includes(kind);
  };
  if (run.suspended.some(({ at, until }) => at < moment && moment < (until ?? Number.POSITIVE_INFINITY))) return false;
  return all.some((span) => isWork(span) && covers(span) && !waits(span));
}

test('in each stretch nothing works, and between them something does at every moment or has just begun or ended', async () => {
  await fc.assert(
    fc.asyncProperty(randomRuns, async (random) => {
      const trace = fold(await logOfRun(random));
      const { spans } = trace;
      const edges = new Set([0, trace.lastAt, ...trace.run.suspended.flatMap(({ at, until }) => [at, until ?? at])]);
      for (let span = 0; span < spans.length; span++) {
        edges.add(spans.start.at(span));
        edges.add(Math.min(spans.end.at(span), trace.lastAt));
      }
      const times = [...edges].sort((a, b) => a - b);
      const { stretches, busy } = quietTime(trace, 1e-3, trace.lastAt, false);
      let works = 0;
      for (const [place, to] of times.slice(1).entries()) {
        const from = times[place] ?? 0;
        const moment = (from + to) / 2;
        const isQuiet = stretches.some((one) => one.from < moment && moment < one.to);
        expect(isQuiet).toBe(!worksAt(trace, moment));
        if (!isQuiet) works += to - from;
      }
      expect(busy).toBeCloseTo(works, 3);
    }),
    { numRuns: 60 },
  );
});
