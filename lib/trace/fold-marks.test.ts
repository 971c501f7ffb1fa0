import { describe, expect, it } from 'vitest';
import { brandAs } from '@/lib/base/ids';
import {
  artifact,
  begin,
  ended,
  finish,
  fold,
  hookOff,
  hookOn,
  log,
  queued,
  started,
  stateChange,
  toolOff,
  toolOn,
} from '@/lib/testing/trace-log';
import { layoutRows, NO_LANE } from './lanes';

describe('marks of a run', () => {
  it('nests hooks, and says which stopped the call or changed it', () => {
    const trace = fold(
      log(
        [0, begin],
        [0, queued('lead')],
        [0, started('lead')],
        [1, toolOn('lead', 1)],
        [1, hookOn('lead', 1, 'around', 'lead#t1')],
        [2, hookOn('lead', 2, 'around', 'lead#t1')],
        [3, hookOff('lead', 2, false)],
        [4, hookOff('lead', 1, true, true)],
        [5, toolOff('lead', 1)],
        [6, hookOn('lead', 3, 'before_llm_call')],
        [7, hookOff('lead', 3, false)],
      ),
    );
    const { spans } = trace;
    const hooks = [2, 3, 4].map((i) => [
      spans.slot.at(i),
      spans.parent.at(i),
      spans.has(i, 'stopped'),
      spans.has(i, 'changed'),
    ]);
    expect(hooks).toEqual([
      [0, 1, false, true],
      [1, 1, true, false],
      [0, 0, false, false],
    ]);
    expect(trace.lanes[0]?.hookSlots).toBe(2);
  });

  it('shows an instance whose writes were refused as failed', () => {
    const change = { ...stateChange('lead', 1, 'lead/kid[1]'), outcome: 'refused' as const };
    const trace = fold(
      log(
        [0, begin],
        [0, queued('lead')],
        [0, started('lead')],
        [1, queued('lead/kid[1]')],
        [1, started('lead/kid[1]')],
        [2, ended('lead/kid[1]')],
        [2, change],
      ),
    );
    const [, kid] = trace.lanes;
    expect([kid?.status, kid?.errors, kid?.error?.code]).toEqual(['error', 1, 'state_refused']);
    expect(trace.spans.statusOf(kid?.span ?? -1)).toBe('error');
  });

  it('tells answers from before and calls that were turned away', () => {
    const cached = { ...ended('lead/kid[1]'), cached: true as const };
    const refused = { ...ended('lead/kid[2]'), status: 'failed' as const };
    const unknown = toolOff('lead', 3, true);
    if (unknown.kind !== 'tool.ended') throw new Error('a tool ends with tool.ended');
    const result = { ...unknown.result, errorCode: 'UNKNOWN_TOOL' as const };
    const trace = fold(
      log(
        [0, begin],
        [0, queued('lead')],
        [0, started('lead')],
        [1, toolOn('lead', 1, 'agent__kid', 'agent')],
        [1, queued('lead/kid[1]', 'lead#t1')],
        [1, cached],
        [1, toolOn('lead', 2, 'agent__kid', 'agent')],
        [1, queued('lead/kid[2]', 'lead#t2')],
        [1, refused],
        [1, toolOn('lead', 3, 'nope')],
        [1, { ...unknown, result }],
      ),
    );
    const flags = Array.from({ length: trace.spans.length }, (_, i) => trace.spans.flags.at(i));
    expect(flags).toEqual([0, 0, 1, 0, 2, 2]);
    expect(trace.lanes[1]?.cached).toBe(true);
  });

  it('remembers attempts, sessions, state and artifacts with who wrote them', () => {
    const again = queued('lead/kid[1.2]', 'lead#t1');
    if (again.kind !== 'instance.queued') throw new Error('an instance is queued with instance.queued');
    const trace = fold(
      log(
        [0, begin],
        [0, queued('lead')],
        [0, { ...again, attempt: 2, forwarded: false }],
        [
          1,
          {
            kind: 'session.opened',
            path: brandAs('lead/kid[1.2]'),
            step: brandAs('lead#t1'),
            sessionId: 's1',
            owner: 'lead',
            mode: 'addressed',
            version: 1,
          },
        ],
        [2, stateChange('lead', 1, 'lead/kid[1.2]')],
        [3, artifact('lead/kid[1.2]', 1)],
        [
          4,
          {
            kind: 'session.saved',
            path: brandAs('lead/kid[1.2]'),
            step: brandAs('lead#t1'),
            sessionId: 's1',
            version: 2,
            kept: 0,
            messages: [],
            state: {},
            activeGroups: [],
          },
        ],
      ),
    );
    expect(trace.lanes[1]).toMatchObject({
      attempt: 2,
      forwarded: false,
      session: { id: 's1', mode: 'addressed', version: 1, saved: 2 },
    });
    expect(trace.notes).toMatchObject([
      { kind: 'state', lane: 0, from: 1, outcome: 'committed', at: 2000 },
      { kind: 'artifact', lane: 1, name: 'report.md', version: 1, bytes: 5 },
    ]);
  });

  it('folds the children beyond the first few into a count', () => {
    const few = { ...started('lead'), maxDisplayInstances: 2 };
    const kids = [1, 2, 3, 4, 5].map((n) => [n, queued(`lead/kid[${n}]`, `lead#t${n}`)] as const);
    const trace = fold(log([0, begin], [0, queued('lead')], [0, few], ...kids, [9, finish]));
    const folded = layoutRows(trace, new Set(), new Set());
    expect([...folded.lanes]).toEqual([0, 1, 2, NO_LANE]);
    expect(folded.counts.get(3)).toEqual({ parent: 0, hidden: 3, failed: 0, unfolded: false });
    const open = layoutRows(trace, new Set(), new Set([0]));
    expect([...open.lanes]).toEqual([0, 1, 2, 3, 4, 5, NO_LANE]);
    expect([...layoutRows(trace, new Set([0]), new Set()).lanes]).toEqual([0]);
  });
});
