import { describe, expect, it } from 'vitest';
import { brokenRun, deepRun, largeRun } from '@/lib/testing/large-run';
import { decodeTrace, encodeTrace } from './columns';
import { emptyTrace } from './empty-trace';
import { foldEvent } from './fold';
import { layoutRows } from './lanes';
import { slimEvent } from './slim-event';
import type { Trace } from './trace';

function foldAll(events: Iterable<Parameters<typeof slimEvent>[0]>): Trace {
  const trace = emptyTrace();
  for (const event of events) foldEvent(trace, slimEvent(event));
  return trace;
}

describe('large and broken runs', () => {
  it('generates the same run for the same seed, of about the wanted size', () => {
    const [one, other] = [1, 1].map((seed) => encodeTrace(foldAll(largeRun({ spans: 2_000, lanes: 20, seed }))));
    expect(one).toEqual(other);
    const trace = decodeTrace(one ?? new Uint8Array());
    expect(trace.lanes).toHaveLength(20);
    expect(trace.spans.length).toBeGreaterThan(1_800);
    expect(trace.spans.length).toBeLessThan(2_400);
  });

  it('folds, encodes and lays out a chain of 5,000 delegations', () => {
    const trace = decodeTrace(encodeTrace(foldAll(deepRun(5_000))));
    expect(trace.lanes.at(-1)?.depth).toBe(4_999);
    expect(layoutRows(trace, new Set()).lanes).toHaveLength(5_000);
  });

  it('folds and lays out 20,000 children of one parent', () => {
    const trace = decodeTrace(encodeTrace(foldAll(largeRun({ spans: 40_000, lanes: 20_001, seed: 3 }))));
    expect(trace.lanes[0]?.children).toHaveLength(20_000);
    expect(layoutRows(trace, new Set()).lanes).toHaveLength(20_001);
  });

  it('keeps every span of a broken run inside the run, with no end before its start', () => {
    const trace = foldAll(brokenRun());
    const copy = decodeTrace(encodeTrace(trace));
    for (let span = 0; span < trace.spans.length; span++) {
      expect(trace.spans.start.at(span)).toBeGreaterThanOrEqual(0);
      expect(trace.spans.end.at(span)).toBeGreaterThanOrEqual(trace.spans.start.at(span));
      expect(copy.spans.start.at(span)).toBe(trace.spans.start.at(span));
    }
  });
});
