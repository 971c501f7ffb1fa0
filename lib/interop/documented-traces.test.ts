import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { brandAs, type RunId } from '@/lib/base/ids';
import { isJson, type Json, parseJson } from '@/lib/base/json';
import type { EventOf, RunEvent } from '@/lib/runtime/record/events';
import { type Message, type ToolCall, textOf } from '@/lib/runtime/record/messages';
import { costOfModels, formatCost, usageByModel } from '@/lib/trace/cost';
import { emptyTrace } from '@/lib/trace/empty-trace';
import { foldEvent } from '@/lib/trace/fold';
import type { ReceivedSpan } from './otlp/received-span';
import { runOfSpans } from './run-of-spans';

/*
 * Traces by the attributes that each framework documents, in a short form: times are milliseconds since the trace began. A file also
 * says what the run shows.
 */
const attributes = z.record(z.string(), z.custom<Json>(isJson));
const file = z.object({
  source: z.string(),
  scope: z.string(),
  group: z.string().optional(),
  shows: z.array(z.string()),
  spans: z.array(
    z.object({
      id: z.string(),
      parent: z.string().optional(),
      name: z.string(),
      from: z.number(),
      to: z.number(),
      attributes: attributes.default({}),
      events: z.array(z.object({ name: z.string(), attributes })).default([]),
    }),
  ),
});

const folder = path.join(import.meta.dirname, 'documented');
const names = readdirSync(folder).map((name) => name.replace('.json', ''));
const t0 = Date.parse('2025-11-20T08:40:00.000Z');

function read(name: string) {
  const { source, group, scope, shows, spans } = file.parse(
    JSON.parse(readFileSync(path.join(folder, `${name}.json`), 'utf8')),
  );
  const received = spans.map(
    (span): ReceivedSpan => ({
      ...{ traceId: 'a'.repeat(32), spanId: span.id, parentId: span.parent, name: span.name },
      ...{ start: t0 + span.from, end: t0 + span.to, attributes: span.attributes },
      events: span.events.map((event) => ({ ...event, at: t0 + span.to })),
      ...{ failed: false, scope, resource: { 'service.name': 'app' } },
    }),
  );
  const run = runOfSpans(brandAs<RunId>('run'), received.toReversed());
  return { source, group, shows, received, run, events: run?.events ?? [] };
}

test.each(names)('a documented trace of %s shows its agents, calls, texts, tokens and errors', (name) => {
  const { source, group, shows, run, events } = read(name);
  expect(run?.source).toBe(source);
  if (group !== undefined) expect(run?.correlationId).toBe(group);
  expect(outline(events)).toEqual(shows);
});

test.each(names)('nothing of a documented trace of %s is lost', (name) => {
  const { received, events } = read(name);
  const whole = leavesOf(JSON.parse(JSON.stringify(events)));
  const said = [...whole].join('\n');
  for (const { attributes: own, events: inside, name: called } of received) {
    for (const [key, value] of [
      ...Object.entries(own),
      ...inside.flatMap((event) => Object.entries(event.attributes)),
    ]) {
      // What a span is, is seen in how it is drawn.
      if (becomesTheKind.has(key) || formKeys.has(key.split('.').at(-1) ?? '')) continue;
      for (const leaf of leavesOf(value)) expect(said.includes(leaf), `${called}: ${key} = ${leaf}`).toBe(true);
    }
  }
});

const becomesTheKind = new Set([
  ...[
    'gen_ai.operation.name',
    'openinference.span.kind',
    'traceloop.span.kind',
    'langfuse.observation.type',
    'langsmith.span.kind',
    'span.type',
  ],
  ...['llm.request.type', 'success', 'tool.status', 'langfuse.observation.level', 'finish_reason', 'stop_reason'],
  // A time that is shown as milliseconds since the start.
  'langfuse.observation.completion_start_time',
]);

/** Returns all texts and numbers within a value, also within JSON that is text. Words of the messages' own form are left out. */
function leavesOf(value: Json): ReadonlySet<string> {
  const found = new Set<string>();
  const open: { readonly value: Json; readonly key?: string }[] = [{ value }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const inner = typeof at.value === 'string' ? parsedText(at.value) : at.value;
    if (typeof inner === 'object' && inner !== null) {
      for (const [key, member] of Object.entries(inner)) open.push({ value: member, key });
    } else if (inner !== null && inner !== '' && !formKeys.has(at.key ?? '')) found.add(String(inner));
  }
  return found;
}

const formKeys = new Set(['role', 'type', 'finish_reason', 'status', 'thought', 'decision', 'sanitize_inputs_outputs']);

function parsedText(text: string): Json {
  if (!/^["[{]/.test(text)) return text;
  return parseJson(text) ?? text;
}

/** Says in one line for each step what a reader sees of it. */
function outline(events: readonly RunEvent[]): readonly string[] {
  const trace = emptyTrace();
  for (const event of events) foldEvent(trace, event);
  const cost = formatCost(costOfModels(usageByModel(trace)));
  const isRecorded = Object.values(usageByModel(trace)).some(({ recorded }) => recorded !== undefined);
  const last = events.at(-1);
  const answer = last?.kind === 'run.finished' ? last.answer : undefined;
  return events.flatMap((event) => {
    if (event.kind === 'run.started')
      return [`run: ${event.message} -> ${answer ?? ''}${isRecorded ? ` ${cost}` : ''}`];
    if (event.kind === 'instance.started') return [instanceLine(event, events)];
    if (event.kind === 'model.started') return [modelLine(event, events)];
    if (event.kind === 'tool.started') return [toolLine(event, events)];
    if (event.kind === 'person.asked') return [waitLine(event, events)];
    return event.kind === 'hook.started' ? [`${event.step} ${event.hook} ${event.phase}`] : [];
  });
}

function instanceLine({ path: at, input }: EventOf<'instance.started'>, events: readonly RunEvent[]): string {
  const end = events.find((event) => event.kind === 'instance.ended' && event.path === at);
  if (end?.kind !== 'instance.ended') return at;
  return `${at}: ${input} -> ${end.answer ?? ''} (${end.usage.inputTokens}/${end.usage.outputTokens})`;
}

function modelLine({ step, model, request }: EventOf<'model.started'>, events: readonly RunEvent[]): string {
  const end = events.find((event) => event.kind === 'model.ended' && event.step === step);
  if (end?.kind !== 'model.ended') return step;
  const { message, usage, error, firstTokenMs } = end;
  const asked = [
    ...(typeof request?.instruction === 'string' && request.instruction !== '' ? [request.instruction] : []),
    ...(request?.added ?? []).flatMap((one) => ('message' in one ? [messageLine(one.message)] : [])),
  ];
  const said = message === undefined ? [] : [textOf(message.content), ...message.toolCalls.map(callLine)];
  const counts = [
    `${usage.inputTokens}/${usage.outputTokens}`,
    ...(usage.cachedInputTokens > 0 ? [`${usage.cachedInputTokens} cached`] : []),
    ...(usage.reasoningTokens > 0 ? [`${usage.reasoningTokens} reasoning`] : []),
  ];
  return [
    `${step} ${model}:`,
    ...asked.join(' | ').split('\u0000').filter(Boolean),
    '->',
    ...said.filter(Boolean),
    `[${counts.join(', ')}]`,
    ...(firstTokenMs === undefined ? [] : [`first token ${firstTokenMs}`]),
    ...(error === undefined ? [] : [`(failed: ${error.message})`]),
  ].join(' ');
}

function messageLine(message: Message): string {
  if (message.role === 'tool') return `tool: ${message.results.map(({ result }) => textOf(result.content)).join(', ')}`;
  const calls = message.role === 'assistant' ? message.toolCalls.map(callLine) : [];
  return `${message.role}: ${[textOf(message.content), ...calls].filter(Boolean).join(' ')}`;
}

function callLine({ name, argumentsText }: ToolCall): string {
  return `${name}(${argumentsText})`;
}

function toolLine({ step, toolName, arguments: given }: EventOf<'tool.started'>, events: readonly RunEvent[]): string {
  const end = events.find((event) => event.kind === 'tool.ended' && event.step === step);
  if (end?.kind !== 'tool.ended') return step;
  const result = textOf(end.result.content);
  return `${step} ${toolName} ${JSON.stringify(given)} ->${result && ` ${result}`}${end.result.isError ? ' (failed)' : ''}`;
}

function waitLine({ step, item, at }: EventOf<'person.asked'>, events: readonly RunEvent[]): string {
  const end = events.find((event) => event.kind === 'person.answered' && event.item === item);
  if (end?.kind !== 'person.answered') return step;
  return `${step} waits for ${end.answer?.by}: ${end.answer?.decision} after ${end.at - at}`;
}
