import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { brandAs } from '@/lib/base/ids';
import type { EventBody, RunEvent } from '@/lib/runtime/record/events';
import { noUsage } from '@/lib/runtime/record/messages';
import { fakeClock } from '@/lib/testing/fake-clock';
import { chainOf, fakeHooks } from '@/lib/testing/fake-hooks';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';
import {
  begin,
  decided,
  finish,
  log,
  modelOff,
  modelOn,
  origin,
  queued,
  started,
  toolOn,
  vote,
} from '@/lib/testing/trace-log';
import { type OtlpOptions, OtlpTrace } from './otel';
import type { OtlpAttribute, OtlpJson, OtlpSpan } from './otlp-json';

describe('a run as OpenTelemetry traces', () => {
  it('nests spans like calls, each with agent, instance, tool and outcome', async () => {
    const json = toOtlp(await threeLevels());
    expect(tree(json)).toEqual([
      'invoke_agent lead 0-52.5 0',
      '  callboard.setup hooks.py 0-0 0',
      '  chat test-model 0-10 0',
      '  execute_tool agent__writer 10-42.5 0',
      '    invoke_agent writer 10-42.5 0',
      '      chat test-model 10-30 0',
      '      execute_tool agent__helper 30-37.5 2',
      '        invoke_agent helper 30-37.5 2',
      '          chat test-model 30-37.5 2',
      '        callboard.hook 30-37.5 0',
      '      execute_tool time__now 30-30 0',
      '        callboard.hook 30-30 0',
      '      chat test-model 37.5-42.5 0',
      '  chat test-model 42.5-52.5 0',
    ]);
    const lead = at('lead', 'lead', 0);
    const writer = at('lead/writer[1]', 'lead > writer', 1);
    const helper = at('lead/writer[1]/helper[1]', 'lead > writer > helper', 2);
    const refused = { 'callboard.status': 'error', 'error.type': 'model_auth' };
    const hook = { 'callboard.hook': 'hooks.py:audit', 'callboard.phase': 'around', ...writer, ...ok };
    expect(spansOf(json).map(valuesOf)).toEqual([
      { ...agent('c0'), ...lead, 'callboard.run_id': 'run', 'callboard.status': 'completed' },
      { 'callboard.setup': 'code', ...lead, ...ok },
      { ...chat(10, 5, 'tool_call'), ...lead, ...ok },
      { ...tool('agent__writer', 'lead#m1.1', 'agent', 'c1'), ...lead, ...ok },
      { ...agent('c1'), ...writer, 'callboard.status': 'completed' },
      { ...chat(10, 5, 'tool_call'), ...writer, ...ok },
      {
        ...tool('agent__helper', 'lead/writer[1]#m1.1', 'agent', 'c2'),
        ...writer,
        'callboard.status': 'error',
        'error.type': 'AGENT_FAILED',
      },
      { ...agent('c2'), ...helper, 'callboard.status': 'failed', 'error.type': 'model_auth' },
      hook,
      {
        ...tool('time__now', 'lead/writer[1]#m1.2', 'mcp', 'c1'),
        'callboard.tool_server': 'time',
        ...writer,
        ...ok,
      },
      hook,
      { ...chat(0, 0), ...helper, ...refused },
      { ...chat(10, 5, 'stop'), ...writer, ...ok },
      { ...chat(10, 5, 'stop'), ...lead, ...ok },
    ]);
    expect(spansOf(json).flatMap(({ status }) => status.message ?? [])).toEqual([
      'The key was refused.',
      'The key was refused.',
    ]);
  });

  it('gives the same run the same ids, all different, in the form OTLP asks for', async () => {
    const [once, again] = [toOtlp(await threeLevels()), toOtlp(await threeLevels())];
    expect(again).toEqual(once);
    const ids = spansOf(once).map(({ spanId }) => spanId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[0-9a-f]{16}$/.test(id))).toEqual([]);
  });

  it('writes OTLP/JSON', () => {
    const events = log([0, begin], [0.25, queued('lead')], [2.25, started('lead')], [3, modelOn('lead', 1)]);
    const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
    const int = (key: string, intValue: string) => ({ key, value: { intValue } });
    const flag = (key: string, boolValue: boolean) => ({ key, value: { boolValue } });
    const where = [
      text('gen_ai.agent.name', 'lead'),
      text('callboard.instance', 'lead'),
      text('callboard.path', 'lead'),
      int('callboard.depth', '0'),
    ];
    // The first half of the sha-256 of `r1`, and the first quarters of those of `r1`, path or step, and attempt.
    const traceId = hash('r1').slice(0, 32);
    const leadId = hash('r1\nlead\n1').slice(0, 16);
    const span = { traceId, endTimeUnixNano: '1700000000003000000', status: { code: 0 } };
    expect(toOtlp(events, { serviceName: 'demo' })).toEqual({
      resourceSpans: [
        {
          resource: { attributes: [text('service.name', 'demo')] },
          scopeSpans: [
            {
              scope: { name: 'callboard' },
              spans: [
                {
                  ...span,
                  spanId: leadId,
                  name: 'invoke_agent lead',
                  kind: 1,
                  startTimeUnixNano: '1700000000000250000',
                  attributes: [
                    text('gen_ai.operation.name', 'invoke_agent'),
                    ...where,
                    int('callboard.seq', '2'),
                    text('callboard.instance_name', 'lead'),
                    text('callboard.correlation_id', 'corr-lead'),
                    text('callboard.run_id', 'r1'),
                    int('callboard.run_started_seq', '1'),
                    int('callboard.run_started_unix_nano', '1700000000000000000'),
                    text('callboard.run_correlation_id', 'c1'),
                    text('callboard.entry_agent', 'lead'),
                    flag('callboard.scripted', true),
                    text('gen_ai.request.model', 'gpt'),
                    int('callboard.queued_ms', '2'),
                    int('callboard.started_seq', '3'),
                    int('callboard.started_unix_nano', '1700000000002250000'),
                    text('callboard.model', 'm'),
                    text('callboard.status', 'open'),
                  ],
                },
                {
                  ...span,
                  spanId: hash('r1\nlead#m1\n1').slice(0, 16),
                  parentSpanId: leadId,
                  name: 'chat gpt',
                  kind: 3,
                  startTimeUnixNano: '1700000000003000000',
                  attributes: [
                    text('gen_ai.operation.name', 'chat'),
                    text('gen_ai.request.model', 'gpt'),
                    ...where,
                    int('callboard.seq', '4'),
                    text('callboard.step', 'lead#m1'),
                    int('callboard.attempt', '1'),
                    text('callboard.model', 'gpt'),
                    int('callboard.message_count', '1'),
                    { key: 'callboard.tools', value: { arrayValue: { values: [] } } },
                    text('callboard.status', 'open'),
                  ],
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it('after a crash has a repeated step twice and a delegation once, and names the conversation', () => {
    const session: EventBody = {
      kind: 'session.opened',
      path: brandAs('lead/kid[1]'),
      step: brandAs('lead#t1'),
      sessionId: 's1',
      owner: 'lead > kid',
      mode: 'addressed',
      version: 0,
    };
    const json = toOtlp(
      log(
        [0, begin],
        [0, queued('lead')],
        [1, toolOn('lead', 1, 'agent__kid', 'agent')],
        [1, queued('lead/kid[1]', 'lead#t1')],
        [1, session],
        [2, modelOn('lead/kid[1]', 1)],
        [3, toolOn('lead', 2)],
        [50, { kind: 'run.resumed', worker: 'w2' }],
        [51, toolOn('lead', 1, 'agent__kid', 'agent', 2)],
        [52, modelOn('lead/kid[1]', 1, 2)],
        [60, modelOff('lead/kid[1]', 1)],
        [61, finish],
      ),
    );
    expect(tree(json)).toEqual([
      'invoke_agent lead 0-61 0',
      '  execute_tool agent__kid 1-61 0',
      '    invoke_agent kid 1-61 0',
      '      chat gpt 2-3 0',
      '      chat gpt 52-60 0',
      '  execute_tool time 3-3 0',
    ]);
    const values = spansOf(json).map(valuesOf);
    expect(values.map((each) => each['callboard.status'])).toEqual([...Array(5).fill('interrupted'), 'ok']);
    expect(values.map((each) => each['gen_ai.conversation.id'] ?? '')).toEqual(['', '', 's1', 's1', '', 's1']);
    expect(values.map((each) => each['callboard.attempt'] ?? '')).toEqual(['', '', '', '', '', '2']);
  });

  it('says who was asked for which model, and what the call used', () => {
    const asked: EventBody = {
      ...modelStart('lead', 'openai.gpt-4o?temperature=0'),
      provider: 'openai',
      modelName: 'gpt-4o',
    };
    const json = toOtlp(
      log(
        [0, begin],
        [0, queued('lead')],
        [1, started('lead')],
        [2, asked],
        [
          9,
          {
            ...modelEnd('lead'),
            usage: { inputTokens: 9, outputTokens: 7, cachedInputTokens: 4, reasoningTokens: 3, modelCalls: 1 },
            message: { role: 'assistant', content: [], toolCalls: [], stopReason: 'max_tokens' },
            firstTokenMs: 1_250,
          },
        ],
      ),
    );
    const [agentSpan, chatSpan] = spansOf(json).map(valuesOf);
    const who = { 'gen_ai.provider.name': 'openai', 'gen_ai.request.model': 'gpt-4o' };
    expect(agentSpan).toMatchObject(who);
    expect(chatSpan).toMatchObject({
      ...who,
      'gen_ai.usage.input_tokens': '9',
      'gen_ai.usage.cache_read.input_tokens': '4',
      'gen_ai.usage.output_tokens': '7',
      'gen_ai.usage.reasoning.output_tokens': '3',
      'gen_ai.response.finish_reasons': 'length',
      'gen_ai.request.stream': true,
      'gen_ai.response.time_to_first_chunk': 1.25,
    });
    expect(spansOf(json).map(({ name }) => name)).toEqual(['invoke_agent lead', 'chat gpt-4o']);
  });

  it('leaves options out of the model name when the provider is unknown', () => {
    const json = toOtlp(log([0, begin], [0, queued('lead')], [1, modelStart('lead', 'gpt-5?reasoning=low')]));
    expect(spansOf(json).map(({ name }) => name)).toEqual(['invoke_agent lead', 'chat gpt-5']);
    expect(spansOf(json).flatMap(({ attributes }) => attributes.map(({ key }) => key))).not.toContain(
      'gen_ai.provider.name',
    );
  });

  it('a call that was stopped has not failed', () => {
    const error = { code: 'cancelled', message: 'The run was stopped.' };
    const json = toOtlp(
      log(
        [0, begin],
        [0, queued('lead')],
        [1, started('lead')],
        [2, modelOn('lead', 1)],
        [3, { ...modelEnd('lead'), error }],
        [3, { kind: 'instance.ended', path: brandAs('lead'), status: 'cancelled', error, usage: noUsage }],
      ),
    );
    expect(spansOf(json).map(({ status }) => status)).toEqual([{ code: 0 }, { code: 0 }]);
    expect(spansOf(json).map((span) => valuesOf(span)['error.type'])).toEqual([undefined, undefined]);
    expect(spansOf(json).map((span) => valuesOf(span)['callboard.status'])).toEqual(['cancelled', 'cancelled']);
  });

  it('writes each attribute of a span once, and cuts no character in two', () => {
    const session = (sessionId: string): EventBody => ({
      kind: 'session.opened',
      path: brandAs('lead'),
      step: brandAs('lead#t1'),
      sessionId,
      owner: 'lead',
      mode: 'addressed',
      version: 0,
    });
    const json = toOtlp(
      log(
        [0, begin],
        [0, queued('lead')],
        [1, started('lead')],
        [1, started('lead')],
        [1, session('s1')],
        [1, session('s2')],
        [2, modelStart('lead', 'half \ud83d')],
        [3, { ...modelEnd('lead'), error: { code: 'model_failed', message: 'cut \ud83d' } }],
        [4, modelStart('lead', 'other', 2)],
      ),
    );
    for (const { attributes } of spansOf(json)) {
      const keys = attributes.map(({ key }) => key);
      expect(keys.toSorted()).toEqual([...new Set(keys)].toSorted());
    }
    expect(JSON.stringify(json)).not.toMatch(/\\ud83d/);
    expect(JSON.stringify(json)).toContain('cut \ufffd');
  });

  it('decisions are events of the span of their workflow, without texts of models', () => {
    const json = toOtlp(
      log(
        [0, begin],
        [0, queued('lead')],
        [1, started('lead')],
        [
          2,
          decided('lead', 1, {
            what: 'route',
            agent: 'kid',
            confidence: 'high',
            reasoning: 'Because of a secret.',
            candidates: ['kid', 'poet'],
          }),
        ],
        [3, decided('lead', 2, { ...vote(1, 'a secret', 1, 1), discarded: 'too long' })],
        [3, decided('nobody', 1, vote(1, 'x', 1, 1))],
      ),
    );
    const [lead] = spansOf(json);
    const events = lead?.events?.map(({ timeUnixNano, name, attributes }) => [
      timeUnixNano,
      name,
      valuesOf({ attributes }),
    ]);
    const nano = (ms: number) => `${origin + ms}000000`;
    expect(events).toEqual([
      [
        nano(2),
        'callboard.decision',
        {
          'callboard.instance': 'lead',
          'callboard.decision.what': 'route',
          'callboard.decision.agent': 'kid',
          'callboard.decision.confidence': 'high',
          'callboard.decision.candidates': 'kid,poet',
        },
      ],
      [
        nano(3),
        'callboard.decision',
        {
          'callboard.instance': 'lead',
          'callboard.decision.what': 'vote',
          'callboard.decision.sample': '1',
          'callboard.decision.votes': '1',
          'callboard.decision.margin': '1',
          'callboard.decision.discarded': 'too long',
        },
      ],
    ]);
    expect(JSON.stringify(json)).not.toContain('secret');
  });
});

const modelStart = (path: string, model: string, n = 1): EventBody & { kind: 'model.started' } => ({
  kind: 'model.started',
  path: brandAs(path),
  step: brandAs(`${path}#m${n}`),
  attempt: 1,
  model,
  messageCount: 1,
  tools: [],
});

const modelEnd = (path: string): EventBody & { kind: 'model.ended' } => ({
  kind: 'model.ended',
  path: brandAs(path),
  step: brandAs(`${path}#m1`),
  usage: noUsage,
  requests: 1,
});

const ok = { 'callboard.status': 'ok' };
const hash = (text: string) => createHash('sha256').update(text).digest('hex');

function at(path: string, edgePath: string, depth: number) {
  return {
    'gen_ai.agent.name': edgePath.split(' > ').at(-1),
    'callboard.instance': path,
    'callboard.path': edgePath,
    'callboard.depth': String(depth),
  };
}

function agent(correlationId: string) {
  return {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.request.model': 'test-model',
    'callboard.correlation_id': correlationId,
  };
}

function chat(input: number, output: number, finish?: string) {
  return {
    ...(finish !== undefined && { 'gen_ai.response.finish_reasons': finish }),
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'test-model',
    'gen_ai.usage.input_tokens': String(input),
    'gen_ai.usage.output_tokens': String(output),
  };
}

function tool(name: string, callId: string, source: string, correlationId: string) {
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.call.id': callId,
    'callboard.tool_source': source,
    'callboard.correlation_id': correlationId,
  };
}

async function threeLevels(): Promise<readonly RunEvent[]> {
  const clock = fakeClock(origin);
  const model = scriptedModel(
    {
      lead: [
        { calls: [{ tool: 'agent__writer' }], delayMs: 10 },
        { text: 'end', delayMs: 10 },
      ],
      writer: [
        { calls: [{ tool: 'agent__helper' }, { tool: 'time__now' }], delayMs: 20 },
        { text: 'w', delayMs: 5 },
      ],
      helper: { error: { code: 'model_auth', message: 'The key was refused.' }, delayMs: 7.5 },
    },
    clock,
  );
  const parsed = graphOf('lead > writer; writer > helper', { cards: { writer: chainOf('audit') } });
  const hooks = fakeHooks({ audit: { around: (_context, args, next) => next(args) } });
  const run = await runGraph({ parsed, model, clock, hooks, tools: { mcp: fakeTools({ time__now: () => 'noon' }) } });
  return run.log;
}

const spansOf = (json: OtlpJson): readonly OtlpSpan[] => json.resourceSpans[0]?.scopeSpans[0]?.spans ?? [];

/** What only an import reads. A test of `lib/interop/own` looks at it. */
const forImports =
  /^callboard\.(?:seq|end_seq|step|model|model_name|tools|message_count|requests|called_next|around|instance_name|parent|parent_step|parent_correlation_id|call_id|entry_agent|next|run_correlation_id|scripted|run_status|history_count|(?:started|run_started|run_finished)_(?:seq|unix_nano))$/;

const valuesOf = (span: Pick<OtlpSpan, 'attributes'>) =>
  Object.fromEntries(
    span.attributes
      .filter(({ key, value }) => !forImports.test(key) && !isFirstAttempt(key, value))
      .map(({ key, value }) => [
        key,
        'arrayValue' in value
          ? value.arrayValue.values.map(({ stringValue }) => stringValue).join()
          : Object.values(value)[0],
      ]),
  );

const isFirstAttempt = (key: string, value: OtlpAttribute['value']) =>
  key === 'callboard.attempt' && 'intValue' in value && value.intValue === '1';

/** `name start-end code`, in milliseconds since the start, indented below its parent. */
function tree(json: OtlpJson): string[] {
  const spans = spansOf(json);
  const ms = (nanos: string) => Number(BigInt(nanos) / 1000n - BigInt(origin) * 1000n) / 1000;
  const below = (parent: string | undefined, indent: string): string[] =>
    spans
      .filter(({ parentSpanId }) => parentSpanId === parent)
      .flatMap(({ name, spanId, startTimeUnixNano, endTimeUnixNano, status }) => [
        `${indent}${name} ${ms(startTimeUnixNano)}-${ms(endTimeUnixNano)} ${status.code}`,
        ...below(spanId, `${indent}  `),
      ]);
  return below(undefined, '');
}

function toOtlp(events: Iterable<RunEvent>, options?: OtlpOptions): OtlpJson {
  const trace = new OtlpTrace(options);
  for (const event of events) trace.add(event);
  return trace.toJson();
}
