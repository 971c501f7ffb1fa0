import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { brandAs, type RunId } from '@/lib/base/ids';
import type { RunEvent } from '@/lib/runtime/record/events';
import { readOtlpProtobuf } from './otlp/read-otlp-protobuf';
import type { ReceivedSpan } from './otlp/received-span';
import { runOfSpans } from './run-of-spans';
import { stepOfSpan } from './spans/step-of-span';

/*
 * Requests that frameworks sent when they ran against a fake model server: bench/frameworks writes them. A request after another
 * is one request, because every field at the top is a list.
 */
function read(name: string) {
  const { spans, rejected } = readOtlpProtobuf(readFileSync(path.join(import.meta.dirname, 'kept', `${name}.pb`)));
  expect(rejected).toBe(0);
  const run = runOfSpans(brandAs<RunId>('run'), spans);
  return { spans, source: run?.source, events: run?.events ?? [] };
}

const outline = (events: readonly RunEvent[]) =>
  events.flatMap((event) => {
    if (event.kind === 'instance.queued') return [event.path];
    if (event.kind === 'model.started') return [`${event.step} ${event.model}`];
    return event.kind === 'tool.started' ? [`${event.step} ${event.toolName} ${event.source}`] : [];
  });

test.each(['vercel-ai', 'openai-agents', 'langgraph', 'mastra'])(
  'a trace of %s has no unknown kind, and the run is whole',
  (name) => {
    const { spans, source, events } = read(name);
    expect(spans.map(stepOfSpan).filter(({ kind }) => kind === 'unknown')).toEqual([]);
    expect(source).toBe(name);
    expect(events.at(-1)).toMatchObject({
      status: 'completed',
      usage: { inputTokens: 40, outputTokens: 10, modelCalls: 2 },
    });
    expect(events.find(({ kind }) => kind === 'run.started')).toMatchObject({
      message: 'What is the weather in Paris?',
    });
    expect(events.at(-1)).toMatchObject({ answer: 'It is sunny in Paris.' });
    const call = events.find((event) => event.kind === 'tool.started' && event.toolName === 'get_weather');
    // OpenInference for LangChain records the only argument alone.
    expect(call).toMatchObject({ arguments: name === 'langgraph' ? 'Paris' : { city: 'Paris' } });
    const shown = events.flatMap(({ imported }) => (imported === undefined ? [] : [imported]));
    const folded = shown.flatMap(({ attributes }) => attributes.folded_spans ?? []);
    expect(shown.length + folded.length).toBe(spans.length);
  },
);

test('calls are in the lanes of the agents that asked for them', () => {
  expect(outline(read('vercel-ai').events)).toEqual([
    'weather-agent',
    'weather-agent#m1 fake-model',
    'weather-agent#t1 get_weather function',
    'weather-agent#m2 fake-model',
  ]);
  expect(outline(read('mastra').events)).toEqual([
    'weather-agent',
    'weather-agent#m1 fake-model',
    'weather-agent#t1 get_weather function',
    'weather-agent#m2 fake-model',
  ]);
  const graph = outline(read('langgraph').events);
  expect(graph).toContain('weather-agent/tools[1]#t1 get_weather function');
  expect(graph.filter((line) => line.endsWith('#m1 fake-model'))).toHaveLength(2);
});

const t0 = 1_763_628_000_000;
const span = (id: number, parent: number | undefined, name: string, from: number, to: number): ReceivedSpan => ({
  ...{
    traceId: 'a'.repeat(32),
    spanId: String(id),
    name,
    start: t0 + from,
    end: t0 + to,
    attributes: {},
    events: [],
    failed: false,
  },
  ...{
    parentId: parent === undefined ? undefined : String(parent),
    scope: '',
    resource: { 'service.name': 'fast-agent' },
  },
});

test('spans of fast-agent have their names alone', () => {
  const run = runOfSpans(brandAs<RunId>('run'), [
    span(1, undefined, 'my app', 0, 90),
    span(2, 1, "Agent: 'PMO' generate", 1, 80),
    span(3, 2, "Agent: 'NY[1]' generate", 10, 40),
    span(4, 2, "Agent: 'NY[2]' generate", 11, 50),
    span(5, 4, 'MCP Tool: time-get_time', 12, 20),
    {
      ...span(6, 3, 'openai.chat', 12, 30),
      attributes: { 'llm.request.type': 'chat', 'gen_ai.request.model': 'gpt-5' },
    },
  ]);
  expect(run?.source).toBe('fast-agent');
  expect(outline(run?.events ?? [])).toEqual([
    ...['my app', 'my app/PMO[1]', 'my app/PMO[1]/NY[1]', 'my app/PMO[1]/NY[2]'],
    ...['my app/PMO[1]/NY[1]#m1 gpt-5', 'my app/PMO[1]/NY[2]#t1 time-get_time mcp'],
  ]);
});
