import { describe, expect, it } from 'vitest';
import { brandAs, type CallId } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import { withUniqueCallIds } from '@/lib/runtime/calls/call-ids';
import type { AssistantMessage } from '@/lib/runtime/record/messages';
import { limitResult } from '@/lib/runtime/record/result-size';
import { fakeClock } from '@/lib/testing/fake-clock';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';

describe('limits of a run', () => {
  const work = { calls: [{ tool: 'box__work' }] };
  const mcp = () => fakeTools({ box__work: () => 'ok' });

  it('ends an instance after max_iterations batches; the card wins over the folder', async () => {
    const model = scriptedModel({ lead: () => work });
    const parsed = graphOf('lead', {
      cards: { lead: { requestParams: { max_iterations: 3 } } },
      settings: { limits: { max_iterations: 50 } },
    });
    const { outcome } = await runGraph({ parsed, model, tools: { mcp: mcp() } });
    expect(model.requests).toHaveLength(4);
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'max_iterations' } });
  });

  it('what was said by then is the answer under the limit of the card, and not under the folder’s', async () => {
    const said = (requestParams: JsonObject) =>
      runGraph({
        parsed: graphOf('lead', { cards: { lead: { requestParams } }, settings: { limits: { max_iterations: 2 } } }),
        model: scriptedModel({ lead: () => ({ ...work, text: 'so far' }) }),
        tools: { mcp: mcp() },
      });
    const own = await said({ max_iterations: 1 });
    expect(own.outcome).toMatchObject({ status: 'completed', answer: 'so far' });
    expect(own.log.flatMap((event) => (event.kind === 'log' ? [event.code] : []))).toEqual(['max_iterations']);
    expect((await said({})).outcome).toMatchObject({ status: 'failed', error: { code: 'max_iterations' } });
  });

  it('starts no further model call once the tokens are used up', async () => {
    const model = scriptedModel({ lead: () => work });
    const parsed = graphOf('lead', { settings: { limits: { max_tokens: 40 } } });
    const { outcome, log } = await runGraph({ parsed, model, tools: { mcp: mcp() } });
    expect(model.requests).toHaveLength(3);
    expect(outcome).toMatchObject({
      status: 'failed',
      error: {
        code: 'max_tokens',
        message: "The run used its 40 tokens. Raise 'limits.max_tokens' in callboard.yaml.",
      },
    });
    expect(log.slice(-3).map(({ kind }) => kind)).toEqual(['log', 'instance.ended', 'run.finished']);
  });

  it.each([{ run_timeout_ms: 86_400_000 }, {}])(
    'ends the run at the longest time that is allowed, with %o',
    async (limits) => {
      const clock = fakeClock();
      const model = scriptedModel({ lead: { delayMs: 999_999_999, text: 'never' } }, clock);
      const { outcome } = await runGraph({
        parsed: graphOf('lead', { settings: { limits } }),
        ...{ model, clock, longestRunMs: 5_000 },
      });
      expect(clock.now()).toBe(5_000);
      const message = 'The run took longer than 5 s. No run may take longer here. Split it into shorter runs.';
      expect(outcome).toMatchObject({ status: 'failed', error: { code: 'run_timeout', message } });
    },
  );

  it('ends the run at its time limit, and every lane with it', async () => {
    const clock = fakeClock();
    const model = scriptedModel(
      { lead: { calls: [{ tool: 'agent__kid' }] }, kid: { delayMs: 999_999, text: 'never' } },
      clock,
    );
    const parsed = graphOf('lead > kid', { settings: { limits: { run_timeout_ms: 2_000 } } });
    const { outcome, sink } = await runGraph({ parsed, model, clock });
    expect(clock.now()).toBe(2_000);
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'run_timeout' } });
    expect(sink.of('instance.ended').map(({ path, status }) => `${path} ${status}`)).toEqual([
      'lead/kid[1] cancelled',
      'lead timeout',
    ]);
    expect(clock.sleeping()).toBe(0);
  });

  it('cuts a large result, records what the model read, and says how much was cut', async () => {
    const tools = fakeTools({ box__work: () => 'ä'.repeat(10_000_000) });
    const model = scriptedModel({ lead: [work, 'end'] });
    const parsed = graphOf('lead', { settings: { limits: { max_result_bytes: 1_025 } } });
    const { sink } = await runGraph({ parsed, model, tools: { mcp: tools } });
    expect(sink.of('tool.ended').map(({ result }) => result)).toEqual([
      {
        content: [
          { type: 'text', text: 'ä'.repeat(512) },
          { type: 'text', text: '[cut: first 1024 of 20000000 bytes]' },
        ],
        isError: false,
        structuredContent: undefined,
      },
    ]);
  });

  it('cuts between blocks when a block cannot be cut', () => {
    const image = { type: 'image' as const, data: 'A'.repeat(90), mimeType: 'image/png' };
    const result = { content: [{ type: 'text' as const, text: '0123456789' }, image, image], isError: false };
    expect(limitResult(result, 100)).toEqual({
      ...result,
      content: [result.content[0], image, { type: 'text', text: '[left out: image (image/png, 90 bytes)]' }],
    });
    const file = { type: 'resource' as const, uri: 'a.pdf', mimeType: 'application/pdf', blob: 'B'.repeat(20) };
    const many = { content: [image, file, ...Array.from({ length: 6 }, () => image)], isError: false };
    expect(limitResult(many, 10).content).toEqual([
      {
        type: 'text',
        text: `[left out: ${[
          'image (image/png, 90 bytes)',
          'file a.pdf (application/pdf, 20 bytes)',
          'image (image/png, 90 bytes)',
          'image (image/png, 90 bytes)',
          'image (image/png, 90 bytes)',
        ].join(', ')} and 3 more]`,
      },
    ]);
    expect(limitResult(result, 190)).toBe(result);
    // Text behind a picture stays, also where the picture alone would fit.
    const text = (value: string) => ({ type: 'text' as const, text: value });
    const shot = { content: [image, text('Checkout'), file, text('Paid')], isError: false };
    expect(limitResult(shot, 100).content).toEqual([
      text('Checkout'),
      file,
      text('Paid'),
      text('[left out: image (image/png, 90 bytes)]'),
    ]);
    expect(limitResult(shot, 10).content).toEqual([
      text('Checkout'),
      text('Pa'),
      text(
        '[cut: first 10 of 122 bytes; left out: image (image/png, 90 bytes), file a.pdf (application/pdf, 20 bytes)]',
      ),
    ]);
  });
});

describe('models that answer oddly', () => {
  const message = (...ids: string[]): AssistantMessage => ({
    role: 'assistant',
    content: [],
    toolCalls: ids.map((id) => ({ id: brandAs<CallId>(id), name: 'box__work', argumentsText: '' })),
    stopReason: 'tool_use',
  });
  const idsOf = ({ toolCalls }: AssistantMessage) => toolCalls.map(({ id }) => id);

  it('makes repeated and empty call ids unique', () => {
    expect(idsOf(withUniqueCallIds(message('a', 'a', 'b', 'a', 'a_2', '', ''), 7))).toEqual([
      'a',
      'a_3',
      'b',
      'a_4',
      'a_2',
      'call_13',
      'call_14',
    ]);
    const fine = message('a', 'b');
    expect(withUniqueCallIds(fine, 0)).toBe(fine);
  });

  it("keeps the provider's ids in the event and gives every call its own result", async () => {
    const model = scriptedModel({ lead: [{ message: message('same', 'same') }, 'end'] });
    const { sink } = await runGraph({
      parsed: graphOf('lead'),
      model,
      tools: { mcp: fakeTools({ box__work: () => 'ok' }) },
    });
    expect(sink.of('model.ended')[0]?.message?.toolCalls.map(({ id }) => id)).toEqual(['same', 'same']);
    expect(sink.of('tool.started').map(({ callId, step }) => [callId, step])).toEqual([
      ['same', 'lead#t1'],
      ['same_2', 'lead#t2'],
    ]);
  });

  it('takes a stop for tools without any call as the end', async () => {
    const odd: AssistantMessage = { ...message(), content: [{ type: 'text', text: 'so be it' }] };
    const { outcome, sink } = await runGraph({
      parsed: graphOf('lead'),
      model: scriptedModel({ lead: { message: odd } }),
    });
    expect(outcome.answer).toBe('so be it');
    expect(sink.of('log').map(({ code }) => code)).toEqual(['no_tool_calls']);
  });

  it('ends the run with the code of a model that fails at the root', async () => {
    const model = scriptedModel({ lead: { error: { code: 'model_auth', message: 'Set OPENAI_API_KEY.' } } });
    const { outcome } = await runGraph({ parsed: graphOf('lead'), model });
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'model_auth', message: 'Set OPENAI_API_KEY.' } });
  });

  it('asks again for the tools when a source says that they changed', async () => {
    const tools = fakeTools({
      box__work() {
        tools.add('box__more', () => 'more');
        return 'ok';
      },
    });
    const model = scriptedModel({
      lead: [{ calls: [{ tool: 'box__work' }] }, { calls: [{ tool: 'box__more' }] }, 'end'],
    });
    await runGraph({ parsed: graphOf('lead'), model, tools: { mcp: tools } });
    expect(model.requests.map((request) => request.tools.map(({ name }) => name))).toEqual([
      ['box__work'],
      ['box__work', 'box__more'],
      ['box__work', 'box__more'],
    ]);
  });

  it('names function tools that cannot run here, and issues of a source, once', async () => {
    const issue = {
      code: 'server-failed',
      severity: 'error' as const,
      stage: 'callboard' as const,
      file: 'fast-agent.yaml',
      line: 3,
      column: 1,
      message: "Server 'time' did not start.",
    };
    const functionTools = [
      {
        entrypoint: 'tools.py:add',
        file: 'tools.py',
        functionName: 'add',
        variant: undefined,
        codeArg: undefined,
        language: undefined,
      },
    ];
    const parsed = graphOf('lead > kid', { cards: { kid: { functionTools } } });
    const calls = [{ tool: 'agent__kid' }, { tool: 'agent__kid' }];
    const model = scriptedModel({ lead: [{ calls }, 'end'], kid: 'k' });
    const { sink } = await runGraph({ parsed, model, tools: { mcp: fakeTools({}, { issues: [issue] }) } });
    expect(sink.of('log').map(({ level, code, message }) => [level, code, message])).toEqual([
      ['error', 'server-failed', "Server 'time' did not start."],
      [
        'warning',
        'function_tools_left_out',
        "Agent 'kid': function tools cannot run here and are not offered: tools.py:add.",
      ],
    ]);
  });
});
