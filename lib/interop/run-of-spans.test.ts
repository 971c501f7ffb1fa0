import fc from 'fast-check';
import { expect, test } from 'vitest';
import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import { eventFormat, readEventRecord } from '@/lib/runtime/record/event-format';
import type { RunEvent } from '@/lib/runtime/record/events';
import { tries } from '@/lib/testing/tries';
import { emptyTrace } from '@/lib/trace/empty-trace';
import { foldEvent } from '@/lib/trace/fold';
import { OtlpTrace } from '@/lib/trace/otel';
import { spanName, type Trace } from '@/lib/trace/trace';
import type { ImportedKind, ImportedStep } from './log/imported-step';
import { logOfSteps } from './log/log-of-steps';
import { readOtlpJson } from './otlp/read-otlp-json';
import { runOfSpans } from './run-of-spans';

const runId = brandAs<RunId>('run');
const facts = { runId, correlationId: brandAs<CorrelationId>('group'), name: 'trace', recordedBy: 'a test' };

function traceOf(events: readonly RunEvent[]): Trace {
  const trace = emptyTrace();
  for (const event of events) foldEvent(trace, readEventRecord(eventFormat, JSON.stringify(event)));
  return trace;
}

/** One line for each span of a trace, sorted. */
function spansOf(trace: Trace): readonly string[] {
  const { spans, lanes, origin = 0 } = trace;
  return Array.from({ length: spans.length }, (_, span) => {
    const [start, end] = [spans.start.at(span), spans.end.at(span)].map((at) => Math.round(at + origin * 1000));
    return `${lanes[spans.lane.at(span)]?.path} ${spans.kindOf(span)} ${spanName(trace, span)} ${start}-${end} ${spans.statusOf(span)}`;
  }).sort();
}

const kinds: readonly ImportedKind[] = ['agent', 'model', 'tool', 'hook', 'setup', 'step', 'unknown'];
const t0 = 1_763_628_000_000;

/** A list of steps whose parents may be missing, themselves or in a circle, with times in any relation to theirs. */
const anySteps = fc
  .array(
    fc.record({
      kind: fc.constantFrom(...kinds),
      parent: fc.option(fc.nat(40), { nil: undefined }),
      start: fc.nat(1_000),
      length: fc.option(fc.nat(500), { nil: undefined }),
      outcome: fc.constantFrom('ok', 'ok', 'ok', 'failed', 'cancelled', 'timeout' as const),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((list) =>
    list.map(
      ({ kind, parent, start, length, outcome }, index): ImportedStep => ({
        id: index.toString(16).padStart(16, '0'),
        parent: parent === undefined ? undefined : parent.toString(16).padStart(16, '0'),
        kind,
        name: `${kind}${index % 3}`,
        original: `original ${index}`,
        start: t0 + start,
        end: length === undefined ? undefined : t0 + start + length,
        outcome: outcome as ImportedStep['outcome'],
        rest: { index },
        estimated: [],
      }),
    ),
  );

test('every step is in the log once, whatever its parents and times are', () => {
  fc.assert(
    fc.property(anySteps, (steps) => {
      const events = logOfSteps(steps, facts);
      const noted = events.flatMap(({ imported }) =>
        imported === undefined || imported.id === '' ? [] : [imported.id],
      );
      expect(noted.sort()).toEqual(steps.map(({ id }) => id).sort());
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      expect(events.every(({ at }, index) => index === 0 || at >= (events[index - 1]?.at ?? 0))).toBe(true);
      expect([events[0]?.kind, events.at(-1)?.kind]).toEqual(['run.started', 'run.finished']);
      const trace = traceOf(events);
      const open = Array.from({ length: trace.spans.length }, (_, span) => trace.spans.statusOf(span)).includes('open');
      expect(open).toBe(false);
    }),
    { numRuns: tries(150) },
  );
});

test('what is exported and imported again has the same lanes and the same spans', () => {
  fc.assert(
    fc.property(anySteps, (steps) => {
      const events = logOfSteps(steps, facts);
      const exported = new OtlpTrace();
      for (const event of events) exported.add(event);
      const { spans, rejected } = readOtlpJson(JSON.stringify(exported.toJson()));
      expect(rejected).toBe(0);
      const again = runOfSpans(runId, spans.toReversed());
      expect(again?.source).toBe('callboard-import');
      expect(spansOf(traceOf(again?.events ?? []))).toEqual(spansOf(traceOf(events)));
    }),
    { numRuns: tries(150) },
  );
});

test('a trace of 5,000 levels and one of 20,000 children are imported', () => {
  const step = (id: number, parent: number | undefined, kind: ImportedKind): ImportedStep => ({
    ...{ id: String(id), parent: parent === undefined ? undefined : String(parent), kind, name: 'a', original: 'a' },
    ...{ start: t0, end: t0 + 10, outcome: 'ok', rest: {}, estimated: [] },
  });
  const deep = Array.from({ length: 5_000 }, (_, id) => step(id, id === 0 ? undefined : id - 1, 'agent'));
  const wide = Array.from({ length: 20_001 }, (_, id) =>
    step(id, id === 0 ? undefined : 0, id === 0 ? 'agent' : 'tool'),
  );
  for (const steps of [deep, wide]) {
    const events = logOfSteps(steps, facts);
    expect(events.filter(({ imported }) => imported !== undefined)).toHaveLength(steps.length);
  }
});
