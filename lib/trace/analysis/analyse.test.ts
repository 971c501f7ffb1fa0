import { describe, expect, it } from 'vitest';
import { eventsOf } from '@/lib/testing/events-of';
import { columnsOfSpans, randomSpans, type SpanRow } from '@/lib/testing/random-columns';
import { seededRandom } from '@/lib/testing/seeded-random';
import {
  begin,
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
import { occupancy, shares } from './activity-sweep';
import { analyse } from './analyse';
import { runColumns } from './run-columns';
import { stragglersOf } from './stragglers';
import { totalsOf } from './totals';
import { eachOwnPiece, ownTimes, workTree } from './work-tree';

const treeOf = (...lanes: readonly string[]) => {
  const trace = fold(eventsOf(...lanes));
  return workTree(runColumns(trace, trace.lastAt));
};
const ms = (us: number) => us / 1000;

describe('where the time went', () => {
  it('counts each moment once, and shares it among what runs at once', () => {
    const tree = treeOf(
      'lead 0-100: model 0-10, model 90-100',
      'a[1] 10-50: model 10-50',
      'b[1] 10-90: x__y 10-50, model 60-90',
    );
    const parts = occupancy(tree);
    expect(Object.fromEntries(shares.map((share) => [share, ms(parts[share])]))).toEqual({
      model: 10 + 20 + 30 + 10,
      tool: 20,
      hook: 0,
      setup: 0,
      wait: 0,
      person: 0,
      agent: 10,
      idle: 0,
    });
  });

  it('is setup until the root starts, and a wait for a permit only where a child waits', () => {
    const parts = occupancy(treeOf('lead 0>20-100', 'kid[1] 20>60-100: model 60-100'));
    expect([ms(parts.setup), ms(parts.wait), ms(parts.model)]).toEqual([20, 40, 40]);
  });

  it('adds up to the length of the run, whatever overlaps', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const random = seededRandom(seed);
      const run = columnsOfSpans(randomSpans(random, 50, 300), 400);
      const parts = occupancy(workTree(run));
      const sum = shares.reduce((total, share) => total + parts[share], 0);
      expect(sum).toBeCloseTo(400, 6);
    }
  });

  it('gives each moment to the innermost spans, as a look at every single moment does', () => {
    for (let seed = 1; seed <= 100; seed++) {
      const random = seededRandom(seed);
      const tree = workTree(columnsOfSpans(randomSpans(random, 25, 60)));
      const expected = new Float64Array(tree.size);
      for (let node = 0; node < tree.size; node++) {
        for (let at = tree.start[node] ?? 0; at < (tree.end[node] ?? 0); at++) {
          const covered = Array.from(tree.parent).some(
            (above, child) => above === node && (tree.start[child] ?? 0) <= at && (tree.end[child] ?? 0) > at,
          );
          if (!covered) expected[node] = (expected[node] ?? 0) + 1;
        }
      }
      expect({ seed, own: [...ownTimes(tree)] }).toEqual({ seed, own: [...expected] });
    }
  });
});

describe('hooks', () => {
  const chainWith = (next: { afterMs: number; ms: number } | undefined) =>
    fold(
      log(
        [0, begin],
        [0, queued('lead')],
        [0, started('lead')],
        [10, toolOn('lead', 1)],
        [12, hookOn('lead', 1, 'around', 'lead#t1')],
        [20, hookOn('lead', 2, 'around', 'lead#t1')],
        [60, hookOff('lead', 2, true, false, next)],
        [70, hookOff('lead', 1)],
        [71, toolOff('lead', 1)],
      ),
    );

  it('are nested as they ran, and the tool is inside the innermost', () => {
    const tree = workTree(runColumns(chainWith({ afterMs: 5, ms: 30 }), 100_000));
    const pieces: unknown[] = [];
    eachOwnPiece(tree, (node, from, to) => pieces.push([node, ms(from), ms(to)]));
    expect(pieces).toEqual([
      [0, 0, 10],
      [0, 71, 100],
      [1, 10, 12],
      [1, 70, 71],
      [2, 12, 20],
      [2, 60, 70],
      [3, 20, 25],
      [3, 55, 60],
      [4, 25, 55],
    ]);
    const { hook, tool } = totalsOf(tree);
    expect(hook.rows.map(({ name, own, total }) => [name, ms(own), ms(total)])).toEqual([
      ['hooks.py:h1', 18, 58],
      ['hooks.py:h2', 10, 40],
    ]);
    expect(tool.rows.map(({ name, own, total }) => [name, ms(own), ms(total)])).toEqual([['time', 33, 61]]);
  });

  it('leave the time to the tool when a log does not say how long they waited for it', () => {
    const { hook, tool } = totalsOf(workTree(runColumns(chainWith(undefined), 100_000)));
    expect(hook.rows.map(({ own }) => ms(own))).toEqual([18, 0]);
    expect(tool.rows.map(({ own }) => ms(own))).toEqual([43]);
  });
});

describe('stragglers', () => {
  it('are those that took much longer than their siblings', () => {
    const kids = [10, 12, 11, 9, 10, 80].map((length, i) => `kid[${i + 1}] 0-${length}`);
    const trace = fold(eventsOf('lead 0-100', ...kids));
    const { list, count } = stragglersOf(runColumns(trace, trace.lastAt));
    expect(count).toBe(1);
    expect(list.map(({ duration, median, of }) => [ms(duration), ms(median), of])).toEqual([[80, 10, 6]]);
  });

  it('are none among few or equal ones', () => {
    const trace = fold(eventsOf('lead 0-100', 'kid[1] 0-10', 'kid[2] 0-10', 'kid[3] 0-90'));
    expect(stragglersOf(runColumns(trace, trace.lastAt)).count).toBe(0);
  });
});

describe('totals', () => {
  it('has own time, total, percentiles and errors of each row', () => {
    const { agent, model } = totalsOf(treeOf('lead 0-100: model 0-10', 'kid[1] 10-50: model 10-20', 'kid[2] 10-90'));
    expect(
      agent.rows.map(({ name, count, own, total, p50, p95, max }) => [
        name,
        count,
        ...[own, total, p50, p95, max].map(ms),
      ]),
    ).toEqual([
      ['lead', 1, 10, 100, 100, 100, 100],
      ['kid', 2, 110, 120, 40, 80, 80],
    ]);
    expect(model.rows.map(({ name, count, total }) => [name, count, ms(total)])).toEqual([['test-model', 2, 20]]);
  });

  it('counts a call that a crash interrupted once, by the attempt that ended', () => {
    const trace = fold(
      log(
        [0, begin],
        [0, queued('lead')],
        [0, started('lead')],
        [1, modelOn('lead', 1)],
        [9, { kind: 'run.resumed', worker: 'w' }],
        [10, modelOn('lead', 1, 2)],
        [14, modelOff('lead', 1)],
      ),
    );
    const { model } = totalsOf(workTree(runColumns(trace, trace.lastAt)));
    expect(model.rows.map(({ count, total }) => [count, ms(total)])).toEqual([[1, 4]]);
    expect([...model.rowOf]).toEqual([-1, 0, 0]);
  });

  it('says in which row each span is, so that a bar finds its row', () => {
    const { agent, instance, model, tool } = totalsOf(treeOf('lead 0-100: model 0-10', 'kid[1] 10-50: x__y 10-20'));
    const rows = (table: typeof agent) => [...table.rowOf].map((row) => table.rows[row]?.name);
    expect(rows(agent)).toEqual(['lead', 'lead', 'lead', 'kid', 'kid']);
    expect(rows(instance)).toEqual(['lead', 'lead', 'lead', 'kid[1]', 'kid[1]']);
    expect(rows(model)).toEqual([undefined, 'test-model', undefined, undefined, undefined]);
    expect(rows(tool)).toEqual([undefined, undefined, 'agent__kid', undefined, 'x__y']);
  });
});

describe('a whole run', () => {
  it('is plain data, which a worker can send', () => {
    const trace = fold(eventsOf('lead 0-90: model 0-10, model 80-90', 'kid[1] 10-80: x__y 10-40'));
    const analysis = analyse(runColumns(trace, trace.lastAt));
    expect(structuredClone(analysis)).toEqual(analysis);
    expect(analysis.path.map(({ activity, from, to }) => [activity, ms(from), ms(to)])).toEqual([
      ['model', 0, 10],
      ['tool', 10, 40],
      ['agent', 40, 80],
      ['model', 80, 90],
    ]);
  });

  it('may be empty, or not have ended', () => {
    const empty = fold([]);
    expect(analyse(runColumns(empty, 0))).toMatchObject({ length: 0, path: [], stragglers: { count: 0 } });
    const open = fold(eventsOf('lead 0-: model 10-'));
    expect(analyse(runColumns(open, 50_000)).occupancy).toMatchObject({ agent: 10_000, model: 40_000 });
  });

  it('takes 5,000 levels and 20,000 children', () => {
    const deep = Array.from({ length: 5000 }, (_, i): SpanRow => [i - 1, i, 20_000 - i]);
    expect(
      analyse(columnsOfSpans(deep)).occupancy.agent + analyse(columnsOfSpans(deep)).occupancy.model,
    ).toBeGreaterThan(0);
    const wide = Array.from(
      { length: 20_000 },
      (_, i): SpanRow => (i === 0 ? [-1, 0, 20_000] : [0, i - 1, i, 'model']),
    );
    expect(analyse(columnsOfSpans(wide)).occupancy.model).toBe(19_999);
  });
});
