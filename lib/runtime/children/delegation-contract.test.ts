import { describe, expect, it } from 'vitest';
import { fakeClock } from '@/lib/testing/fake-clock';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { runCalls } from '@/lib/testing/run-calls';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';

const kid = (text = 'x') => ({ tool: 'agent__kid', arguments: { text } });

describe('what holds for every delegation', () => {
  it('the parent waits: the result of the call is the answer, never a promise of one', async () => {
    const { model, clock } = await runCalls('lead > kid', [kid()], {
      scripts: { kid: { text: 'late', delayMs: 900 } },
    });
    const last = model.requests.at(-1)?.messages.at(-1);
    expect(last).toMatchObject({
      role: 'tool',
      results: [{ result: { content: [{ text: 'late' }], isError: false } }],
    });
    expect(clock.now()).toBe(900);
  });

  it('instances of one card share nothing: neither sees what the other said or wrote', async () => {
    const seen = new Map<string, unknown>();
    const tools = fakeTools({
      box__put: (_, { instanceName, state }) => {
        state.write('who', instanceName);
        return 'put';
      },
      box__see: (_, { instanceName, state }) => {
        seen.set(instanceName, state.values());
        return 'seen';
      },
    });
    const { model } = await runCalls('lead > kid', [kid('one'), kid('two')], {
      tools,
      scripts: { kid: [{ calls: [{ tool: 'box__put' }], delayMs: 5 }, { calls: [{ tool: 'box__see' }] }, 'k'] },
    });
    expect([...seen]).toEqual([
      ['kid[1]', { who: 'kid[1]' }],
      ['kid[2]', { who: 'kid[2]' }],
    ]);
    for (const name of ['one', 'two']) {
      const ours = model.requests.filter(({ messages }) => JSON.stringify(messages[0]).includes(`"${name}"`));
      expect(ours.map(({ messages }) => messages.length)).toEqual([1, 3, 5]);
    }
  });

  it('a delegation and a function tool differ in their source, and names are never parsed', async () => {
    const { sink } = await runCalls('lead > kid', [{ tool: 'time__now' }, { tool: 'agent__of__change' }], {
      tools: fakeTools({ agent__of__change: () => 'changed' }, { source: 'function' }),
      settings: { delegations: { lead: { kid: { tool_name: 'time__now' } } } },
    });
    expect(sink.of('tool.started').map(({ toolName, source }) => [toolName, source])).toEqual([
      ['time__now', 'agent'],
      ['agent__of__change', 'function'],
    ]);
    expect(sink.of('instance.queued')[1]).toMatchObject({ agentName: 'kid', callId: 'lead#m1.1' });
  });

  it('the model reads plain text; what is structured is beside it, and faults are results', async () => {
    const { results } = await runCalls('lead > kid, pal', [kid(), { tool: 'agent__pal' }], {
      scripts: {
        kid: '{"a":1}',
        pal: {
          message: {
            role: 'assistant',
            content: [
              { type: 'text', text: 'a' },
              { type: 'text', text: 'b' },
            ],
            toolCalls: [],
            stopReason: 'end_turn',
          },
        },
      },
      settings: { delegations: { lead: { kid: { output_schema: { type: 'object' } } } } },
    });
    expect(results).toEqual([
      { content: [{ type: 'text', text: '{"a":1}' }], isError: false, structuredContent: { a: 1 } },
      { content: [{ type: 'text', text: 'a\nb' }], isError: false },
    ]);
  });

  it('a name that a server reveals only now is known at the next step, and said once', async () => {
    const clock = fakeClock();
    const tools = fakeTools({
      box__grow: () => {
        tools.add('agent__kid', () => 'I am a tool');
        return 'grown';
      },
    });
    const model = scriptedModel(
      { lead: [{ calls: [{ tool: 'box__grow' }] }, { calls: [kid()] }, { calls: [kid()] }, 'end'] },
      clock,
    );
    const { sink } = await runGraph({ parsed: graphOf('lead > kid'), model, tools: { mcp: tools }, clock });
    expect(sink.of('tool.started').map(({ toolName, source }) => `${toolName} ${source}`)).toEqual([
      'box__grow mcp',
      'agent__kid mcp',
      'agent__kid mcp',
    ]);
    expect(sink.of('log').map(({ code }) => code)).toEqual(['tool_name_clash']);
  });

  it('usage is kept per instance and summed by the reader', async () => {
    const { sink } = await runCalls('lead > kid', [kid(), kid()]);
    const used = sink.of('instance.ended').map(({ path, usage }) => [path, usage.modelCalls]);
    expect(used).toEqual([
      ['lead/kid[1]', 1],
      ['lead/kid[2]', 1],
      ['lead', 2],
    ]);
  });
});
