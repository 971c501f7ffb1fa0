import { expect, test } from 'vitest';
import { brandAs, type RunId } from '@/lib/base/ids';
import type { Json } from '@/lib/base/json';
import type { EventOf, RunEvent } from '@/lib/runtime/record/events';
import { costOfModels, usageByModel } from '@/lib/trace/cost';
import { emptyTrace } from '@/lib/trace/empty-trace';
import { runFigures } from '@/lib/trace/figures';
import { foldEvent } from '@/lib/trace/fold';
import { summariseRun } from '@/lib/trace/run-summary';
import type { ReceivedSpan } from './otlp/received-span';
import { runOfSpans } from './run-of-spans';

const t0 = 1_763_628_000_000;
type Attributes = Readonly<Record<string, Json>>;

function span(
  [id, parent]: readonly [id: string, parent?: string],
  name: string,
  [from, to]: readonly [number, number],
  attributes: Attributes = {},
  more: Partial<ReceivedSpan> = {},
): ReceivedSpan {
  return {
    ...{ traceId: 'a'.repeat(32), spanId: id, parentId: parent, name, start: t0 + from, end: t0 + to, attributes },
    ...{ events: [], failed: false, scope: 'a', resource: { 'service.name': 'app' }, ...more },
  };
}

const agent = (name: string, more: Attributes = {}): Attributes => ({
  ...{ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name },
  ...more,
});
const chat = (model: string, more: Attributes = {}): Attributes => ({
  ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': model },
  ...more,
});
const used = (input: number, output: number): Attributes => ({
  ...{ 'gen_ai.usage.input_tokens': input, 'gen_ai.usage.output_tokens': output },
});
const tool = (name: string): Attributes => ({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name });

function read(...spans: readonly ReceivedSpan[]) {
  const events = runOfSpans(brandAs<RunId>('r'), spans)?.events ?? [];
  const trace = emptyTrace();
  for (const event of events) foldEvent(trace, event);
  const { usage } = trace.run;
  return {
    events,
    lanes: trace.lanes.map(({ path, usage: own }) => `${path} ${own.inputTokens}/${own.outputTokens}`),
    total: `${usage.inputTokens}/${usage.outputTokens} in ${usage.modelCalls} calls`,
    usd: costOfModels(usageByModel(trace)).usd,
    summary: summariseRun(trace),
    figures: runFigures({ trace, now: trace.lastAt }),
    durations: Object.fromEntries(
      Array.from({ length: trace.spans.length }, (_, at) => [
        trace.strings[trace.spans.name.at(at)],
        Math.round((trace.spans.end.at(at) - trace.spans.start.at(at)) / 1_000),
      ]),
    ),
  };
}

const notes = (events: readonly RunEvent[]) =>
  events.flatMap((event) => (event.kind === 'log' && event.level === 'warning' ? [event.message] : []));
const of = <K extends RunEvent['kind']>(events: readonly RunEvent[], kind: K) =>
  events.filter((event): event is EventOf<K> => event.kind === kind);

test('usage belongs to the model of the call, whether its agent names a model or not', () => {
  const call = span(['2', '1'], 'chat', [10, 90], chat('gpt-4o', used(100_000, 50_000)));
  const without = read(span(['1'], 'lead', [0, 100], agent('lead')), call);
  const other = agent('lead', { 'gen_ai.request.model': 'gpt-5-mini' });
  const beside = read(span(['1'], 'lead', [0, 100], other), call);
  expect([without.usd, beside.usd]).toEqual([0.75, 0.75]);
  expect([without.summary.costUsd, without.figures.cost]).toEqual([0.75, 0.75]);
});

test('a recorded cost comes before prices, and counts for calls of unknown models', () => {
  const { usd, summary, figures, events } = read(
    span(['1'], 'lead', [0, 100], agent('lead')),
    span(['2', '1'], 'chat', [10, 50], chat('gpt-4o', { ...used(100_000, 0), 'gen_ai.usage.cost': 0.5 })),
    span(['3', '1'], 'chat', [50, 90], chat('mine', { ...used(5, 5), 'llm.cost.total': 0.25 })),
    span(['4', '1'], 'chat', [50, 90], chat('gpt-4o', used(100_000, 0))),
  );
  expect(usd).toBeCloseTo(0.5 + 0.25 + 0.25);
  expect([summary.costUsd, figures.cost]).toEqual([usd, usd]);
  expect(of(events, 'model.ended').map(({ costUsd }) => costUsd)).toEqual([0.5, 0.25, undefined]);
});

test('tokens and cost that only the agent has count, and the bar says so', () => {
  const { usd, lanes, events } = read(
    span(
      ['1'],
      'lead',
      [0, 100],
      agent('lead', { ...used(40, 900), 'llm.cost.total': 0.4831, 'gen_ai.usage.cache_read_input_tokens': 120_000 }),
    ),
    span(['2', '1'], 'read', [10, 50], tool('read')),
  );
  expect(usd).toBe(0.4831);
  expect(lanes).toEqual(['lead 120040/900']);
  expect(of(events, 'instance.started')[0]?.imported?.estimated).toEqual([
    'usage: reported by the agent, whose own model calls are not in the trace',
  ]);
});

test.each<[string, Attributes, readonly string[], string]>([
  ['more than its worker', used(1_000, 100), ['lead 700/60', 'lead/worker[1] 300/40'], '1000/100 in 1 calls'],
  ['less than its worker', used(400, 30), ['lead 400/30', 'lead/worker[1] 300/40'], '700/70 in 1 calls'],
])('a supervisor without model calls that reports %s', (_, reported, lanes, total) => {
  const found = read(
    span(['1'], 'lead', [0, 100], agent('lead', reported)),
    span(['2', '1'], 'delegate', [1, 90], tool('delegate')),
    span(['3', '2'], 'worker', [2, 80], agent('worker', used(300, 40))),
    span(['4', '3'], 'chat', [3, 70], chat('m', used(300, 40))),
  );
  expect(found.lanes).toEqual(lanes);
  expect(found.total).toBe(total);
});

test('a cost that only the agent has is shared among its calls, and one beside costs of calls is kept as an attribute', () => {
  const total = agent('lead', { 'llm.cost.total': 3 });
  const shared = read(
    span(['1'], 'lead', [0, 100], total),
    span(['2', '1'], 'chat', [10, 50], chat('gpt-4o', used(200, 0))),
    span(['3', '1'], 'chat', [50, 90], chat('gpt-4o', used(90, 10))),
  );
  expect(of(shared.events, 'model.ended').map(({ costUsd }) => costUsd)).toEqual([2, 1]);
  expect(shared.usd).toBe(3);
  const beside = read(
    span(['1'], 'lead', [0, 100], { ...total, ...used(7, 7) }),
    span(['2', '1'], 'chat', [10, 50], chat('m', { ...used(200, 0), 'gen_ai.usage.cost': 1 })),
  );
  expect(beside.usd).toBe(1);
  expect(of(beside.events, 'instance.started')[0]?.imported?.attributes).toMatchObject({
    reported_cost_usd: 3,
    reported_usage: { input: 7, output: 7 },
  });
});

test.each<[string, Attributes, string]>([
  ['with tokens', used(1_000, 100), 'lead 700/60'],
  ['without tokens', {}, 'lead 0/0'],
])('a cost of an agent %s is not counted beside costs below it, and is kept as an attribute', (_, reported, own) => {
  const { usd, lanes, events } = read(
    span(['1'], 'lead', [0, 100], agent('lead', { ...reported, 'llm.cost.total': 1 })),
    span(['2', '1'], 'worker', [1, 90], agent('worker')),
    span(['3', '2'], 'chat', [2, 80], chat('m', { ...used(300, 40), 'llm.cost.total': 0.4 })),
  );
  expect(usd).toBe(0.4);
  expect(lanes).toEqual([own, 'lead/worker[1] 300/40']);
  expect(of(events, 'instance.started')[0]?.imported?.attributes).toMatchObject({ reported_cost_usd: 1 });
});

test('agents that report costs inside of each other, without calls, count once', () => {
  const { usd, events } = read(
    span(['1'], 'lead', [0, 100], agent('lead', { ...used(1_000, 100), 'llm.cost.total': 1 })),
    span(['2', '1'], 'worker', [1, 90], agent('worker', { ...used(300, 40), 'llm.cost.total': 0.4 })),
  );
  expect(usd).toBe(0.4);
  expect(of(events, 'instance.started').map(({ imported }) => imported?.attributes.reported_cost_usd)).toEqual([
    1,
    undefined,
  ]);
});

test('a cost that only the agent above has covers the agents that report tokens below it', () => {
  const { usd } = read(
    span(['1'], 'lead', [0, 100], agent('lead', { ...used(1e6, 0), 'llm.cost.total': 1 })),
    span(['2', '1'], 'worker', [1, 90], agent('worker', { ...used(4e5, 0), 'gen_ai.request.model': 'gpt-4o' })),
  );
  expect(usd).toBeCloseTo(1);
});

test('what remains of the tokens of an agent has no more cached tokens than are left', () => {
  const cached = (read: number, written: number): Attributes => ({
    'gen_ai.usage.cache_read.input_tokens': read,
    'gen_ai.usage.cache_creation.input_tokens': written,
  });
  const { events } = read(
    span(['1'], 'lead', [0, 100], agent('lead', { ...used(1_000, 100), ...cached(500, 90) })),
    span(['2', '1'], 'worker', [1, 90], agent('worker')),
    span(['3', '2'], 'chat', [2, 80], chat('m', { ...used(300, 40), ...cached(200, 30) })),
  );
  expect(of(events, 'instance.ended').map(({ path, usage }) => [path, usage])).toMatchObject([
    ['lead/worker[1]', { cachedInputTokens: 200, cacheWriteTokens: 30 }],
    ['lead', { inputTokens: 700, cachedInputTokens: 300, cacheWriteTokens: 60 }],
  ]);
});

test('a cost that only the agent above has is also that of the tokens which agents below it used themselves', () => {
  const model = (name: string) => ({ 'gen_ai.request.model': name });
  const { usd, lanes, events } = read(
    span(['1'], 'lead', [0, 100], agent('lead', { ...used(1e6, 0), ...model('gpt-4o'), 'llm.cost.total': 1 })),
    span(['2', '1'], 'middle', [1, 90], agent('middle', { ...used(6e5, 0), ...model('gpt-4o') })),
    span(['3', '2'], 'worker', [2, 80], agent('worker', { ...used(2e5, 0), ...model('gpt-4o-mini') })),
  );
  expect(lanes).toEqual(['lead 400000/0', 'lead/middle[1] 400000/0', 'lead/middle[1]/worker[1] 200000/0']);
  expect(usd).toBeCloseTo(1, 9);
  const recorded = of(events, 'instance.ended').map(({ usage }) => Number(usage.recorded?.usd.toFixed(6)));
  expect(recorded).toEqual([0.2, 0.4, 0.4]);
  expect(of(events, 'instance.started')[0]?.imported?.attributes).toMatchObject({ reported_cost_usd: 1 });
});

test('tokens and cost of a step that is no call are kept as attributes, for they are in no sum', () => {
  const { usd, events } = read(
    span(['1'], 'lead', [0, 100], agent('lead')),
    span(['2', '1'], 'summarise', [1, 90], { ...used(300, 40), 'llm.cost.total': 0.4 }),
  );
  expect(usd).toBe(0);
  expect(of(events, 'tool.started')[0]?.imported?.attributes).toMatchObject({
    reported_cost_usd: 0.4,
    reported_usage: { input: 300, output: 40 },
  });
});

test('numbers of tokens under unknown names are told', () => {
  const { events } = read(
    span(['1'], 'lead', [0, 100], agent('lead')),
    span(['2', '1'], 'chat', [10, 50], chat('m', { 'gen_ai.usage.total_tokens': 1_050 })),
  );
  expect(notes(events)).toEqual([
    '1 model call came with numbers of tokens under names that are not known here. They count as 0.',
  ]);
});

test('a model call that ends after its agent counts once', () => {
  const found = read(
    span(['1'], 'lead', [0, 100], agent('lead')),
    span(['2', '1'], 'chat', [10, 101], chat('gpt-5-mini', used(1_000, 200))),
  );
  expect(found.total).toBe('1000/200 in 1 calls');
  expect(found.lanes).toEqual(['lead 1000/200']);
});

test('one call that two instrumentations recorded is one call', () => {
  const llm = { 'openinference.span.kind': 'LLM', 'llm.model_name': 'gpt-5-mini' };
  const inner = { ...chat('gpt-5-mini', used(100, 20)), 'gen_ai.response.id': 'r-1' };
  const nested = read(
    span(['1'], 'AgentExecutor', [0, 100], { 'openinference.span.kind': 'CHAIN' }),
    span(['2', '1'], 'ChatOpenAI', [10, 90], llm),
    span(['3', '2'], 'chat gpt-5-mini', [11, 89], inner, { scope: 'b' }),
  );
  expect([nested.total, nested.lanes]).toEqual(['100/20 in 1 calls', ['AgentExecutor 100/20']]);
  expect(JSON.stringify(of(nested.events, 'model.started')[0]?.imported?.attributes)).toContain('r-1');
  const beside = read(
    span(['1'], 'lead', [0, 100], agent('lead')),
    span(['2', '1'], 'ChatOpenAI', [10, 90], {
      ...llm,
      'llm.token_count.prompt': 100,
      'llm.token_count.completion': 20,
    }),
    span(['3', '1'], 'chat gpt-5-mini', [11, 89], inner, { scope: 'b' }),
  );
  expect(beside.total).toBe('100/20 in 1 calls');
  const tools = read(
    span(['1'], 'lead', [0, 100], agent('lead')),
    span(['2', '1'], 'execute_tool find', [10, 90], tool('find')),
    span(['3', '2'], 'tools/call find', [11, 89], { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 'find' }),
  );
  expect(of(tools.events, 'tool.started').map(({ source }) => source)).toEqual(['mcp']);
  const twice = read(
    span(['1'], 'lead', [0, 100], agent('lead')),
    span(['2', '1'], 'chat', [10, 50], chat('m', used(1, 1))),
    span(['3', '1'], 'chat', [20, 40], chat('m', used(1, 1))),
  );
  expect(twice.total).toBe('2/2 in 2 calls');
});

test('a subtree of another clock is moved as a whole and keeps its durations', () => {
  const { durations, events } = read(
    span(['1'], 'lead', [0, 8_000], agent('lead')),
    span(['2', '1'], 'ask', [500, 7_500], tool('ask')),
    span(['3', '2'], 'worker', [-9_000, -3_000], agent('worker')),
    span(['4', '3'], 'chat', [-8_900, -5_900], chat('m')),
    span(['5', '1'], 'near', [-3, 200], tool('near')),
    span(['6', '1'], 'late', [67_600, 67_900], tool('late')),
  );
  expect(durations).toMatchObject({ 'worker[1]': 6_000, m: 3_000, near: 203, late: 300 });
  const moved = events.flatMap(({ at, imported }) =>
    imported?.estimated === undefined ? [] : [[at - t0, imported.estimated]],
  );
  const by = (ms: string) => [`start and end: moved by +${ms} ms, because its clock differs from that of its parent`];
  expect(moved).toEqual([
    [0, by('3.000')],
    [1_000, by('10000.000')],
    [1_100, by('10000.000')],
  ]);
  expect(notes(events)).toEqual([
    '3 spans started before their parents, so clocks differ. They were moved, with their durations, by up to 10.0 s.',
    '1 span started after the parent had ended. The times are as recorded.',
  ]);
});

test('an end before the start is told', () => {
  const { events } = read(span(['1'], 'lead', [0, 100], agent('lead')), span(['2', '1'], 'x', [50, 40], tool('x')));
  expect(notes(events)).toEqual(['1 span had an end before the start, and no duration is drawn.']);
  expect(of(events, 'tool.started')[0]?.imported?.estimated).toEqual([
    'end: the source says 10.000 ms before the start',
  ]);
});

test('links, process, library, kind and dropped counts of a span are kept', () => {
  const to = { traceId: 'a'.repeat(32), spanId: '1', attributes: { why: 'handoff' } };
  const away = { traceId: 'b'.repeat(32), spanId: '9', attributes: {} };
  const more = { 'span.kind': 'client', 'span.trace_state': 'a=b', 'span.dropped_attributes': 3 };
  const run = runOfSpans(brandAs<RunId>('r'), [
    span(['1'], 'planner', [0, 100], agent('planner')),
    span(['2'], 'writer', [110, 200], agent('writer'), { links: [to, away], more, scope: 'queue' }),
  ]);
  const writer = run?.events.find((event) => event.kind === 'instance.started' && event.path.includes('writer'));
  const planner = run?.events.find((event) => event.kind === 'instance.started' && event.path.endsWith('planner[1]'));
  expect(writer?.imported?.attributes).toEqual({
    ...more,
    not_recorded: ['input', 'answer'],
    resource: { 'service.name': 'app' },
    scope: 'queue',
    'span.links': [
      { name: 'planner', trace_id: to.traceId, span_id: '1', attributes: { why: 'handoff' }, event: planner?.seq },
      { trace_id: away.traceId, span_id: '9' },
    ],
  });
  // Traces that a link connects are one group.
  expect(run?.correlationId).toBe(away.traceId);
});
