import type { Json, JsonObject } from '@/lib/base/json';
import type { ImportedKind, ImportedStep } from '@/lib/interop/log/imported-step';
import { callFailed, toolResultOf } from '@/lib/interop/log/tool-result';
import type { ReceivedSpan } from '@/lib/interop/otlp/received-span';
import type { ToolSource } from '@/lib/runtime/record/events';
import { spanLinksKey } from '@/lib/trace/span-links';
import { conventions, factNames, jsonTexts } from './conventions/list';
import { kindOfSpan } from './kind-of-span';
import { outcomeOfSpan } from './outcome-of-span';
import { argumentsOf, inputText, outputText } from './reading/input-and-output';
import { assistantOf, messagesOf, type ReadMessage, readAnswer, readRequest } from './reading/read-messages';
import { requestFields } from './reading/request-fields';
import { isObject, SpanReader } from './reading/span-reader';
import type { StepFields } from './reading/step-fields';
import { usageOfSpan } from './reading/usage-of-span';

/** Turns a received span into a step, by whichever conventions its attributes follow. */
export function stepOfSpan(span: ReceivedSpan): ImportedStep {
  const reader = new SpanReader(span.attributes, { events: span.events, names: factNames, jsonTexts });
  const kind = kindOfSpan(span, reader);
  const end = endOf(span);
  const { outcome, error } = outcomeOfSpan(span, reader);
  const known = knownFields(kind, span, reader);
  const fields = { ...fieldsOf(kind, span, reader, known), ...known };
  const queuedMs = reader.count('callboard.queued_ms');
  const isNoise = conventions.some((convention) => convention.isNoise?.(span, reader));
  return {
    id: span.spanId,
    parent: span.parentId === span.spanId ? undefined : span.parentId,
    kind,
    original: span.name,
    start: span.start,
    end,
    outcome,
    error,
    ...fields,
    name: fields.name ?? span.name,
    path: kind === 'agent' ? reader.text('callboard.instance') : undefined,
    ...(queuedMs !== undefined && { queuedMs }),
    ...(isNoise && { isNoise }),
    rest: { ...reader.rest(), ...known.rest, ...span.more, ...linksOf(span) },
    by: span.scope,
    whole: span.attributes,
    estimated: estimatesOf(span, end),
  };
}

/** Links are kept in full. `run-of-spans.ts` adds the names of those that lead to spans of the same trace. */
export function linksOf({ links = [] }: ReceivedSpan): JsonObject {
  if (links.length === 0) return {};
  const list = links.map(({ traceId, spanId, attributes }) => ({
    trace_id: traceId,
    span_id: spanId,
    ...(Object.keys(attributes).length > 0 && { attributes }),
  }));
  return { [spanLinksKey]: list };
}

function estimatesOf({ start, end }: ReceivedSpan, shown: number | undefined): readonly string[] {
  if (shown === undefined) return ['end'];
  return end !== undefined && end < start
    ? [`end: the source says ${(start - end).toFixed(3)} ms before the start`]
    : [];
}

/** A span of Callboard that was open when it was exported has an end only because OTLP wants one. */
function endOf({ start, end, attributes }: ReceivedSpan): number | undefined {
  if (attributes['callboard.status'] === 'open') return undefined;
  return end === undefined ? undefined : Math.max(start, end);
}

/** Returns what the conventions read themselves. The first that says something wins. */
function knownFields(kind: ImportedKind, span: ReceivedSpan, reader: SpanReader): StepFields {
  const known: StepFields[] = [];
  for (const { read } of conventions) {
    const fields = read?.({ span, reader, kind });
    if (fields !== undefined) known.unshift(withoutAbsent(fields));
  }
  return Object.assign({}, ...known);
}

function withoutAbsent(fields: StepFields): StepFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function fieldsOf(kind: ImportedKind, span: ReceivedSpan, reader: SpanReader, known: StepFields): StepFields {
  switch (kind) {
    case 'agent':
      return agentFields(span, reader, known);
    case 'model':
      return modelFields(span, reader, known);
    case 'tool':
      return toolFields(span, reader, known);
    case 'hook':
      return { phase: 'guardrail' };
    case 'setup':
    case 'wait':
      return {};
    case 'step':
    case 'unknown':
      return {
        input: known.input ?? inputText(reader),
        output: known.output ?? outputText(reader),
        usage: known.usage ?? usageOfSpan(reader),
        costUsd: known.costUsd ?? reader.factCount('costUsd'),
      };
  }
}

function agentFields(span: ReceivedSpan, reader: SpanReader, known: StepFields): StepFields {
  const name =
    known.name ?? reader.fact('agentName') ?? span.name.replace(/^(?:invoke_agent|invoke_workflow) (?=.)/, '');
  return {
    name,
    input: known.input ?? lastAsked(reader) ?? inputText(reader),
    output: known.output ?? lastAnswered(reader) ?? outputText(reader),
    model: reader.fact('model'),
    usage: known.usage ?? usageOfSpan(reader),
    costUsd: known.costUsd ?? reader.factCount('costUsd'),
  };
}

/** A conversation has more than the last question, so it stays visible beside it. */
function lastAsked(reader: SpanReader): string | undefined {
  const asked = readRequest(reader.unmarked());
  if (asked.length === 1) readRequest(reader);
  return asked.findLast(({ role, text }) => role === 'user' && text !== '')?.text;
}

function lastAnswered(reader: SpanReader): string | undefined {
  const answer = readAnswer(reader.unmarked());
  const [said] = answer?.content ?? [];
  if (said?.type !== 'text') return undefined;
  if (answer?.reasoning === undefined && answer?.toolCalls.length === 0) readAnswer(reader);
  return said.text;
}

function modelFields(span: ReceivedSpan, reader: SpanReader, known: StepFields): StepFields {
  const model = reader.fact('model');
  const usage = known.usage ?? usageOfSpan(reader);
  const seconds = reader.factCount('firstTokenSeconds');
  const milliseconds = reader.factCount('firstTokenMs');
  return {
    name: model ?? span.name,
    model,
    provider: reader.fact('provider'),
    ...(known.request === undefined && requestOf(reader)),
    message: known.message ?? readAnswer(reader) ?? answerFromOutput(reader),
    usage: usage && { ...usage, modelCalls: 1 },
    costUsd: known.costUsd ?? reader.factCount('costUsd'),
    firstTokenMs: seconds === undefined ? milliseconds : seconds * 1_000,
  };
}

function requestOf(reader: SpanReader): StepFields {
  const messages = askedIn(reader);
  const isKnown = messages.length > 0;
  const params = isKnown ? reader.factValue('params') : undefined;
  return requestFields({
    messages,
    instruction: reader.factValue('instructions'),
    tools: toolsIn(reader.unmarked()),
    params: isObject(params) ? params : {},
  });
}

/** A span without messages may have them as its input. */
function askedIn(reader: SpanReader): readonly ReadMessage[] {
  const messages = readRequest(reader);
  if (messages.length > 0) return messages;
  const given = messagesOf(reader.unmarked().factValue('input'));
  if (given.length > 0 && given.every(({ isWhole }) => isWhole)) reader.factValue('input');
  return given;
}

/** A span without messages may still have the output as a message or as text. */
function answerFromOutput(reader: SpanReader): ImportedStep['message'] {
  const said = messagesOf(reader.unmarked().factValue('output')).filter(({ role }) => role === 'assistant');
  if (said.length > 0) {
    if (said.every(({ isWhole }) => isWhole)) reader.factValue('output');
    return assistantOf(said, undefined);
  }
  const output = outputText(reader);
  if (output === undefined) return undefined;
  return { role: 'assistant', content: [{ type: 'text', text: output }], toolCalls: [], stopReason: 'end_turn' };
}

/** Definitions of offered tools: a list, or attributes with numbers. */
function toolsIn(reader: SpanReader): readonly Json[] {
  const value = reader.value('gen_ai.tool.definitions', 'ai.prompt.tools', 'gen_ai.request.tools');
  const numbered = ['llm.tools', 'llm.request.functions', 'gen_ai.request.tools'].flatMap((prefix) =>
    reader.numbered(prefix).map((entry) => entry['tool.json_schema'] ?? entry['function.name'] ?? entry.name ?? null),
  );
  return [...(Array.isArray(value) ? value : []), ...numbered];
}

function toolFields(span: ReceivedSpan, reader: SpanReader, known: StepFields): StepFields {
  const server = reader.fact('serverName');
  const name =
    known.name ?? reader.fact('toolName') ?? span.name.replace(/^(?:execute_tool|tools\/call|running tool:) (?=.)/, '');
  const declared = reader.text('callboard.tool_source');
  const { outcome, error } = outcomeOfSpan(span, reader);
  const failure = outcome === 'ok' ? undefined : (error?.message ?? callFailed);
  const result = known.output ?? reader.factValue('result') ?? outputText(reader);
  return {
    name,
    callId: reader.fact('callId'),
    source:
      sources.find((source) => source === declared) ?? known.source ?? (server === undefined ? 'function' : 'mcp'),
    serverName: server,
    arguments: known.arguments ?? argumentsIn(reader),
    result: toolResultOf(result, failure, outcome),
  };
}

/** `tool.parameters` has the schema of a tool beside its input, and the arguments of a call without one. */
function argumentsIn(reader: SpanReader): Json | undefined {
  const own = reader.factValue('arguments');
  if (own !== undefined) return own;
  const schema = reader.unmarked().value('tool.parameters');
  const input = reader.factValue('input');
  return input === undefined ? reader.value('tool.parameters') : argumentsOf(input, schema);
}

const sources: readonly ToolSource[] = ['mcp', 'function', 'agent', 'runtime'];
