import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { begin, decided, ended, fold, log, modelOff, modelOn, queued, started, vote } from '@/lib/testing/trace-log';
import { layoutRows } from '@/lib/trace/lanes';
import type { Trace } from '@/lib/trace/trace';
import { decisionMarks, markPx } from './decision-marks';
import { hitAt, nextOf } from './hit-test';
import { paintBars, type Scene } from './paint-bars';
import { evenScale } from './time-scale';
import { stepSpan, windowOf } from './walk';

/** A lane that decides something at each of these milliseconds: votes, and the result at the last. */
function lane(...times: readonly number[]): Trace {
  return fold(
    log(
      [0, begin],
      [0, queued('jury')],
      [0, started('jury')],
      ...times.map((ms, i) => [ms, decided('jury', i + 1, vote(i + 1, 'x', i + 1, i + 1))] as const),
    ),
  );
}

function view(trace: Trace, over: Partial<Scene> = {}): Scene {
  return {
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
    scale: evenScale,
    ticks: { step: 1, at: [] },
    ...over,
  };
}

function marksOf(scene: Scene) {
  const [first] = scene.trace.lanes;
  return first === undefined ? [] : decisionMarks(scene, first, 0);
}

describe('marks of decisions', () => {
  it('stand at their times, with a word where there is room', () => {
    const marks = marksOf(view(lane(100, 500)));
    expect(marks.map(({ left, width, word, ticks }) => [left, width, word, ticks])).toEqual([
      [94, markPx, 'lead 1', [100]],
      [494, markPx, 'lead 2', [500]],
    ]);
  });

  it('become one with a count where they would overlap, and part again when the time is zoomed', () => {
    const trace = lane(100, 105, 110, 500);
    expect(marksOf(view(trace)).map(({ word, ticks }) => [word, ticks])).toEqual([
      ['3', [100, 105, 110]],
      ['lead 4', [500]],
    ]);
    expect(marksOf(view(trace, { window: { from: 90_000, to: 140_000 } })).map(({ spans }) => spans.length)).toEqual([
      1, 1, 1,
    ]);
  });

  it('stay inside the picture at its edges', () => {
    const marks = marksOf(view(lane(0, 1000)));
    expect(marks.map(({ left }) => left)).toEqual([0, 1000 - markPx]);
  });

  it('show the result of a vote rather than the last vote', () => {
    const trace = lane(100);
    const end = { what: 'votes', samples: 1, discarded: 0, margin: 1, k: 1, votes: [], outcome: 'won' } as const;
    const more = fold(
      log(
        [0, begin],
        [0, queued('jury')],
        [0, started('jury')],
        [100, decided('jury', 1, end)],
        [100, decided('jury', 2, vote(1, 'x', 1, 1))],
      ),
    );
    expect(marksOf(view(trace))[0]?.look.shape).toBe('dot');
    expect(marksOf(view(more))[0]).toMatchObject({ look: { shape: 'columns', paint: 'ok' }, word: '2' });
  });

  it('show a sample that counts rather than one that was left out', () => {
    const spoilt = { ...vote(2, 'y', 0, 1), discarded: 'too long' };
    const trace = fold(
      log(
        [0, begin],
        [0, queued('jury')],
        [0, started('jury')],
        [100, decided('jury', 1, vote(1, 'x', 1, 1))],
        [100, decided('jury', 2, spoilt)],
        [500, decided('jury', 3, spoilt)],
      ),
    );
    expect(marksOf(view(trace)).map(({ look }) => look.shape)).toEqual(['dot', 'barred']);
  });

  it('merges 200 votes into a few marks that count all of them', () => {
    const trace = lane(...Array.from({ length: 200 }, (_, i) => i));
    const marks = marksOf(view(trace));
    expect(marks.flatMap(({ spans }) => spans)).toEqual(trace.lanes[0]?.decisions);
    expect(marks.length).toBeLessThan(12);
  });

  it('property: each decision is in one mark, in order, and marks do not overlap', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(1000), { maxLength: 60 }),
        fc.nat(800),
        fc.integer({ min: 1, max: 1000 }),
        (times, from, span) => {
          const trace = lane(...times.sort((a, b) => a - b));
          const window = { from: from * 1000, to: (from + span) * 1000 };
          const marks = marksOf(view(trace, { window }));
          const shown = marks.flatMap(({ spans }) => spans);
          expect(shown).toEqual(shown.toSorted((a, b) => a - b));
          const inView = (trace.lanes[0]?.decisions ?? []).filter((one) => {
            const at = trace.spans.start.at(one);
            return at >= window.from && at <= window.to;
          });
          for (const one of inView) expect(shown).toContain(one);
          for (const [i, mark] of marks.entries()) {
            const before = marks[i - 1];
            if (before !== undefined) expect(mark.left).toBeGreaterThan(before.left + before.width);
          }
        },
      ),
    );
  });
});

describe('pointing at marks', () => {
  const trace = lane(100, 105, 500);
  const scene = view(trace);
  const [first = -1, second = -1, third = -1] = trace.lanes[0]?.decisions ?? [];
  const y = scene.rows.tops[1] ?? 0;

  it('hits a mark and its word, the instance beside it, and bars as before', () => {
    expect(hitAt(scene, 500, y - 6)).toEqual({ span: third, together: [] });
    expect(hitAt(scene, 520, y - 6)).toEqual({ span: third, together: [] });
    expect(hitAt(scene, 300, y - 6)).toEqual({ span: 0, together: [] });
    expect(hitAt(scene, 500, 10)).toEqual({ span: 0, together: [] });
    expect(hitAt(scene, 500, y + 30)).toBeUndefined();
  });

  it('selects one after the other of a mark that stands for several', () => {
    const hit = hitAt(scene, 102, y - 6);
    if (hit === undefined) throw new Error('No mark');
    expect(hit.together).toEqual([first, second]);
    expect([undefined, first, second].map((selected) => nextOf(hit, selected))).toEqual([second, second, first]);
  });

  it('is reached by the keys that walk the events', () => {
    expect(stepSpan(trace, scene.rows, 0, 1)).toBe(first);
    expect(stepSpan(trace, scene.rows, first, 1)).toBe(second);
  });

  it('zooms to a part of the run, although a decision takes no time', () => {
    const { from, to } = windowOf(trace, [third], 1_000_000, 1_000_000);
    expect(from).toBeLessThan(500_000);
    expect(to - from).toBeGreaterThan(10_000);
  });
});

it('makes room for marks in rows with decisions only, and draws no bar for them', () => {
  const [bare, full] = [lane(), lane(100)];
  const height = (trace: Trace) => layoutRows(trace, new Set()).tops[1] ?? 0;
  expect([height(bare), height(full)]).toEqual([26, 44]);
  const { decisions, labels } = paintBars({ rect: () => undefined }, view(full));
  expect([decisions.length, labels.length]).toEqual([1, 0]);
});

describe('pointing at bars', () => {
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
  const scene = view(trace);

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
});
