import { describe, expect, it } from 'vitest';
import type { AgentCard } from '@/lib/cards/card';
import { textOf } from '@/lib/runtime/record/messages';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel, type TestCall } from '@/lib/testing/scripted-model';

const mode = (tool_result_mode: string): Partial<AgentCard> => ({ requestParams: { tool_result_mode } });

/** `lead` calls `kid`, which calls a tool; what comes back to `lead`, and how many model calls `kid` made. */
async function runKid(
  args: TestCall['arguments'],
  cards: Readonly<Record<string, Partial<AgentCard>>>,
  kidCalls: readonly TestCall[] = [{ tool: 'box__work' }],
) {
  const model = scriptedModel({
    lead: ({ turn }) => (turn === 1 ? { calls: [{ tool: 'agent__kid', arguments: args ?? {} }] } : 'lead end'),
    kid: ({ turn, messages }) =>
      turn === 1 ? { calls: kidCalls } : `read ${messages.filter(({ role }) => role === 'user').length}`,
  });
  const tools = fakeTools({
    box__work: () => 'raw',
    box__more: () => 'more',
    box__bad() {
      throw new Error('broken');
    },
  });
  const { sink, outcome } = await runGraph({ parsed: graphOf('lead > kid', { cards }), model, tools: { mcp: tools } });
  const result = sink.of('tool.ended').find(({ path }) => path === 'lead')?.result;
  return {
    text: textOf(result?.content ?? []),
    code: result?.errorCode,
    outcome,
    model,
    input: sink.of('instance.started').find(({ path }) => path === 'lead/kid[1]')?.input,
    kidCalls: model.requests.filter(({ agentName }) => agentName === 'kid').length,
    schema: model.requests[0]?.tools.find(({ name }) => name === 'agent__kid')?.inputSchema,
  };
}

describe('tool_result_mode', () => {
  it('postprocess: the model reads the results', async () => {
    expect(await runKid({ text: 'x' }, {})).toMatchObject({ text: 'read 1', kidCalls: 2 });
    expect(await runKid({ text: 'x' }, { kid: mode('postprocess') })).toMatchObject({ text: 'read 1', kidCalls: 2 });
  });

  it('passthrough: the results are the answer, joined in call order, without another model call', async () => {
    const calls = [{ tool: 'box__work' }, { tool: 'box__bad' }, { tool: 'box__more' }];
    expect(await runKid({ text: 'x' }, { kid: mode('passthrough') }, calls)).toMatchObject({
      text: 'raw\nError: broken\nmore',
      kidCalls: 1,
    });
  });

  it('passthrough: when every call failed the model goes on', async () => {
    expect(await runKid({ text: 'x' }, { kid: mode('passthrough') }, [{ tool: 'box__bad' }])).toMatchObject({
      text: 'read 1',
      kidCalls: 2,
    });
  });

  it('passthrough on the caller ends its own turn and does not reach a child that says otherwise', async () => {
    const { outcome, kidCalls } = await runKid({ text: 'x' }, { lead: mode('passthrough'), kid: mode('postprocess') });
    expect(outcome.answer).toBe('read 1');
    expect(kidCalls).toBe(2);
  });

  it('selectable adds response_mode beside the parameters, and required stays', async () => {
    const own = { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] };
    const { schema } = await runKid({ message: 'x' }, { kid: { ...mode('selectable'), toolInputSchema: own } });
    expect(schema).toMatchObject({
      properties: { message: { type: 'string' }, response_mode: { enum: ['inherit', 'postprocess', 'passthrough'] } },
      required: ['message'],
    });
    expect((await runKid({ text: 'x' }, {})).schema).not.toHaveProperty('properties.response_mode');
  });

  it('selectable: the call chooses; blanks and case do not matter, and it is no part of the message', async () => {
    const cards = { kid: mode('selectable') };
    expect(await runKid({ text: 'x', response_mode: 'passthrough' }, cards)).toMatchObject({ text: 'raw', input: 'x' });
    expect(await runKid({ response_mode: ' PostProcess ' }, cards)).toMatchObject({ text: 'read 1', input: '' });
  });

  it('selectable: inherits the mode of the caller', async () => {
    const inherited = { lead: mode('passthrough'), kid: mode('selectable') };
    expect(await runKid({ text: 'x' }, inherited)).toMatchObject({ text: 'raw' });
    expect(await runKid({ text: 'x', response_mode: 'inherit' }, inherited)).toMatchObject({ text: 'raw' });
    expect(await runKid({ text: 'x', response_mode: 'postprocess' }, inherited)).toMatchObject({ text: 'read 1' });
    expect(await runKid({ text: 'x' }, { kid: mode('selectable') })).toMatchObject({ text: 'read 1' });
  });

  it('selectable: a bad value is an error result and the child does not run', async () => {
    expect(await runKid({ text: 'x', response_mode: 'loud' }, { kid: mode('selectable') })).toMatchObject({
      text: "Error: 'response_mode' must be one of inherit, postprocess, passthrough.",
      code: 'INPUT_VALIDATION',
      kidCalls: 0,
    });
  });

  it('is data where it is not offered, or where the own schema of the child has the name', async () => {
    const off = await runKid({ response_mode: 'loud' }, {});
    expect(off).toMatchObject({ input: '{"response_mode":"loud"}', text: 'read 1' });
    const own = { type: 'object', properties: { response_mode: { type: 'string' }, n: { type: 'number' } } };
    const owned = await runKid({ response_mode: 'loud' }, { kid: { ...mode('selectable'), toolInputSchema: own } });
    expect(owned).toMatchObject({ input: '{"response_mode":"loud"}', text: 'read 1' });
    expect(owned.schema).toEqual(own);
  });
});
