import fc from 'fast-check';
import { expect, test } from 'vitest';
import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import type { ImportedKind, ImportedStep } from '@/lib/interop/log/imported-step';
import { logOfSteps } from '@/lib/interop/log/log-of-steps';
import { emptyTrace } from '@/lib/trace/empty-trace';
import { foldEvent } from '@/lib/trace/fold';
import { spanEnd, type Trace } from '@/lib/trace/trace';
import { type ChromeEvent, chromeTrace } from './chrome-trace';
import { replayPage } from './replay-page';
import { spanCsv } from './span-csv';

const kinds: readonly ImportedKind[] = ['agent', 'model', 'tool', 'tool', 'hook', 'step'];
const facts = {
  runId: brandAs<RunId>('run'),
  correlationId: brandAs<CorrelationId>('c'),
  name: 'trace',
  recordedBy: 'a test',
};
const eventsOf = (steps: readonly ImportedStep[]) => logOfSteps(steps, facts);

const anySteps = fc
  .array(fc.record({ kind: fc.constantFrom(...kinds), parent: fc.nat(12), start: fc.nat(40), length: fc.nat(30) }), {
    minLength: 1,
    maxLength: 40,
  })
  .map((list) =>
    list.map(
      ({ kind, parent, start, length }, id): ImportedStep => ({
        ...{ id: String(id), parent: String(parent), kind, name: `${kind} "${id}", =1`, original: 'x' },
        ...{ start: 1e12 + start, end: 1e12 + start + length, outcome: 'ok', rest: {}, estimated: [] },
      }),
    ),
  );

function traceOf(steps: readonly ImportedStep[]): Trace {
  const trace = emptyTrace();
  for (const event of eventsOf(steps)) foldEvent(trace, event);
  return trace;
}

test('in the trace of Chrome every span is there once with its time, and spans of a thread nest', () => {
  fc.assert(
    fc.property(anySteps, (steps) => {
      const trace = traceOf(steps);
      const events = [...chromeTrace(trace)];
      const spans = events.filter(({ ph }) => ph === 'X');
      const times = ({ ts = 0, dur = 0 }: ChromeEvent) => `${ts} ${dur}`;
      const wanted = Array.from({ length: trace.spans.length }, (_, span) => {
        const start = trace.spans.start.at(span);
        return `${start} ${spanEnd(trace, span, trace.lastAt) - start}`;
      });
      expect(spans.map(times).sort()).toEqual(wanted.sort());
      for (const tid of new Set(spans.map((event) => event.tid)))
        expectNested(spans.filter((event) => event.tid === tid));
      const started = events.filter(({ ph }) => ph === 's').map(({ id }) => id);
      expect(events.filter(({ ph }) => ph === 'f').map(({ id }) => id)).toEqual(started);
    }),
    { numRuns: 200 },
  );
});

/** Fails if one span begins inside another one of the thread and ends outside it. */
function expectNested(spans: readonly ChromeEvent[]): void {
  for (const [index, a] of spans.entries()) {
    for (const b of spans.slice(index + 1)) {
      const [from, to] = [b.ts ?? 0, (b.ts ?? 0) + (b.dur ?? 0)];
      const [start, end] = [a.ts ?? 0, (a.ts ?? 0) + (a.dur ?? 0)];
      const isLegal = from >= end || to <= start || (from >= start && to <= end) || (from <= start && to >= end);
      expect(isLegal).toBe(true);
    }
  }
}

test('the table as CSV has a row for each span, and no cell is a formula', () => {
  const step: ImportedStep = {
    ...{
      id: '1',
      parent: undefined,
      kind: 'tool',
      name: '=cmd("x"), two',
      original: 'x',
      start: 1e12,
      end: 1e12 + 2.5,
    },
    ...{ outcome: 'ok', rest: {}, estimated: [] },
  };
  const rows = [...spanCsv(traceOf([step]))];
  expect(rows.slice(1)).toEqual([
    'trace,instance,trace,,none,ok,1,0,2.5,0,0,4\r\n',
    `trace,tool,"'=cmd(""x""), two",,function,ok,1,0,2.5,0,0,5\r\n`,
  ]);
});

test('the replay page has the run in it, asks for nothing else, and no text of the run can end its script', () => {
  const step: ImportedStep = {
    ...{
      id: '1',
      parent: undefined,
      kind: 'agent',
      name: 'a</script><script>alert(1)',
      original: 'x',
      start: 1e12,
      end: 1e12 + 9,
    },
    ...{ outcome: 'ok', input: '<!--<script>', rest: {}, estimated: [] },
  };
  const page = replayPage(traceOf([step]), eventsOf([step]));
  expect(page.match(/<script/g)).toHaveLength(2);
  expect(page.match(/<\/script>/g)).toHaveLength(2);
  expect(page).not.toMatch(/(?:src|href)=|https?:|import\(|fetch\(/);
  expect(page).toContain("default-src 'none'");
  const data = JSON.parse(/<script type="application\/json" id="run">(.*?)<\/script>/s.exec(page)?.[1] ?? '');
  expect(data.spans).toHaveLength(1);
  expect(data.lanes[0].name).toBe('a</script><script>alert(1)');
});

test('the replay page has no secrets of messages', () => {
  const secret = '{"user": "ann", "password": "hunter2"}';
  const step: ImportedStep = {
    ...{ id: '1', parent: undefined, kind: 'agent', name: 'lead', original: 'lead', start: 1e12, end: 1e12 + 9 },
    ...{ outcome: 'ok', input: secret, output: secret, rest: {}, estimated: [] },
  };
  const page = replayPage(traceOf([step]), eventsOf([step]));
  expect([page.includes('ann'), page.includes('hunter2')]).toEqual([true, false]);
});

test('the replay page goes to what failed, and not to what only passed the failure on', () => {
  const agent: ImportedStep = {
    ...{ id: '1', parent: undefined, kind: 'agent', name: 'lead', original: 'lead', start: 1e12, end: 1e12 + 9 },
    ...{ outcome: 'failed', error: { code: 'model_failed', message: 'no answer' }, rest: {}, estimated: [] },
  };
  const call: ImportedStep = {
    ...{ id: '2', parent: '1', kind: 'model', name: 'gpt', original: 'gpt', start: 1e12 + 1, end: 1e12 + 8 },
    ...{ outcome: 'failed', error: { code: 'model_failed', message: 'no answer' }, rest: {}, estimated: [] },
  };
  const page = replayPage(traceOf([agent, call]), eventsOf([agent, call]));
  const data = JSON.parse(/<script type="application\/json" id="run">(.*?)<\/script>/s.exec(page)?.[1] ?? '');
  const failures = data.spans.filter(({ isFailure }: { isFailure: boolean }) => isFailure);
  expect(failures.map(({ kind }: { kind: string }) => kind)).toEqual(['model']);
});
