import { expect, it } from 'vitest';
import type { CallTarget } from '@/lib/editor/last-calls';
import { eventsOf } from '@/lib/testing/events-of';
import { begin, fold, hookOn, log, queued, started, toolOn } from '@/lib/testing/trace-log';
import { callName, countWords, lineSeq } from './call-words';

it('says how many calls there are, and what became of them', () => {
  const newest = [] as const;
  expect(countWords({ count: 0, failed: 0, running: 0, newest })).toBe('no call');
  expect(countWords({ count: 1, failed: 0, running: 1, newest })).toBe('1 call · 1 running');
  expect(countWords({ count: 1_234, failed: 2, running: 0, newest })).toMatch(/^1.2\d*.* calls · 2 failed$/);
});

it('names a call of a wire by the instances that it began, and a refused one by its tool', () => {
  const wire: CallTarget = { kind: 'wire', from: 'lead', to: 'kid', toolName: 'agent__kid' };
  const begun = fold(eventsOf('lead 0-90', 'kid[1] 10-40'));
  const span = begun.lanes[1]?.parentSpan ?? -1;
  expect(callName(begun, wire, span)).toBe('kid[1]');
  const refused = fold(
    log([0, begin], [0, queued('lead')], [0, started('lead')], [1, toolOn('lead', 1, 'agent__kid', 'agent')]),
  );
  expect(callName(refused, wire, refused.spans.length - 1)).toBe('agent__kid');
});

it('names a hook by the call that it wraps, and shows what it did once it has ended', () => {
  const hook: CallTarget = { kind: 'hook', agent: 'lead', hook: 'hooks.py:h9', phase: 'around', nth: 0, alike: 1 };
  const trace = fold(
    log(
      [0, begin],
      [0, queued('lead')],
      [0, started('lead')],
      [1, toolOn('lead', 1, 'add')],
      [2, hookOn('lead', 9, 'around', 'lead#t1')],
    ),
  );
  const span = trace.spans.length - 1;
  expect(callName(trace, hook, span)).toBe('add');
  expect(lineSeq(trace, span)).toBe(0);
});
