import { describe, expect, it } from 'vitest';
import type { SampleRequest, ToolCallContext } from '@/lib/runtime/ports';
import type { RunEvent } from '@/lib/runtime/record/events';
import { textOf } from '@/lib/runtime/record/messages';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';

const question: SampleRequest = {
  model: undefined,
  instruction: 'Be short',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Why?' }] }],
  requestParams: { max_tokens: 7 },
};

async function ask(context: ToolCallContext, request = question): Promise<string> {
  const response = await context.sample?.(request);
  return response?.ok ? textOf(response.message.content) : `${response?.error.code}: ${response?.error.message}`;
}

/** Answers questions of tools by their instruction, and the agent's own calls in turn. */
const thinker = () =>
  scriptedModel({
    lead: (request) => {
      if (request.instruction === 'Be short') return 'Because';
      return request.messages.length === 1 ? { calls: [{ tool: 'own__think' }] } : 'done';
    },
  });

function steps(log: readonly RunEvent[]): readonly string[] {
  return log.flatMap((event) => (event.kind === 'model.ended' ? [event.step] : []));
}

describe('a tool that asks a model', () => {
  it('gets an answer, which is recorded and counted as a model call of its agent', async () => {
    const model = thinker();
    const tools = {
      mcp: fakeTools({ own__think: async (_, context) => `${await ask(context)} ${await ask(context)}` }),
    };
    const { outcome, log } = await runGraph({ parsed: graphOf('lead'), model, tools });
    expect(outcome).toMatchObject({ status: 'completed', answer: 'done' });
    expect(steps(log)).toEqual(['lead#m1', 'lead#t1.s1', 'lead#t1.s2', 'lead#m2']);
    expect(outcome.usage).toMatchObject({ inputTokens: 40, outputTokens: 20 });
    expect(log.find((event) => event.kind === 'instance.ended')).toMatchObject({ usage: { inputTokens: 40 } });
    expect(model.requests[1]).toMatchObject({
      instruction: 'Be short',
      model: 'test-model',
      tools: [],
      requestParams: { max_tokens: 7 },
    });
    const result = log.find((event) => event.kind === 'tool.ended');
    expect(result).toMatchObject({ result: { content: [{ text: 'Because Because' }] } });
  });

  it('has its tokens counted once when the run goes on from its log', async () => {
    const input = () => ({
      parsed: graphOf('lead'),
      model: thinker(),
      tools: { mcp: fakeTools({ own__think: (_, context) => ask(context) }) },
    });
    const whole = await runGraph(input());
    const end = whole.log.findIndex((event) => event.kind === 'tool.ended') + 1;
    const second = await runGraph({ ...input(), log: whole.log.slice(0, end) });
    expect(second.outcome).toEqual(whole.outcome);
    const endOf = (log: readonly RunEvent[]) => log.find((event) => event.kind === 'instance.ended');
    expect(endOf(second.log)).toMatchObject({ usage: { inputTokens: 30 } });
    expect(steps(second.log)).toEqual(steps(whole.log));
  });

  it('may name a model', async () => {
    const model = thinker();
    const tools = { mcp: fakeTools({ own__think: (_, context) => ask(context, { ...question, model: '$fast.one' }) }) };
    const config = { modelReferences: { fast: { one: 'cheap' } } };
    await runGraph({ parsed: graphOf('lead', { config }), model, tools });
    expect(model.requests.map((request) => request.model)).toEqual(['test-model', 'cheap', 'test-model']);
  });

  it('is refused in a scripted run', async () => {
    const tools = { mcp: fakeTools({ own__think: (_, context) => ask(context) }) };
    const parsed = graphOf('lead', { settings: { scripts: { lead: [{ turns: [{ text: 'hi' }] }] } } });
    const { log } = await runGraph({ parsed, model: thinker(), tools, request: { model: 'script' } });
    expect(log.find((event) => event.kind === 'tool.ended')).toMatchObject({
      result: {
        content: [{ text: 'model_scripted: The run is scripted: there is no model that could answer a server.' }],
      },
    });
  });

  it('is held to the limit of tokens', async () => {
    const tools = { mcp: fakeTools({ own__think: (_, context) => ask(context) }) };
    const parsed = graphOf('lead', { settings: { limits: { max_tokens: 15 } } });
    const { outcome, log } = await runGraph({ parsed, model: thinker(), tools });
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'max_tokens' } });
    expect(steps(log)).toEqual(['lead#m1']);
  });
});

describe('{{serverInstructions}}', () => {
  it('is what servers say about themselves, with their tools', async () => {
    const model = scriptedModel({ lead: ['hi'], other: ['hi'] });
    const mcp = {
      ...fakeTools({ time__now: () => 'noon', time__zone: () => 'UTC' }),
      instructions: () => Promise.resolve([{ serverName: 'time', text: 'Ask me.' }]),
    };
    const cards = { lead: { instruction: 'Servers:\n{{serverInstructions}}' } };
    await runGraph({ parsed: graphOf('lead', { cards }), model, tools: { mcp } });
    expect(model.requests[0]?.instruction).toBe(
      'Servers:\n<fastagent:mcp-server name="time">\n<tools>time__now, time__zone</tools>\n<instructions>\nAsk me.\n</instructions>\n</fastagent:mcp-server>',
    );
  });

  it('is empty where a port fails to say, and the run goes on', async () => {
    const model = scriptedModel({ lead: ['hi'] });
    const mcp = { ...fakeTools({}), instructions: () => Promise.reject(new Error('away')) };
    const cards = { lead: { instruction: '[{{serverInstructions}}]' } };
    const { outcome } = await runGraph({ parsed: graphOf('lead', { cards }), model, tools: { mcp } });
    expect(outcome.answer).toBe('hi');
    expect(model.requests[0]?.instruction).toBe('[]');
  });
});
