import { describe, expect, it } from 'vitest';
import { eventsOf } from '@/lib/testing/events-of';
import { begin, ended, fold, log, modelOff, modelOn, queued, started, toolOn } from '@/lib/testing/trace-log';
import { analyse } from './analyse';
import { runColumns } from './run-columns';
import { runStart } from './start-phases';
import { sortedRows, tableRows } from './table-rows';

const trace = fold(
  eventsOf(
    'lead 0-100: model 0-10, model 90-100',
    'kid[1] 10-50: model 10-20',
    'kid[2] 10-90: model 10-40, model 50-90',
    'lead/kid[2]/low[1] 40-50: model 40-50',
  ),
);
const { totals } = analyse(runColumns(trace, trace.lastAt));

describe('the table of totals', () => {
  it('has the tokens of each agent, instance and model, and those below a delegation', () => {
    const used = (kind: 'agent' | 'instance' | 'tool' | 'model' | 'hook') =>
      Object.fromEntries(tableRows(trace, kind, totals[kind]).map(({ name, usage }) => [name, usage?.inputTokens]));
    expect(used('agent')).toEqual({ lead: 10, kid: 20, low: 10 });
    expect(used('instance')).toEqual({ lead: 10, 'kid[1]': 10, 'kid[2]': 10, 'low[1]': 10 });
    expect(used('model')).toEqual({ 'test-model': 40 });
    expect(used('tool')).toEqual({ agent__kid: 30, agent__low: 10 });
    expect(used('hook')).toEqual({});
  });

  it('has a row for each of 501 instances, also for those that only waited', () => {
    const kids = Array.from({ length: 499 }, (_, i) => `kid[${i + 1}] 1-${i + 2}`);
    const many = fold([...eventsOf('lead 0-', ...kids)]);
    fold([{ seq: many.lastSeq + 1, at: many.lastAt / 1000, ...queued('lead/kid[500]') } as never], many);
    const table = analyse(runColumns(many, many.lastAt)).totals.instance;
    const rows = tableRows(many, 'instance', table);
    expect(rows).toHaveLength(501);
    expect(rows.at(-1)).toMatchObject({ name: 'kid[500]', count: 0, total: 0, slowest: -1 });
  });

  it('sorts by every column, names by their numbers, and rows without a value last', () => {
    const rows = tableRows(trace, 'instance', totals.instance);
    const names = (...sort: [Parameters<typeof sortedRows>[1], Parameters<typeof sortedRows>[2]]) =>
      sortedRows(rows, ...sort).map(({ name }) => name);
    expect(names('total', 'descending')).toEqual(['lead', 'kid[2]', 'kid[1]', 'low[1]']);
    expect(names('total', 'ascending')).toEqual(['low[1]', 'kid[1]', 'kid[2]', 'lead']);
    expect(names('own', 'descending')).toEqual(['kid[1]', 'lead', 'kid[2]', 'low[1]']);
    const ten = rows.map((row, i) => ({ ...row, name: `kid[${10 - i * 3}]`, usage: i === 0 ? undefined : row.usage }));
    expect(sortedRows(ten, 'name', 'ascending').map(({ name }) => name)).toEqual([
      'kid[1]',
      'kid[4]',
      'kid[7]',
      'kid[10]',
    ]);
    expect(sortedRows(ten, 'input', 'descending').at(-1)?.name).toBe('kid[10]');
    expect(sortedRows(ten, 'input', 'ascending').at(-1)?.name).toBe('kid[10]');
  });
});

describe('before the first step', () => {
  it('is divided into waiting for a worker, setups and the rest', () => {
    const setup = (step: string, what: 'server' | 'code') => ({
      kind: 'setup.started' as const,
      path: 'lead' as never,
      step: step as never,
      what,
      name: what,
    });
    const done = (step: string) => ({ kind: 'setup.ended' as const, path: 'lead' as never, step: step as never });
    const run = fold(
      log(
        [0, begin],
        [5, queued('lead')],
        [5, setup('lead#s1', 'code')],
        [20, done('lead#s1')],
        [20, setup('lead#s2', 'server')],
        [25, setup('lead#s3', 'server')],
        [60, done('lead#s2')],
        [80, done('lead#s3')],
        [85, started('lead')],
        [90, modelOn('lead', 1)],
        [99, modelOff('lead', 1)],
        [100, ended('lead')],
      ),
    );
    expect(runStart(run, (run.origin ?? 0) - 40, 100_000)).toEqual({
      firstStep: 90_000,
      phases: { worker: 40_000, code: 15_000, server: 60_000, text: 0, hook: 0, other: 15_000 },
    });
  });

  it('goes on while there is no step, and adds up', () => {
    const run = fold(log([0, begin], [10, queued('lead')]));
    expect(runStart(run, undefined, 30_000)).toMatchObject({ firstStep: undefined, phases: { other: 30_000 } });
    const tool = fold(log([0, begin], [0, queued('lead')], [10, started('lead')], [12, toolOn('lead', 1)]));
    expect(runStart(tool, undefined, 30_000)).toMatchObject({ firstStep: 12_000, phases: { other: 12_000 } });
  });
});
