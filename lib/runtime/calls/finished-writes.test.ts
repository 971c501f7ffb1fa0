import { describe, expect, it } from 'vitest';
import type { RunEvent } from '@/lib/runtime/record/events';
import { checkLog } from '@/lib/testing/check-log';
import { fakeClock } from '@/lib/testing/fake-clock';
import { chainOf, fakeHooks } from '@/lib/testing/fake-hooks';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';

/** One batch: a slow call, a call that writes state and must wait for the slow one, and a plain call. */
async function run(log: readonly RunEvent[] = [], isHooked = false) {
  const clock = fakeClock();
  const scripts = {
    solo: [{ calls: ['box__slow', 'box__write', 'box__plain'].map((tool) => ({ tool, arguments: {} })) }, 'end'],
  };
  const tools = fakeTools({
    async box__slow(_args, { signal }) {
      await clock.sleep(100, signal);
      return 'slow';
    },
    box__write(_args, { state }) {
      state.write('k', state.values().k === undefined ? 'first' : 'again');
      return 'written';
    },
    box__plain: () => 'plain',
  });
  const parsed = graphOf('solo', isHooked ? { cards: { solo: chainOf('pass') } } : {});
  const hooks = fakeHooks({ pass: { around: async (_context, args, next) => next(args) } });
  const done = await runGraph({
    parsed,
    model: scriptedModel(scripts, clock),
    tools: { mcp: tools },
    hooks,
    clock,
    log,
  });
  return { ...done, called: tools.calls.map(({ name }) => name) };
}

function stateOf(log: readonly RunEvent[]) {
  return log.flatMap((event) => (event.kind === 'state.changed' ? [[event.outcome, event.delta]] : []));
}

describe('a finished call that waits for an earlier one before it commits its state', () => {
  for (const isHooked of [false, true]) {
    const title = isHooked ? ' inside hooks' : '';
    it(`is not run again by a resumed run${title}`, async () => {
      const whole = await run([], isHooked);
      const before = whole.log.filter(({ at }) => at < 100);
      expect(before.some((event) => event.kind === 'tool.returned' && event.step === 'solo#t2')).toBe(true);
      expect(hasEnded(before, 'solo#t2')).toBe(false);
      const next = await run(before, isHooked);
      expect(next.called).toEqual(['box__slow']);
      expect(next.outcome).toEqual(whole.outcome);
      expect(stateOf(next.log)).toEqual([['committed', { k: 'first' }]]);
      checkLog(next.log);
    });

    it(`commits once, wherever the log was cut${title}`, async () => {
      const whole = await run([], isHooked);
      for (let length = 0; length <= whole.log.length; length += 1) {
        const next = await run(whole.log.slice(0, length), isHooked);
        expect(next.outcome).toEqual(whole.outcome);
        expect(stateOf(next.log)).toEqual([['committed', { k: 'first' }]]);
        const returned = whole.log
          .slice(0, length)
          .some((event) => event.kind === 'tool.returned' && event.step === 'solo#t2');
        expect(next.called.includes('box__write')).toBe(!returned && !hasEnded(whole.log.slice(0, length), 'solo#t2'));
      }
    });
  }

  it('records nothing more for a call whose turn has come', async () => {
    const tools = fakeTools({
      box__write(_args, { state }) {
        state.write('k', 1);
        return 'written';
      },
    });
    const scripts = { solo: [{ calls: [{ tool: 'box__write', arguments: {} }] }, 'end'] };
    const done = await runGraph({ parsed: graphOf('solo'), model: scriptedModel(scripts), tools: { mcp: tools } });
    expect(done.sink.of('tool.returned')).toEqual([]);
  });
});

function hasEnded(log: readonly RunEvent[], step: string): boolean {
  return log.some((event) => event.kind === 'tool.ended' && event.step === step);
}
