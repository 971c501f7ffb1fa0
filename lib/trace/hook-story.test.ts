import { describe, expect, it } from 'vitest';
import type { RunEvent } from '@/lib/runtime/record/events';
import { begin, fold, hookOff, hookOn, log, queued, started, toolOff, toolOn } from '@/lib/testing/trace-log';
import { historyRows } from './history';
import { hookLine, hookOwnTime, reachedTool, receivedArguments } from './hook-story';
import { hooksAround } from './hooks-around';

type HookEnd = Extract<RunEvent, { kind: 'hook.ended' }>;

const end = (step: string, changes: HookEnd['changes'], more: Partial<HookEnd> = {}): HookEnd =>
  ({ seq: 1, at: 0, kind: 'hook.ended', path: 'lead', step, calledNext: true, changes, ...more }) as unknown as HookEnd;

describe('the hooks of a call', () => {
  const trace = fold(
    log(
      [0, begin],
      [0, queued('lead')],
      [0, started('lead')],
      [10, toolOn('lead', 1)],
      [10, toolOn('lead', 2)],
      [11, hookOn('lead', 1, 'around', 'lead#t1')],
      [12, hookOn('lead', 2, 'around', 'lead#t2')],
      [14, hookOn('lead', 3, 'around', 'lead#t1')],
      [20, hookOff('lead', 3, true, true, { afterMs: 1, ms: 4 })],
      [22, hookOff('lead', 2, false)],
      [30, hookOff('lead', 1)],
      [31, toolOff('lead', 1)],
      [32, toolOff('lead', 2)],
    ),
  );

  it('are those that wrap it, outermost first, each with its own time', () => {
    const hooks = hooksAround(trace, 1);
    expect(hooks.map((hook) => trace.strings[trace.spans.name.at(hook)])).toEqual(['hooks.py:h1', 'hooks.py:h3']);
    expect(hooks.map((hook) => hookOwnTime(trace, hook, 0))).toEqual([undefined, 2_000]);
    expect(hooksAround(trace, 2).map((hook) => hookOwnTime(trace, hook, 0))).toEqual([10_000]);
  });

  it('stand between the call and its result in the history if they did something', () => {
    const rows = historyRows(trace, [0], new Set());
    expect(rows.map(({ kind, ...row }) => [kind, 'seq' in row ? row.seq : undefined])).toEqual([
      ['group', undefined],
      ['call', 4],
      ['hook', 9],
      ['result', 12],
      ['call', 5],
      ['hook', 10],
      ['result', 13],
    ]);
  });
});

describe('the arguments that a tool received', () => {
  const change = (before: object, after: object) => ({ what: 'arguments', before, after }) as never;

  it('are the asked ones with the changes of each hook', () => {
    const hooks = [
      end('t1.h1', [change({ x: 99 }, { x: 10 })]),
      end('t1.h2', [change({ y: 1 }, { z: 2 }), { what: 'result', before: null, after: 'x' }]),
    ];
    expect(receivedArguments({ x: 99, y: 1, kept: true }, hooks)).toEqual({ x: 10, z: 2, kept: true });
  });

  it('are unknown when a change was recorded as a cut text', () => {
    expect(
      receivedArguments({ x: 1 }, [end('t1.h1', [{ what: 'arguments', before: '{"x":1', after: '{"x":2' }])]),
    ).toBeUndefined();
  });
});

describe('the tool of a call', () => {
  it('was reached if the innermost hook that ran called the next one', () => {
    const stopped = end('lead#t1.h2', [], { calledNext: false });
    expect(reachedTool([end('lead#t1.h1', []), end('lead#t1.h2', [])])).toBe(true);
    expect(reachedTool([end('lead#t1.h1', []), stopped])).toBe(false);
    expect(reachedTool([end('lead#t1.h1', []), stopped, end('lead#t1.r2.h2', [])])).toBe(true);
  });
});

describe('the line of a hook', () => {
  it('says what changed', () => {
    const changes: HookEnd['changes'] = [
      { what: 'arguments', before: { x: 99 }, after: { x: 10 } },
      {
        what: 'result',
        before: { content: [{ type: 'text', text: 'a' }] },
        after: { content: [{ type: 'text', text: 'b' }] },
      },
    ];
    expect(hookLine(end('s', changes))).toBe('x: 99 → 10, result content[0].text: "a" → "b"');
    const many = Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`k${i}`, i]));
    expect(hookLine(end('s', [{ what: 'arguments', before: {}, after: many }]))).toMatch(
      /^k0: nothing → 0, .*, 3 more$/,
    );
  });

  it('says that a hook answered, failed, or did nothing', () => {
    const answer = { content: [{ type: 'text', text: 'mine' }], isError: false };
    expect(hookLine(end('s', [{ what: 'result', before: null, after: answer }], { calledNext: false }))).toBe(
      'answered "mine"',
    );
    expect(hookLine(end('s', [], { error: 'boom' }))).toBe('failed: boom');
    expect(hookLine(end('s', []))).toBe('no change');
    expect(hookLine(end('s', [], { calledNext: false }))).toBe('did not call next');
  });
});
