import { describe, expect, it } from 'vitest';
import type { AgentCard } from '@/lib/cards/card';
import type { Settings } from '@/lib/cards/settings';
import { fakeClock } from '@/lib/testing/fake-clock';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { runCalls } from '@/lib/testing/run-calls';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel, type TestCall, type TestScript } from '@/lib/testing/scripted-model';

const kid = (args: TestCall['arguments']): TestCall => ({ tool: 'agent__kid', arguments: args });
const error = (errorCode: string, text: string) => ({ content: [{ type: 'text', text }], isError: true, errorCode });

describe('delegation', () => {
  it('takes the names and the parameter that fast-agent takes: the bare child, another case, {message}', async () => {
    const model = scriptedModel({
      lead: [
        { calls: ['kid', 'AGENT__KID', 'Kid', 'Box__Work'].map((tool) => ({ tool, arguments: { message: 'hi' } })) },
        'end',
      ],
      kid: 'k',
    });
    const mcp = fakeTools({ box__work: () => 'worked' });
    const { sink } = await runGraph({ parsed: graphOf('lead > kid'), model, tools: { mcp } });
    expect(sink.of('instance.started').map(({ path, input }) => `${path} ${input}`)).toEqual([
      'lead go',
      'lead/kid[1] hi',
      'lead/kid[2] hi',
    ]);
    const codes = sink.of('tool.ended').map(({ result }) => result.errorCode ?? 'ok');
    expect(codes.sort()).toEqual(['UNKNOWN_TOOL', 'ok', 'ok', 'ok']);
  });

  it('numbers instances per child over the whole life of the parent, in the order asked', async () => {
    const clock = fakeClock();
    const model = scriptedModel(
      {
        lead: [{ calls: [kid({}), { tool: 'agent__pal' }, kid({})] }, { calls: [kid({})] }, 'end'],
        kid: { text: 'k', delayMs: 5 },
        pal: 'p',
      },
      clock,
    );
    const { sink } = await runGraph({ parsed: graphOf('lead > kid, pal'), model, clock });
    expect(sink.of('instance.queued').map(({ path, instanceName, depth }) => [path, instanceName, depth])).toEqual([
      ['lead', 'lead', 0],
      ['lead/kid[1]', 'kid[1]', 1],
      ['lead/pal[1]', 'pal[1]', 1],
      ['lead/kid[2]', 'kid[2]', 1],
      ['lead/kid[3]', 'kid[3]', 1],
    ]);
  });

  it('gives the child one user message and the parent one result', async () => {
    const clock = fakeClock();
    const model = scriptedModel(
      { lead: [{ text: 'hm', calls: [kid({ text: 'task' })] }, 'end'], kid: 'kid says' },
      clock,
    );
    const { outcome } = await runGraph({ parsed: graphOf('lead > kid'), model, clock });
    expect(outcome.answer).toBe('end');
    expect(model.requests.map(({ path, messages }) => [path, messages.map(({ role }) => role)])).toEqual([
      ['lead', ['user']],
      ['lead/kid[1]', ['user']],
      ['lead', ['user', 'assistant', 'tool']],
    ]);
    expect(model.requests[1]?.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'task' }] }]);
  });

  it('each level of nested delegations answers to the level above, and the ids form a chain', async () => {
    const { outcome, sink } = await runCalls('lead > kid; kid > deep; deep > deeper', [kid({ text: 'x' })], {
      scripts: {
        lead: ({ turn, messages }) => {
          const last = messages.at(-1);
          if (turn === 1) return { calls: [kid({ text: 'x' })] };
          return last?.role === 'tool' ? JSON.stringify(last.results[0]?.result.content) : '';
        },
        kid: [{ calls: [{ tool: 'agent__deep', arguments: { text: 'y' } }] }, 'kid end'],
        deep: [{ calls: [{ tool: 'agent__deeper', arguments: { text: 'z' } }] }, 'deep end'],
        deeper: 'deeper end',
      },
    });
    expect(outcome.answer).toBe('[{"type":"text","text":"kid end"}]');
    expect(
      sink
        .of('instance.queued')
        .map((event) => [event.path, event.parent, event.correlationId, event.parentCorrelationId, event.parentStep]),
    ).toEqual([
      ['lead', undefined, 'c0', undefined, undefined],
      ['lead/kid[1]', 'lead', 'c1', 'c0', 'lead#t1'],
      ['lead/kid[1]/deep[1]', 'lead/kid[1]', 'c2', 'c1', 'lead/kid[1]#t1'],
      ['lead/kid[1]/deep[1]/deeper[1]', 'lead/kid[1]/deep[1]', 'c3', 'c2', 'lead/kid[1]/deep[1]#t1'],
    ]);
  });

  it('refuses what is deeper than the least limit on the way, and records it with no duration', async () => {
    const scripts: Record<string, TestScript> = {
      kid: [{ calls: [{ tool: 'agent__deep' }] }, 'kid end'],
    };
    const { sink } = await runCalls('lead > kid; kid > deep', [kid({})], {
      scripts,
      settings: {
        limits: { max_depth: 4 },
        delegations: { lead: { kid: { max_depth: 1 } }, kid: { deep: { max_depth: 9 } } },
      },
    });
    const message = "Agent 'deep' would run at depth 2; the limit is 1. Do the task without it.";
    const advice = "Raise 'limits.max_depth' or the delegation's 'max_depth'.";
    expect(sink.of('tool.ended').map(({ path, result }) => [path, result])[0]).toEqual([
      'lead/kid[1]',
      error('DEPTH_EXCEEDED', `Error: ${message}`),
    ]);
    const deep = sink.events.filter((event) => 'path' in event && event.path === 'lead/kid[1]/deep[1]');
    expect(deep.map(({ kind }) => kind)).toEqual(['instance.queued', 'instance.ended']);
    expect(deep[1]).toMatchObject({
      status: 'failed',
      error: { code: 'DEPTH_EXCEEDED', message: `${message} ${advice}` },
    });
  });

  it('ends a cycle at depth 5 by default', async () => {
    const again: TestScript = ({ turn }) =>
      turn === 1 ? { calls: [{ tool: 'agent__lead', arguments: { text: 'x' } }] } : 'ok';
    const model = scriptedModel({ lead: again });
    const { sink, outcome } = await runGraph({
      parsed: graphOf('lead > lead'),
      model,
      request: { agent: 'lead' },
    });
    expect(outcome.answer).toBe('ok');
    expect(sink.of('instance.started')).toHaveLength(6);
    expect(sink.of('instance.queued')).toHaveLength(7);
  });

  it('times a child out from its own start; siblings and the parent go on', async () => {
    const { results, clock, sink } = await runCalls(
      'lead > kid, slow',
      [{ tool: 'agent__slow' }, { tool: 'agent__slow' }, kid({})],
      {
        scripts: {
          slow: ({ instanceName }) => ({ text: instanceName, delayMs: instanceName === 'slow[1]' ? 5_000 : 900 }),
        },
        cards: { lead: { maxParallel: 1, childTimeoutSec: 1 } },
      },
    );
    expect(results).toEqual([
      error('AGENT_TIMEOUT', "Error: Agent 'slow' timed out after 1 s."),
      { content: [{ type: 'text', text: 'slow[2]' }], isError: false },
      { content: [{ type: 'text', text: 'kid says' }], isError: false },
    ]);
    expect(clock.now()).toBe(1_900);
    expect(sink.of('instance.ended').map(({ path, status }) => `${path} ${status}`)).toEqual([
      'lead/slow[1] timeout',
      'lead/slow[2] completed',
      'lead/kid[1] completed',
      'lead completed',
    ]);
  });

  it("prefers the delegation's timeout to the card's and the card's to the folder's", async () => {
    const slow: TestScript = { text: 'late', delayMs: 10_000 };
    const settings = { limits: { child_timeout_ms: 3_000 } };
    const text = async (cards: Record<string, Partial<AgentCard>>, delegations: Settings['delegations']) => {
      const { results } = await runCalls('lead > kid', [kid({})], {
        scripts: { kid: slow },
        cards,
        settings: { ...settings, delegations },
      });
      return results[0]?.content[0];
    };
    const said = (what: string) => ({ type: 'text', text: `Error: Agent 'kid' timed out after ${what}.` });
    expect(await text({}, {})).toEqual(said('3 s'));
    expect(await text({ lead: { childTimeoutSec: 2 } }, {})).toEqual(said('2 s'));
    expect(await text({ lead: { childTimeoutSec: 2 } }, { lead: { kid: { timeout_ms: 500 } } })).toEqual(
      said('500 ms'),
    );
  });

  it('a timed out child takes its own children and tools with it', async () => {
    const done: string[] = [];
    const clock = fakeClock();
    const tools = fakeTools({
      async box__work(_args, { signal }) {
        await clock.sleep(5_000, signal);
        if (!signal.aborted) done.push('written');
        return 'worked';
      },
    });
    const model = scriptedModel(
      {
        lead: [{ calls: [kid({})] }, { text: 'end', delayMs: 60_000 }],
        kid: [{ calls: [{ tool: 'agent__deep' }] }, 'never'],
        deep: [{ calls: [{ tool: 'box__work' }] }, 'never'],
      },
      clock,
    );
    const parsed = graphOf('lead > kid; kid > deep', { cards: { lead: { childTimeoutSec: 1 } } });
    const { sink, outcome } = await runGraph({ parsed, model, tools: { mcp: tools }, clock });
    expect(outcome.answer).toBe('end');
    expect(done).toEqual([]);
    expect(model.requests.map(({ step }) => step)).toEqual([
      'lead#m1',
      'lead/kid[1]#m1',
      'lead/kid[1]/deep[1]#m1',
      'lead#m2',
    ]);
    expect(sink.of('instance.ended').map(({ path, status }) => `${path} ${status}`)).toEqual([
      'lead/kid[1]/deep[1] cancelled',
      'lead/kid[1] timeout',
      'lead completed',
    ]);
  });

  it('joins the text parts of the answer by newlines and leaves thoughts out', async () => {
    const { results } = await runCalls('lead > kid', [kid({})], {
      scripts: {
        kid: {
          message: {
            role: 'assistant',
            content: [
              { type: 'text', text: 'one' },
              { type: 'text', text: 'two' },
            ],
            reasoning: 'hmm',
            toolCalls: [],
            stopReason: 'end_turn',
          },
        },
      },
    });
    expect(results).toEqual([{ content: [{ type: 'text', text: 'one\ntwo' }], isError: false }]);
  });

  it('says (No response) for an empty answer, and keeps what was said before an empty last message', async () => {
    const { results } = await runCalls('lead > kid, pal', [kid({}), { tool: 'agent__pal' }], {
      scripts: { kid: { text: ' ' }, pal: [{ text: 'saved it', calls: [{ tool: 'box__save' }] }, ''] },
      tools: fakeTools({ box__save: () => 'ok' }),
    });
    expect(results.map(({ content }) => content)).toEqual([
      [{ type: 'text', text: '(No response)' }],
      [{ type: 'text', text: 'saved it' }],
    ]);
  });

  it('turns every failure into an error result and lets the parent go on', async () => {
    const tools = fakeTools({
      box__throws() {
        throw new Error('boom');
      },
    });
    const { results, outcome } = await runCalls(
      'lead > kid, bad, broken',
      [
        { tool: 'agent__bad' },
        { tool: 'nowhere' },
        kid('{"cut'),
        kid('[1]'),
        { tool: 'box__throws' },
        { tool: 'box__throws', arguments: 'nonsense' },
        { tool: 'agent__broken' },
        kid({ text: 'fine' }),
      ],
      {
        scripts: {
          bad: { error: { code: 'model_down', message: 'The model is down.' } },
          broken: () => {
            throw new Error('port bug');
          },
        },
        tools,
      },
    );
    expect(outcome).toMatchObject({ status: 'completed', answer: 'end' });
    const byCode = results.map(({ errorCode, content }) => [
      errorCode,
      content[0]?.type === 'text' ? content[0].text : '',
    ]);
    const notObject = (tool: string) =>
      `Error: The arguments of '${tool}' are not a JSON object. Send one that fits the tool's parameters.`;
    expect(byCode.sort()).toEqual(
      [
        ['AGENT_FAILED', 'Error: The model is down.'],
        [
          'UNKNOWN_TOOL',
          "Tool 'nowhere' is not available. Available tools: agent__bad, agent__broken, agent__kid, box__throws.",
        ],
        ['INPUT_VALIDATION', notObject('agent__kid')],
        ['INPUT_VALIDATION', notObject('agent__kid')],
        ['TOOL_FAILED', 'Error: boom'],
        ['INPUT_VALIDATION', notObject('box__throws')],
        ['AGENT_FAILED', 'Error: The model call failed: port bug'],
        [undefined, 'kid says'],
      ].sort(),
    );
  });

  it('counts usage per instance and once in the run', async () => {
    const { sink, outcome } = await runCalls('lead > kid; kid > deep', [kid({}), kid({})], {
      scripts: { kid: [{ calls: [{ tool: 'agent__deep' }] }, 'k'], deep: 'd' },
    });
    expect(sink.of('instance.ended').map(({ path, usage }) => [path, usage.modelCalls, usage.inputTokens])).toEqual([
      ['lead/kid[1]/deep[1]', 1, 10],
      ['lead/kid[2]/deep[1]', 1, 10],
      ['lead/kid[1]', 2, 20],
      ['lead/kid[2]', 2, 20],
      ['lead', 2, 20],
    ]);
    expect(outcome.usage).toEqual({
      inputTokens: 80,
      outputTokens: 40,
      cachedInputTokens: 0,
      reasoningTokens: 0,
      modelCalls: 8,
    });
  });

  it('runs 200 calls of one response, at most max_parallel at once, none dropped', async () => {
    let now = 0;
    let most = 0;
    const clock = fakeClock();
    const tools = fakeTools({
      async box__work({ n }) {
        now += 1;
        most = Math.max(most, now);
        await clock.sleep(10);
        now -= 1;
        return `${n}`;
      },
    });
    const calls = Array.from({ length: 200 }, (_, n) => ({ tool: 'box__work', arguments: { n } }));
    const model = scriptedModel({ lead: [{ calls }, 'end'] }, clock);
    const parsed = graphOf('lead', { settings: { limits: { max_parallel: 16 } } });
    const { outcome } = await runGraph({ parsed, model, tools: { mcp: tools }, clock });
    expect(outcome.answer).toBe('end');
    expect(most).toBe(16);
    const last = model.requests[1]?.messages.at(-1);
    const texts = last?.role === 'tool' ? last.results.map(({ result }) => result.content[0]) : [];
    expect(texts).toEqual(calls.map((_, n) => ({ type: 'text', text: `${n}` })));
  });

  it("a card's max_parallel counts its children alone, as fast-agent's semaphore does", async () => {
    const clock = fakeClock();
    const tools = fakeTools({
      async box__work() {
        await clock.sleep(10);
        return 'worked';
      },
    });
    const box = { tool: 'box__work' };
    const calls = [kid({ text: 'a' }), box, kid({ text: 'b' }), box, kid({ text: 'c' }), box];
    const model = scriptedModel({ lead: [{ calls }, 'end'], kid: { text: 'k', delayMs: 10 } }, clock);
    const parsed = graphOf('lead > kid', { cards: { lead: { maxParallel: 1 } } });
    const { sink } = await runGraph({ parsed, model, tools: { mcp: tools }, clock });
    const ended = sink.of('tool.ended').filter(({ path }) => path === 'lead');
    const start = sink.events[0]?.at ?? 0;
    expect(ended.map(({ step, at }) => [step, at - start]).toSorted()).toEqual([
      ['lead#t1', 10],
      ['lead#t2', 10],
      ['lead#t3', 20],
      ['lead#t4', 10],
      ['lead#t5', 30],
      ['lead#t6', 10],
    ]);
  });

  it('gives the child text or JSON', async () => {
    const calls = [
      kid({ text: 'plain', json: { a: 1 } }),
      kid({ json: { city: 'Zürich' } }),
      kid({ topic: 'x', n: 2 }),
      kid({}),
    ];
    const { inputs } = await runCalls('lead > kid', calls);
    expect(inputs).toEqual(['plain', '{"city":"Zürich"}', '{"topic":"x","n":2}', '']);
  });

  it('checks the arguments of a card with a schema before the child starts', async () => {
    const schema = {
      type: 'object',
      properties: { op: { type: 'string', enum: ['filter', 'map', 'reduce'] }, n: { type: ['integer', 'null'] } },
      required: ['op'],
    };
    const calls = [kid({ op: 'map', n: null }), kid({ op: 'sort' }), kid({ n: 1 }), kid({ op: 'map', extra: 1 })];
    const { results, inputs } = await runCalls('lead > kid', calls, { cards: { kid: { toolInputSchema: schema } } });
    expect(inputs).toEqual(['{"op":"map"}']);
    const texts = results.map(({ content }) => (content[0]?.type === 'text' ? content[0].text : ''));
    expect(texts.sort()).toEqual([
      'Error: The arguments of \'agent__kid\' are not valid: /op must be equal to one of the allowed values ("filter", "map", "reduce").',
      "Error: The arguments of 'agent__kid' are not valid: arguments must NOT have additional properties 'extra'.",
      "Error: The arguments of 'agent__kid' are not valid: arguments must have required property 'op'.",
      'kid says',
    ]);
  });
});
