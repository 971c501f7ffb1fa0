import { expect, it } from 'vitest';
import { begin, ended, fold, log, modelOff, modelOn, queued, started } from '@/lib/testing/trace-log';
import { layoutRows } from '@/lib/trace/lanes';
import { hitAt } from './hit-test';
import type { Scene } from './paint-bars';

/** An instance of half a millisecond, with a call of a model as long as itself. */
const trace = fold(
  log(
    [0, begin],
    [100, queued('kid')],
    [100, started('kid')],
    [100, modelOn('kid', 1)],
    [100.5, modelOff('kid', 1)],
    [100.5, ended('kid')],
  ),
);

const scene: Scene = {
  trace,
  rows: layoutRows(trace, new Set()),
  window: { from: 0, to: 1_000_000 },
  now: 1_000_000,
  width: 1000,
  height: 100,
  scrollTop: 0,
  dpr: 1,
  selected: undefined,
  hovered: undefined,
  activeLane: undefined,
  ticks: [],
};

it('a bar in front hides the bars behind it, even where all are thinner than a pixel', () => {
  const ids = trace.lanes[0]?.spans.ids;
  const model = Array.from({ length: ids?.length ?? 0 }, (_, i) => ids?.at(i) ?? -1).find(
    (span) => trace.spans.kindOf(span) === 'model',
  );
  expect(model).toBeDefined();
  const hits = Array.from({ length: scene.rows.laneHeight }, (_, y) => hitAt(scene, 100, y));
  expect(hits).toContainEqual({ span: model, together: [] });
  for (const hit of hits) expect(hit?.together ?? []).toEqual([]);
});
