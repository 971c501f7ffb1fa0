import { describe, expect, it } from 'vitest';
import { textOf } from '@/lib/runtime/record/messages';
import { fakeTools } from '@/lib/testing/fake-tools';
import { hookEntries } from '@/lib/testing/hook-entries';
import { runCalls } from '@/lib/testing/run-calls';

const hooksOfLead = (hooks: readonly object[]) => ({ agent_hooks: { lead: hookEntries(hooks) } });

describe('a tool that the model calls by another name', () => {
  it.each(['agent__kid', 'AGENT__KID', 'kid', ' agent__kid', 'agent__kid<|channel|>commentary'])(
    'is blocked as the child that it is: %s',
    async (tool) => {
      const hook = { block: { when: { tool: 'agent__kid' } } };
      const { results, inputs, sink } = await runCalls('lead > kid', [{ tool }], { settings: hooksOfLead([hook]) });
      expect(results.map(({ errorCode }) => errorCode)).toEqual(['NOT_ALLOWED']);
      expect(inputs).toEqual([]);
      expect(sink.of('tool.started').map(({ toolName }) => toolName)).toEqual(['agent__kid']);
    },
  );

  it.each(['box__pay', 'Box__Pay', 'BOX__PAY'])(
    'meets the hooks on its arguments, and the record hides the same: %s',
    async (tool) => {
      const tools = fakeTools({ box__pay: ({ amount }) => `paid ${amount}` });
      const settings = hooksOfLead([
        { clamp: { argument: 'amount', max: 10, when: { tool: 'box__pay' } } },
        { redact: { keys: ['pin'], in: 'arguments', when: { tool: 'box__pay' } } },
      ]);
      const call = { tool, arguments: { amount: 99, pin: '4711' } };
      const { sink } = await runCalls('lead', [call], { settings, tools });
      expect(tools.calls.map(({ name, args }) => [name, args])).toEqual([
        ['box__pay', { amount: 10, pin: '[redacted]' }],
      ]);
      expect(JSON.stringify(sink.of('tool.started'))).not.toContain('4711');
    },
  );

  it('shares the limit and the cache of the tool', async () => {
    const limited = fakeTools({ box__pay: () => 'paid' });
    const limit = { rate_limit: { calls: 1, per_ms: 60_000, on_limit: 'refuse', when: { tool: 'box__pay' } } };
    const calls = [{ tool: 'box__pay' }, { tool: 'Box__Pay' }];
    const run = await runCalls('lead', calls, { settings: hooksOfLead([limit]), tools: limited });
    expect(run.results.filter(({ isError }) => isError)).toHaveLength(1);
    const cached = fakeTools({ box__pay: () => 'paid' });
    await runCalls('lead', [], {
      settings: hooksOfLead([{ cache: {} }]),
      tools: cached,
      scripts: { lead: [{ calls: [{ tool: 'box__pay' }] }, { calls: [{ tool: 'BOX__pay' }] }, 'end'] },
    });
    expect(cached.calls).toHaveLength(1);
  });

  it('is the same barrier', async () => {
    const calls = [
      { tool: 'SET_STATE', arguments: { key: 'x', value: 1 } },
      { tool: 'Get_State', arguments: { key: 'x' } },
    ];
    const { results } = await runCalls('lead', calls, { settings: { runtime_tools: { state: true } } });
    expect(results.map(({ content }) => textOf(content))).toEqual(["Set 'x'.", '1']);
  });

  it('is blocked as an agent also when worker_call calls it', async () => {
    const calls = [{ tool: 'Worker_Call', arguments: { worker: 'kid', input_data: 'hi' } }];
    const toolsets = { lead: { delegation: { allow_workers: ['kid'] } } };
    for (const tool of ['agent__kid', 'worker_call']) {
      const settings = { ...hooksOfLead([{ block: { when: { tool } } }]), entry: 'lead', toolsets };
      const { results, inputs } = await runCalls('lead; kid', calls, { settings });
      expect(results.map(({ errorCode }) => errorCode)).toEqual(['NOT_ALLOWED']);
      expect(inputs).toEqual([]);
    }
  });

  it('is in the conversation under its own name, and the log says what the model wrote', async () => {
    const { model, sink } = await runCalls('lead > kid', [{ tool: 'AGENT__KID' }]);
    const asked = JSON.stringify(model.requests.at(-1)?.messages);
    expect(asked).toContain('agent__kid');
    expect(asked).not.toContain('AGENT__KID');
    expect(sink.of('log').map(({ message }) => message)).toContain(
      "The model wrote 'AGENT__KID' for the tool 'agent__kid'.",
    );
  });

  it('stays unknown where two tools have that name in another case', async () => {
    const tools = fakeTools({ box__pay: () => 'one', Box__pay: () => 'two' });
    const { results } = await runCalls('lead', [{ tool: 'BOX__PAY' }, { tool: 'Box__pay' }], { tools });
    expect(results.map(({ errorCode, content }) => errorCode ?? content)).toEqual([
      'UNKNOWN_TOOL',
      [{ type: 'text', text: 'two' }],
    ]);
  });
});
