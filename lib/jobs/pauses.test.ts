import { expect, test } from 'vitest';
import { fakeClock } from '@/lib/testing/fake-clock';
import { graphOf } from '@/lib/testing/graph-of';
import { hookEntries } from '@/lib/testing/hook-entries';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';
import { createPauses } from './pauses';

/** Counts how often the event loop turns, until `stop`. */
function countTurns() {
  const seen = { turns: 0, isStopped: false };
  const turn = () => {
    seen.turns += 1;
    if (!seen.isStopped) setImmediate(turn);
  };
  setImmediate(turn);
  return seen;
}

test('a run of many calls that wait for nothing gives the thread back between them, and ends the same', async () => {
  let ms = 0;
  const pause = createPauses(() => {
    ms += 10;
    return ms;
  });
  const calls = Array.from({ length: 600 }, (_, index) => ({
    tool: 'set_state',
    arguments: { key: 'k', value: index },
  }));
  const settings = { run_hooks: hookEntries([{ log: {} }]), runtime_tools: { state: true } };
  const input = () => ({ parsed: graphOf('lead', { settings }), model: scriptedModel({ lead: [{ calls }, 'end'] }) });
  const without = await runGraph(input());
  const seen = countTurns();
  // Nothing of the run sleeps, so the clock has nothing to do but to wait for it.
  const clock = { ...fakeClock(), runUntil: <T>(work: Promise<T>) => work };
  const { log } = await runGraph({ ...input(), clock, replace: (ports) => ({ ...ports, pause }) });
  seen.isStopped = true;
  // The clock of the test is 10 ms later at each look, so each fifth call finds that 50 ms are over.
  expect(seen.turns).toBeGreaterThanOrEqual(100);
  const ended = (events: typeof log) => events.filter(({ kind }) => kind === 'tool.ended' || kind === 'state.changed');
  expect(ended(log).map(({ seq: _, at: __, ...event }) => event)).toEqual(
    ended(without.log).map(({ seq: _, at: __, ...event }) => event),
  );
});

test('whoever asks while a pause is under way waits for the same one, in order', async () => {
  let ms = 0;
  const pause = createPauses(() => ms);
  expect(pause()).toBeUndefined();
  ms = 50;
  const first = pause();
  expect(first).toBeInstanceOf(Promise);
  expect(pause()).toBe(first);
  await first;
  expect(pause()).toBeUndefined();
});
