import { expect, it } from 'vitest';
import { brokenRun, deepRun, largeRun } from '@/lib/testing/large-run';
import { emptyTrace } from '@/lib/trace/empty-trace';
import { foldEvent } from '@/lib/trace/fold';
import { laneHeights, layoutRows } from '@/lib/trace/lanes';
import { stepError } from '@/lib/trace/moment-steps';
import { slimEvent } from '@/lib/trace/slim-event';
import type { Trace } from '@/lib/trace/trace';
import { hitAt } from './hit-test';
import { paintBars, type Scene } from './paint-bars';
import { evenScale } from './time-scale';
import { nextSlowest, windowOf } from './walk';

function foldAll(events: Iterable<Parameters<typeof slimEvent>[0]>): Trace {
  const trace = emptyTrace();
  for (const event of events) foldEvent(trace, slimEvent(event));
  return trace;
}

function sceneOf(trace: Trace, laneHeight: 2 | 12 | 24): Scene {
  const rows = layoutRows(trace, new Set(), 'all', { laneHeight });
  const window = { from: 0, to: Math.max(trace.lastAt, 1_000) };
  const size = { width: 1_000, height: 800, dpr: 1, scrollTop: 0 };
  return {
    trace,
    rows,
    window,
    now: window.to,
    ...size,
    selected: undefined,
    hovered: undefined,
    activeLane: undefined,
    scale: evenScale,
    ticks: { step: 1, at: [] },
  };
}

it.each([
  ['deep', () => deepRun(1_000)],
  ['wide', () => largeRun({ spans: 5_000, lanes: 5_001, seed: 3 })],
  ['broken', brokenRun],
  ['empty', () => []],
])('draws a %s run at every height, with all its bars inside the picture', (_, events) => {
  const trace = foldAll(events());
  for (const laneHeight of laneHeights) {
    const scene = sceneOf(trace, laneHeight);
    const wrong: number[] = [];
    paintBars({ rect: (...box) => void (box.some((value) => !Number.isInteger(value)) && wrong.push(...box)) }, scene);
    expect(wrong).toEqual([]);
    for (let y = 0; y < 800; y += 40) hitAt(scene, 500, y);
  }
  const all = Array.from({ length: trace.spans.length }, (__, span) => span);
  if (all.length > 0) expect(windowOf(trace, all, trace.lastAt, trace.lastAt + 1).from).toBeGreaterThanOrEqual(0);
});

it('looks at the bars in view only, and draws no more of them than the picture has room for', () => {
  const trace = foldAll(largeRun({ spans: 40_000, lanes: 200, seed: 5 }));
  const scene = sceneOf(trace, 12);
  const inView = scene.rows.lanes
    .subarray(0, 68)
    .reduce((sum, lane) => sum + (trace.lanes[lane]?.spans.length ?? 0), 0);
  const { drawn } = paintBars({ rect: () => undefined }, scene);
  expect(drawn).toBeLessThanOrEqual(inView);
  expect(paintBars({ rect: () => undefined }, { ...scene, window: { from: 0, to: 10 } }).drawn).toBeLessThan(70);
});

it('walks the slowest steps from the longest down, and begins again at the end', () => {
  const trace = foldAll(largeRun({ spans: 60, lanes: 4, seed: 2 }));
  const time = (span: number) => trace.spans.end.at(span) - trace.spans.start.at(span);
  const first = nextSlowest(trace, undefined, trace.lastAt);
  const walked: number[] = [];
  for (let span = first; span !== undefined; ) {
    walked.push(span);
    span = nextSlowest(trace, span, trace.lastAt);
    if (span === first) break;
  }
  expect(new Set(walked).size).toBe(walked.length);
  expect(walked.map(time)).toEqual(walked.map(time).toSorted((a, b) => b - a));
  expect(walked.length).toBeGreaterThan(40);
  expect(stepError(emptyTrace(), undefined, 1)).toBeUndefined();
});
