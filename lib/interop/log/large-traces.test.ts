import { expect, test } from 'vitest';
import { brandAs, type RunId } from '@/lib/base/ids';
import { runOfSpans } from '@/lib/interop/run-of-spans';
import { stepOfSpan } from '@/lib/interop/spans/step-of-span';
import { type SpanShape, spanShapes, spansOfShape } from '@/lib/testing/span-shapes';
import { emptyTrace } from '@/lib/trace/empty-trace';
import { foldEvent } from '@/lib/trace/fold';
import type { ImportedKind, ImportedStep } from './imported-step';
import { placeSteps } from './place-steps';

function logOf(shape: SpanShape, count: number) {
  return runOfSpans(brandAs<RunId>('r'), spansOfShape(shape, count))?.events ?? [];
}

test.each(spanShapes)('the log of a trace of the shape %s is as long as the trace', (shape) => {
  const lengthOf = (count: number) => JSON.stringify(logOf(shape, count)).length;
  // Ids and numbers have some more digits.
  expect(lengthOf(8_000) / lengthOf(4_000)).toBeLessThan(2.2);
});

test.each(spanShapes)('a step of a trace of the shape %s is looked at some times, however many there are', (shape) => {
  const looksAt = (count: number) => {
    let looks = 0;
    const counted = (step: ImportedStep): ImportedStep => ({
      ...step,
      get kind(): ImportedKind {
        looks += 1;
        return step.kind;
      },
    });
    placeSteps(spansOfShape(shape, count).map((span) => counted(stepOfSpan(span))));
    return looks / count;
  };
  expect(looksAt(4_000)).toBeLessThan(10);
});

test('agents inside of 50 others are steps of the innermost lane, and the log says how many', () => {
  const events = logOf('chain', 200);
  const trace = emptyTrace();
  for (const event of events) foldEvent(trace, event);
  expect(trace.lanes).toHaveLength(50);
  expect(trace.lanes.at(-1)?.depth).toBe(49);
  const calls = events.filter(({ kind }) => kind === 'tool.started');
  expect(calls).toHaveLength(150);
  expect(new Set(calls.map((call) => 'path' in call && call.path))).toEqual(new Set([trace.lanes.at(-1)?.path]));
  expect(events.flatMap((event) => (event.kind === 'log' ? [event.message] : []))).toContain(
    '150 spans lie deeper than 50 lanes. They are drawn in the innermost lane.',
  );
});

test('a long name of an agent is whole in its lane, and short in the paths of what is inside', () => {
  const name = 'n'.repeat(1_500);
  const spans = spansOfShape('chain', 3).map((span) => ({
    ...span,
    attributes: { ...span.attributes, 'gen_ai.agent.name': name },
  }));
  const events = runOfSpans(brandAs<RunId>('r'), spans)?.events ?? [];
  const queued = events.flatMap((event) => (event.kind === 'instance.queued' ? [event] : []));
  expect(queued.map(({ agentName }) => agentName)).toEqual([name, name, name]);
  const short = 'n'.repeat(100);
  expect(queued.map(({ path }) => path)).toEqual([short, `${short}/${short}[1]`, `${short}/${short}[1]/${short}[1]`]);
});
