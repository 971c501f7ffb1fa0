import { describe, expect, it } from 'vitest';
import { isRecord, type Json } from '@/lib/base/json';
import type { AgentCard, ToolHookPhase } from '@/lib/cards/card';
import { fakeClock } from '@/lib/testing/fake-clock';
import { type FakeHook, fakeHooks, hookRef } from '@/lib/testing/fake-hooks';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';

function phases(...names: readonly ToolHookPhase[]): Partial<AgentCard> {
  return { toolHooks: { form: 'phases', phases: Object.fromEntries(names.map((name) => [name, hookRef('any')])) } };
}

const lifecycle: Partial<AgentCard> = { lifecycleHooks: { on_start: hookRef('any'), on_shutdown: hookRef('any') } };
const kid = { tool: 'agent__kid', arguments: { text: 'x' } };
const nothing: FakeHook = { phase: () => undefined };

describe('the end of a turn', () => {
  it('after_turn_complete runs once when the turn ended in error, and the error stays', async () => {
    const complete: Json[] = [];
    const hooks = fakeHooks({
      any: {
        phase({ isTurnComplete }) {
          complete.push(isTurnComplete ?? null);
          return { message: { role: 'assistant', content: [{ type: 'text', text: 'All is well.' }] } };
        },
      },
    });
    const { outcome } = await runGraph({
      parsed: graphOf('lead', { cards: { lead: phases('after_turn_complete') } }),
      hooks,
      model: scriptedModel({ lead: { error: { code: 'model_down', message: 'Down.' } } }),
    });
    expect(complete).toEqual([true]);
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'model_down', message: 'Down.' } });
  });

  it('after_turn_complete and on_shutdown do not run for an instance that timed out or was stopped', async () => {
    const cards = { kid: { ...phases('after_turn_complete'), ...lifecycle } };
    const slow = () => {
      const clock = fakeClock();
      const model = scriptedModel({ lead: [{ calls: [kid] }, 'end'], kid: { text: 'late', delayMs: 9_000 } }, clock);
      return { clock, model, hooks: fakeHooks({ any: nothing }) };
    };
    const late = slow();
    const settings = { delegations: { lead: { kid: { timeout_ms: 100 } } } };
    await runGraph({ parsed: graphOf('lead > kid', { cards, settings }), ...late });
    expect(late.hooks.ran).toEqual(['any on_start']);

    const stopped = slow();
    const stop = new AbortController();
    void stopped.clock.sleep(50).then(() => stop.abort());
    await runGraph({ parsed: graphOf('lead > kid', { cards }), ...stopped, signal: stop.signal });
    expect(stopped.hooks.ran).toEqual(['any on_start']);
  });

  it('an answer that after_turn_complete empties is (No response)', async () => {
    const { outcome } = await runGraph({
      parsed: graphOf('lead', { cards: { lead: phases('after_turn_complete') } }),
      hooks: fakeHooks({ any: { phase: () => ({ message: { role: 'assistant', content: [] } }) } }),
      model: scriptedModel({ lead: 'said' }),
    });
    expect(outcome.answer).toBe('(No response)');
  });

  it("trim_tool_history gives way to the card's own after_turn_complete", async () => {
    const second = async (card: Partial<AgentCard>) => {
      const model = scriptedModel({
        lead: [{ calls: [kid] }, { calls: [kid] }, 'end'],
        kid: ({ turn, instanceName }) =>
          instanceName === 'kid[1]' && turn < 3 ? { calls: [{ tool: 'box__work' }] } : 'done',
      });
      await runGraph({
        parsed: graphOf('lead > kid', {
          cards: { kid: { trimToolHistory: true, ...card } },
          settings: { delegations: { lead: { kid: { session: 'reuse' } } } },
        }),
        hooks: fakeHooks({ any: nothing }),
        model,
        tools: { mcp: fakeTools({ box__work: () => 'worked' }) },
      });
      return model.requests.find(({ instanceName }) => instanceName === 'kid[2]')?.messages.length;
    };
    // The message, two calls with their results and the answer, then its own message; one call is trimmed.
    expect([await second(phases('after_turn_complete')), await second({})]).toEqual([7, 5]);
  });
});

describe('phases of a batch and of a child', () => {
  it('before_tool_call sees all calls and after_tool_call all results, in call order, once', async () => {
    const seen: Json[] = [];
    const hooks = fakeHooks({
      any: {
        phase({ message }, phase) {
          const { toolCalls, results } = isRecord(message) ? message : {};
          const list = Array.isArray(toolCalls) ? toolCalls : Array.isArray(results) ? results : [];
          seen.push([phase, list.map((entry) => (isRecord(entry) ? ((entry.id ?? entry.callId) as Json) : null))]);
          return undefined;
        },
      },
    });
    const clock = fakeClock();
    const tools = fakeTools({
      box__slow: () => clock.sleep(50).then(() => 'slow'),
      box__fast: () => 'fast',
    });
    const calls = [
      { tool: 'box__slow', id: 'one' },
      { tool: 'box__fast', id: 'two' },
      { ...kid, id: 'three' },
    ];
    await runGraph({
      parsed: graphOf('lead > kid', { cards: { lead: phases('before_tool_call', 'after_tool_call') } }),
      hooks,
      model: scriptedModel({ lead: [{ calls }, 'end'], kid: 'hi' }, clock),
      tools: { mcp: tools },
      clock,
    });
    expect(seen).toEqual([
      ['before_tool_call', ['one', 'two', 'three']],
      ['after_tool_call', ['one', 'two', 'three']],
    ]);
  });

  it("a child's hooks run when its parent calls it, and are told of the instance", async () => {
    const told: Json[] = [];
    const hooks = fakeHooks({
      any: {
        phase({ agentName, instanceName, correlationId }, phase) {
          told.push([phase, agentName ?? null, instanceName ?? null, correlationId ?? null]);
          return undefined;
        },
      },
    });
    await runGraph({
      parsed: graphOf('lead > kid', { cards: { kid: phases('before_llm_call', 'after_turn_complete') } }),
      hooks,
      model: scriptedModel({ lead: [{ calls: [kid, kid] }, 'end'], kid: 'hi' }),
    });
    expect([...told].sort()).toEqual([
      ['after_turn_complete', 'kid[1]', 'kid[1]', 'c1'],
      ['after_turn_complete', 'kid[2]', 'kid[2]', 'c2'],
      ['before_llm_call', 'kid[1]', 'kid[1]', 'c1'],
      ['before_llm_call', 'kid[2]', 'kid[2]', 'c2'],
    ]);
  });
});
