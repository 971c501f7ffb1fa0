import { expect, test } from 'vitest';
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
import { spanTitle } from '@/lib/trace/trace';
import { shownStatus, statusOf } from './span-status';
import { kindWord, spanNotes } from './span-words';

const trace = fold(
  log(
    [0, begin],
    [0, queued('lead')],
    [1, started('lead')],
    [2, modelOn('lead', 1, 2)],
    [3, modelOff('lead', 1)],
    [3, toolOn('lead', 1, 'time')],
    [4, toolOff('lead', 1, true)],
    [4, { ...toolOn('lead', 5, 'read'), serverName: 'files' } as never],
    [4, toolOn('lead', 2, 'add', 'function')],
    [4, toolOn('lead', 3, 'save', 'runtime')],
    [4, toolOn('lead', 4, 'agent__kid', 'agent')],
    [5, hookOn('lead', 1)],
    [6, hookOff('lead', 1, false, true)],
    [7, queued('lead/kid[1]')],
  ),
);
const spans = Array.from({ length: trace.spans.length }, (_, span) => span);
const words = (kind: string) =>
  spans.filter((span) => trace.spans.kindOf(span) === kind).map((span) => kindWord(trace, span));

test('each kind of span and each source of tools has its words', () => {
  expect([words('instance'), words('queued'), words('model'), words('hook')]).toEqual([
    ['Instance'],
    ['Waiting to begin', 'Waiting to begin'],
    ['Model call'],
    ['Hook around a call'],
  ]);
  expect(words('tool')).toEqual(['MCP tool', 'MCP tool on files', 'Function tool', 'Built-in tool', 'Delegation']);
});

test('an instance that waits is queued, one that runs is running, a call that took too long timed out', () => {
  const shown = (kind: string) =>
    spans.filter((span) => trace.spans.kindOf(span) === kind).map((span) => statusOf(trace, span));
  expect({ queued: shown('queued'), instance: shown('instance'), model: shown('model') }).toEqual({
    queued: ['completed', 'queued'],
    instance: ['running'],
    model: ['completed'],
  });
  expect(shown('tool')).toEqual(['timeout', 'running', 'running', 'running', 'running']);
});

test('a span says that a hook stopped its call or changed something, and which attempt it was', () => {
  const hook = spans.find((span) => trace.spans.kindOf(span) === 'hook') ?? -1;
  expect(spanNotes(trace, hook)).toEqual(['Did not call next', 'Made a change']);
  const model = spans.find((span) => trace.spans.kindOf(span) === 'model') ?? -1;
  expect([spanNotes(trace, model), spanTitle(trace, model)]).toEqual([[], expect.stringMatching(/ \(attempt 2\)$/)]);
});

test.each([
  ['open', 'running'],
  ['ok', 'completed'],
  ['error', 'failed'],
  ['interrupted', 'lost'],
  ['cancelled', 'cancelled'],
  ['timeout', 'timeout'],
] as const)('a span that is %s is shown as %s', (status, shown) => {
  expect(shownStatus(status)).toBe(shown);
});
