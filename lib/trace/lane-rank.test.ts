import { expect, it } from 'vitest';
import { begin, ended, fold, log, modelOff, modelOn, queued, started, toolOff, toolOn } from '@/lib/testing/trace-log';
import { laneRank } from './lane-rank';
import { heightByRoom, layoutRows } from './lanes';

const trace = fold(
  log(
    [0, begin],
    [0, queued('lead')],
    [0, started('lead')],
    [1, toolOn('lead', 1, 'agent__kid', 'agent')],
    [1, queued('lead/kid[1]', 'lead#t1')],
    [1, started('lead/kid[1]')],
    [2, toolOn('lead', 2, 'agent__kid', 'agent')],
    [2, queued('lead/kid[2]', 'lead#t2')],
    [2, started('lead/kid[2]')],
    [3, queued('lead/kid[1]/helper[1]')],
    [3, started('lead/kid[1]/helper[1]')],
    [4, toolOn('lead/kid[1]/helper[1]', 1, 'maps__distance')],
    [5, toolOff('lead/kid[1]/helper[1]', 1, true)],
    [6, ended('lead/kid[1]/helper[1]')],
    [7, ended('lead/kid[1]')],
    [8, modelOn('lead/kid[2]', 1)],
    [30, modelOff('lead/kid[2]', 1)],
    [40, ended('lead/kid[2]')],
  ),
);
const paths = (rank?: (lane: number) => number, only?: ReadonlySet<number>) =>
  [...layoutRows(trace, new Set(), new Set(), { rank, only }).lanes].map((lane) => trace.lanes[lane]?.path);

it('puts the slowest, most expensive or most failing sibling first, with its branch', () => {
  expect(paths()).toEqual(['lead', 'lead/kid[1]', 'lead/kid[1]/helper[1]', 'lead/kid[2]']);
  expect(paths(laneRank(trace, 'duration', 50_000))).toEqual([
    'lead',
    'lead/kid[2]',
    'lead/kid[1]',
    'lead/kid[1]/helper[1]',
  ]);
  expect(paths(laneRank(trace, 'cost', 50_000))[1]).toBe('lead/kid[1]');
  expect(paths(laneRank(trace, 'errors', 50_000))[1]).toBe('lead/kid[1]');
});

it('shows only the wanted lanes and those above them', () => {
  const helper = trace.laneByPath.get('lead/kid[1]/helper[1]') ?? -1;
  expect(paths(undefined, new Set([helper]))).toEqual(['lead', 'lead/kid[1]', 'lead/kid[1]/helper[1]']);
  expect(paths(undefined, new Set())).toEqual([]);
});

it('chooses lower lanes as they become more', () => {
  const rows = (count: number) => ({
    ...layoutRows(trace, new Set()),
    lanes: new Uint32Array(count),
    tops: Float64Array.from({ length: count + 1 }, (_, n) => n * 26),
  });
  expect([10, 200, 5_000].map((count) => heightByRoom(rows(count), 400))).toEqual([24, 12, 2]);
});
