import { expect, test } from 'vitest';
import type { RunEvent } from '@/lib/runtime/record/events';
import { chainOf, fakeHooks, textResult } from '@/lib/testing/fake-hooks';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';
import { recordedCall } from './recorded-call';

async function callEvents(hooks: readonly string[]): Promise<readonly RunEvent[]> {
  const run = await runGraph({
    parsed: graphOf('lead', { cards: { lead: chainOf(...hooks) } }),
    hooks: fakeHooks({
      mark: { around: async (_, args, next) => ({ ...(await next(args)), ...textResult('marked') }) },
    }),
    model: scriptedModel({ lead: [{ calls: [{ tool: 'box__work', arguments: { x: 1 } }] }, 'end'] }),
    tools: { mcp: fakeTools({ box__work: () => 'worked' }) },
  });
  return run.log.filter((event) => event.kind.startsWith('tool.'));
}

test('a call has the answer of its tool as it was before hooks saw it', async () => {
  const hooked = recordedCall(await callEvents(['mark']));
  expect(hooked).toMatchObject({ tool: 'box__work', source: 'mcp', arguments: { x: 1 }, result: textResult('worked') });
  expect(recordedCall(await callEvents([]))?.result).toEqual(textResult('worked'));
});

test('a call that has not ended has no result, and another event is no call', async () => {
  const [started, ended] = await callEvents([]);
  expect(started && recordedCall([started])).toMatchObject({ tool: 'box__work' });
  expect(started && 'result' in (recordedCall([started]) ?? {})).toBe(false);
  expect(ended && recordedCall([ended])).toBeUndefined();
  expect(recordedCall([])).toBeUndefined();
});
