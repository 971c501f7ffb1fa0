import { expect, test } from 'vitest';
import type { RunEvent } from '@/lib/runtime/record/events';
import { fakeHooks, hookRef } from '@/lib/testing/fake-hooks';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';

/** Its hook asks for longer answers and fewer rounds after the first model call. */
async function run(log: readonly RunEvent[] = []) {
  let calls = 0;
  const hooks = fakeHooks({
    ask: {
      phase: () => {
        calls += 1;
        return calls === 1 ? { runner: { request_params: { max_tokens: 20, max_iterations: 1 } } } : undefined;
      },
    },
  });
  const model = scriptedModel({ lead: () => ({ text: 'so far', calls: [{ tool: 'box__work' }] }) });
  const toolHooks = { form: 'phases' as const, phases: { after_llm_call: hookRef('ask') } };
  const parsed = graphOf('lead', { cards: { lead: { toolHooks, requestParams: { max_tokens: 9, top_p: 1 } } } });
  const done = await runGraph({ parsed, model, hooks, log, tools: { mcp: fakeTools({ box__work: () => 'worked' }) } });
  return { ...done, asked: model.requests.map(({ requestParams }) => requestParams) };
}

test('request_params that a phase hook sets hold to the end of the turn, also in a run that goes on from its log', async () => {
  const changed = { max_tokens: 20, top_p: 1, max_iterations: 1 };
  const whole = await run();
  expect(whole.asked).toEqual([{ max_tokens: 9, top_p: 1 }, changed]);
  // As with max_iterations in the card: one more model call, and what was said is the answer.
  expect(whole.outcome).toMatchObject({ status: 'completed', answer: 'so far' });
  const end = whole.log.findIndex(({ kind }) => kind === 'hook.ended') + 1;
  const second = await run(whole.log.slice(0, end));
  expect(second.asked).toEqual([changed]);
  expect(second.outcome).toEqual(whole.outcome);
});
