import { expect, it } from 'vitest';
import { begin, decided, ended, fold, log, queued, started, toolOff, toolOn } from '@/lib/testing/trace-log';
import { decisionAt } from './decision-at';
import { callsAround, decisionsOf } from './decisions';
import { historyRows } from './history';
import { spanName } from './trace';

const route = (agent: string) =>
  ({ what: 'route', agent, confidence: 'high', reasoning: 'An invoice.', candidates: ['sales', 'billing'] }) as const;

const trace = fold(
  log(
    [0, begin],
    [0, queued('desk')],
    [0, started('desk')],
    [10, decided('desk', 1, route('billing'))],
    [11, toolOn('desk', 1, 'agent__billing', 'agent')],
    [11, queued('desk/billing[1]', 'desk#t1')],
    [12, started('desk/billing[1]')],
    [20, ended('desk/billing[1]')],
    [20, toolOff('desk', 1)],
    [30, decided('desk', 2, route('sales'))],
    [31, toolOn('desk', 2, 'agent__sales', 'agent')],
    [31, queued('desk/sales[1]', 'desk#t2')],
  ),
);
const [desk] = trace.lanes;
if (desk === undefined) throw new Error('No lane');

it('makes a span without duration of each decision, and finds its content', () => {
  expect(
    desk.decisions.map((span) => [spanName(trace, span), trace.spans.start.at(span), trace.spans.end.at(span)]),
  ).toEqual([
    ['Chose billing (confidence high)', 10_000, 10_000],
    ['Chose sales (confidence high)', 30_000, 30_000],
  ]);
  expect(decisionAt(trace, desk.decisions[1] ?? -1)).toMatchObject(route('sales'));
  expect(decisionAt(trace, desk.span)).toBeUndefined();
});

it('counts only decisions up to a moment, the moment itself included', () => {
  const at = (ms: number) => decisionsOf(trace, desk, ms * 1000).length;
  expect([at(9), at(10), at(29), at(30)]).toEqual([0, 1, 1, 2]);
});

it('says what was called next to a decision, up to the decisions beside it', () => {
  const all = decisionsOf(trace, desk);
  const names = all.map(({ seq }) => {
    const { before, after } = callsAround(trace, desk, all, seq);
    return [before.map((lane) => lane.instanceName), after.map((lane) => lane.instanceName)];
  });
  expect(names).toEqual([
    [[], ['billing[1]']],
    [['billing[1]'], ['sales[1]']],
  ]);
});

it('stands in the history between the calls, with its reason below it where that is asked for', () => {
  const [first = -1] = desk.decisions;
  const kinds = historyRows(trace, [0], new Set(), new Set([first])).map(({ kind }) => kind);
  expect(kinds).toEqual(['group', 'decision', 'reason', 'call', 'result', 'decision', 'call']);
  expect(historyRows(trace, [0], new Set([0]))).toEqual([{ kind: 'group', lane: 0, calls: 2, decisions: 2 }]);
});

it('keeps a decision of an instance that no event announced', () => {
  const odd = fold(log([0, begin], [5, decided('ghost', 1, route('billing'))]));
  expect(odd.lanes.map(({ path, decisions }) => [path, decisions.length])).toEqual([['ghost', 1]]);
});
