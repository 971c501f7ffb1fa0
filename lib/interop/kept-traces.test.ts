import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { brandAs, type RunId } from '@/lib/base/ids';
import type { RunEvent } from '@/lib/runtime/record/events';
import { asRecorded, didOfEvents } from '@/lib/testing/did-of-events';
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

const did = z.object({
  models: z.array(z.record(z.string(), z.json())),
  tools: z.array(z.record(z.string(), z.json())),
  unrecorded: z.array(z.string()),
});
const versions = ['vercel-ai-5', 'vercel-ai-6', 'vercel-ai-7', 'openai-agents', 'mastra', 'langgraph'];
const newest = versions.flatMap((name) => ['answered', 'refused'].map((scene) => `${name}-${scene}`));

/** What the agents did while they sent the spans, as `bench/frameworks` noted it. */
function readDid(name: string) {
  return did.parse(JSON.parse(readFileSync(path.join(import.meta.dirname, 'kept', `${name}.json`), 'utf8')));
}

const byText = (list: readonly unknown[]) => list.map((one) => JSON.stringify(one)).toSorted();

test.each(newest)('%s: calls, arguments, results, messages, tokens and errors are what the agents did', (name) => {
  const { spans, events } = read(name);
  const { unrecorded, ...truth } = readDid(name);
  const shown = asRecorded(didOfEvents(events), unrecorded);
  const happened = asRecorded(truth, unrecorded);
  expect(byText(shown.models)).toEqual(byText(happened.models));
  expect(byText(shown.tools)).toEqual(byText(happened.tools));
  const sum = (field: string) => truth.models.reduce((all, one) => all + Number(one[field] ?? 0), 0);
  expect(events.at(-1)).toMatchObject({
    status: 'completed',
    usage: { inputTokens: sum('input'), outputTokens: sum('output'), modelCalls: truth.models.length },
  });
  const known = events.flatMap(({ imported }) => (imported === undefined ? [] : [imported]));
  const folded = known.flatMap(({ attributes }) => attributes.folded_spans ?? []);
  expect(known.length + folded.length).toBe(spans.length);
});

test.each(newest)('%s: the packing expert is an agent of its own below the call that asks it', (name) => {
  const { source, events } = read(name);
  expect(source).toBe(name.replace(/(?:-\d+)?-(?:answered|refused)$/, ''));
  expect(events.find(({ kind }) => kind === 'run.started')).toMatchObject({
    message: 'What do I take to Paris and Oslo?',
  });
  expect(events.at(-1)).toMatchObject({ answer: expect.stringContaining('It is sunny in Paris. Take a coat.') });
  const queued = events.flatMap((event) => (event.kind === 'instance.queued' ? [event] : []));
  const packer = queued.find(({ agentName }) => agentName === 'packer');
  expect(queued.map(({ agentName }) => agentName)).toContain('planner');
  const call = events.find((event) => event.kind === 'tool.started' && /packer/.test(event.toolName));
  expect(call).toMatchObject({ source: 'agent' });
  const end = events.find((event) => event.kind === 'instance.ended' && event.path === packer?.path);
  expect(end).toMatchObject(
    name.endsWith('refused') ? { status: 'failed' } : { status: 'completed', answer: 'Take a coat.' },
  );
  const tools = events.flatMap((event) => (event.kind === 'tool.started' ? [event.toolName] : []));
  expect(tools).toHaveLength(3);
});

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
