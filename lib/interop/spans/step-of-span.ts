import type { Json } from '@/lib/base/json';
import type { ImportedKind, ImportedOutcome, ImportedStep } from '@/lib/interop/log/imported-step';
import { toolResultOf } from '@/lib/interop/log/tool-result';
import type { ReceivedSpan } from '@/lib/interop/otlp/received-span';
import type { RunError, ToolSource } from '@/lib/runtime/record/events';
import type { Usage } from '@/lib/runtime/record/messages';
import { fastAgentAgent, fastAgentTool, kindOfSpan } from './kind-of-span';
import { lastSaid, readAnswer, readRequest } from './read-messages';
import { asText, isObject, parsed, SpanReader } from './span-reader';

type Fields = Partial<ImportedStep>;

/** Turns a received span into a step, by whichever convention its attributes follow. */
export function stepOfSpan(span: ReceivedSpan): ImportedStep {
  const reader = new SpanReader(span.attributes);
  const kind = kindOfSpan(span, reader);
  const end = endOf(span);
  const fields = fieldsOf(kind, span, reader);
  const { outcome, error } = outcomeOf(span, reader);
  const queuedMs = reader.count('callboard.queued_ms');
  return {
    id: span.spanId,
    parent: span.parentId === span.spanId ? undefined : span.parentId,
    kind,
    name: fields.name ?? span.name,
    original: span.name,
    start: span.start,
    end,
    outcome,
    error,
    ...fields,
    path: kind === 'agent' ? reader.text('callboard.instance') : undefined,
    ...(queuedMs !== undefined && { queuedMs }),
    ...(isPartOfLoop(reader) && { isPart: true }),
    rest: { ...reader.rest(), ...eventsLeft(span) },
    estimated: end === undefined ? ['end'] : [],
  };
}

/** Mastra has a span for the whole loop of a model, and one for each step of it. The calls are inside of both. */
function isPartOfLoop(reader: SpanReader): boolean {
  const type = reader.text('mastra.span.type');
  return type === 'model_generation' || type === 'model_step' || type === 'llm_generation';
}

/** A span of Callboard that was open when it was exported has an end only because OTLP wants one. */
function endOf({ start, end, attributes }: ReceivedSpan): number | undefined {
  if (attributes['callboard.status'] === 'open') return undefined;
  return end === undefined ? undefined : Math.max(start, end);
}

function fieldsOf(kind: ImportedKind, span: ReceivedSpan, reader: SpanReader): Fields {
  switch (kind) {
    case 'agent':
      return agentFields(span, reader);
    case 'model':
      return modelFields(span, reader);
    case 'tool':
      return toolFields(span, reader);
    case 'hook':
      return { name: reader.text('callboard.hook') ?? span.name, phase: reader.text('callboard.phase') ?? 'guardrail' };
    case 'setup':
      return { name: span.name.replace(/^callboard\.setup /, ''), phase: reader.text('callboard.setup') };
    case 'step':
    case 'unknown':
      return { ...inputAndOutput(reader), name: reader.text('traceloop.entity.name') ?? span.name };
  }
}

function agentFields(span: ReceivedSpan, reader: SpanReader): Fields {
  const named = fastAgentAgent.exec(span.name)?.[1]?.replace(/\[\d+\]$/, '');
  const name =
    named ??
    reader.text(
      'gen_ai.agent.name',
      'gen_ai.workflow.name',
      'agent.name',
      'graph.node.id',
      'traceloop.entity.name',
      'ai.telemetry.functionId',
    ) ??
    reader.text('agent_name', 'resource.name', 'operation.name') ??
    span.name.replace(/^(?:invoke_agent|invoke_workflow) (?=.)/, '');
  const { input, output } = inputAndOutput(reader);
  const asked = readRequest(reader.unmarked(), span.events);
  const answer = readAnswer(reader, span.events);
  const lastAsked = asked.findLast(({ role }) => role === 'user')?.text;
  const [answered] = answer?.content ?? [];
  return {
    name,
    input: lastAsked ?? promptOf(reader.value('ai.prompt')) ?? input,
    output: (answered?.type === 'text' ? answered.text : undefined) ?? output,
    model: reader.text('gen_ai.request.model', 'ai.model.id', 'llm.model_name', 'model_name'),
    usage: usageOf(reader),
  };
}

/** The Vercel AI SDK writes `{system, prompt}` or `{messages}`. */
function promptOf(prompt: Json | undefined): string | undefined {
  if (!isObject(prompt)) return asText(prompt);
  if (typeof prompt.prompt === 'string') return prompt.prompt;
  return asText(prompt.messages ?? prompt.prompt);
}

function modelFields(span: ReceivedSpan, reader: SpanReader): Fields {
  // The request stays among the attributes that are shown: our events have no place for it.
  const request = readRequest(reader.unmarked(), span.events);
  const answer = readAnswer(reader, span.events);
  const model = reader.text(
    'gen_ai.request.model',
    'ai.model.id',
    'llm.model_name',
    'gen_ai.response.model',
    'embedding.model_name',
  );
  const seconds = reader.count('gen_ai.response.time_to_first_chunk', 'gen_ai.server.time_to_first_token');
  const milliseconds = reader.count('ai.response.msToFirstChunk', 'llm.time_to_first_token_ms');
  const usage = usageOf(reader);
  return {
    name: model ?? span.name,
    model,
    provider: reader.text('gen_ai.provider.name', 'gen_ai.system', 'ai.model.provider', 'llm.provider', 'llm.system'),
    message: answer ?? answerFromOutput(reader),
    messageCount: request.length,
    input: request.findLast(({ role }) => role === 'user')?.text,
    tools: toolNames(reader.unmarked()),
    usage: usage && { ...usage, modelCalls: 1 },
    costUsd: reader.count('gen_ai.usage.cost', 'llm.cost.total', 'operation.cost', 'gen_ai.usage.total_cost'),
    firstTokenMs: seconds === undefined ? milliseconds : seconds * 1_000,
  };
}

/** A span without messages may still have the output as text. */
function answerFromOutput(reader: SpanReader): ImportedStep['message'] {
  const { output } = inputAndOutput(reader);
  if (output === undefined) return undefined;
  return { role: 'assistant', content: [{ type: 'text', text: output }], toolCalls: [], stopReason: 'end_turn' };
}

/** Names of the offered tools: `gen_ai.tool.definitions`, `ai.prompt.tools`, `llm.tools.N.tool.json_schema`, `llm.request.functions.N.name`. */
function toolNames(reader: SpanReader): readonly string[] {
  const value = reader.value('gen_ai.tool.definitions', 'ai.prompt.tools', 'gen_ai.request.tools');
  const listed = (Array.isArray(value) ? value : []).map((tool: Json) => parsed(tool));
  const numbered = [
    ...reader.numbered('llm.tools'),
    ...reader.numbered('llm.request.functions'),
    ...reader.numbered('gen_ai.request.tools'),
  ];
  const flat = numbered.map((entry) =>
    parsed(entry['tool.json_schema'] ?? entry['function.name'] ?? entry.name ?? null),
  );
  return [...listed, ...flat].flatMap((tool) => {
    if (typeof tool === 'string') return [tool];
    if (!isObject(tool)) return [];
    const name = isObject(tool.function) ? tool.function.name : tool.name;
    return typeof name === 'string' ? [name] : [];
  });
}

function toolFields(span: ReceivedSpan, reader: SpanReader): Fields {
  const fast = fastAgentTool.exec(span.name)?.[1];
  const server = reader.text('callboard.tool_server', 'server_name', 'mcp.server.name', 'gen_ai.tool.server');
  const name =
    reader.text('gen_ai.tool.name', 'ai.toolCall.name', 'tool.name', 'tool_name', 'traceloop.entity.name') ??
    fast ??
    span.name.replace(/^(?:execute_tool|tools\/call|running tool:) (?=.)/, '');
  const given = inputAndOutput(reader);
  const args = reader.value(
    'gen_ai.tool.call.arguments',
    'ai.toolCall.args',
    'ai.toolCall.input',
    'tool.parameters',
    'tool_arguments',
  );
  const result = reader.value(
    'gen_ai.tool.call.result',
    'ai.toolCall.result',
    'ai.toolCall.output',
    'tool_response',
    'retrieval.documents',
  );
  const isMcp =
    fast !== undefined ||
    server !== undefined ||
    reader.has('mcp.method.name') ||
    reader.text('mastra.span.type') === 'mcp_tool_call';
  const declared = reader.text('callboard.tool_source');
  const { outcome, error } = outcomeOf(span, reader);
  return {
    name,
    callId: reader.text('gen_ai.tool.call.id', 'ai.toolCall.id', 'tool_call.id', 'tool.id'),
    source: sources.find((source) => source === declared) ?? (isMcp ? 'mcp' : 'function'),
    serverName: server,
    arguments: args ?? parsed(given.input ?? null) ?? undefined,
    result: toolResultOf(
      result ?? given.output,
      outcome === 'ok' ? undefined : (error?.message ?? 'The call failed.'),
      outcome,
    ),
  };
}

const sources: readonly ToolSource[] = ['mcp', 'function', 'agent', 'runtime'];

function inputAndOutput(reader: SpanReader): {
  readonly input: string | undefined;
  readonly output: string | undefined;
} {
  const input = reader.value(
    'input.value',
    'traceloop.entity.input',
    'mlflow.spanInputs',
    'langfuse.observation.input',
    'lk.input',
    'mastra.agent_run.input',
    'mastra.workflow_run.input',
    'mastra.model_generation.input',
    'mastra.model_step.input',
    'input',
  );
  const output = reader.value(
    'output.value',
    'traceloop.entity.output',
    'mlflow.spanOutputs',
    'langfuse.observation.output',
    'final_result',
    'mastra.agent_run.output',
    'mastra.workflow_run.output',
    'mastra.model_generation.output',
    'mastra.model_step.output',
    'output',
  );
  return {
    input: lastSaid(input, 'user') ?? asText(input),
    output: lastSaid(output, 'assistant') ?? textIn(output) ?? asText(output),
  };
}

/** Mastra writes what an agent said as `{text, files, …}`. */
function textIn(output: Json | undefined): string | undefined {
  const value = output === undefined ? undefined : parsed(output);
  return isObject(value) && typeof value.text === 'string' && value.text !== '' ? value.text : undefined;
}

/** Tokens by the three generations of the GenAI conventions, OpenInference and the Vercel AI SDK. */
function usageOf(reader: SpanReader): Usage | undefined {
  const input = reader.count(
    'gen_ai.usage.input_tokens',
    'gen_ai.usage.prompt_tokens',
    'llm.token_count.prompt',
    'ai.usage.inputTokens',
    'ai.usage.promptTokens',
    'ai.usage.tokens',
  );
  const output = reader.count(
    'gen_ai.usage.output_tokens',
    'gen_ai.usage.completion_tokens',
    'llm.token_count.completion',
    'ai.usage.outputTokens',
    'ai.usage.completionTokens',
  );
  const cached = reader.count(
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.usage.cache_read_input_tokens',
    'llm.token_count.prompt_details.cache_read',
    'ai.usage.cachedInputTokens',
    'gen_ai.usage.cached_input_tokens',
  );
  const written = reader.count(
    'gen_ai.usage.cache_creation.input_tokens',
    'gen_ai.usage.cache_write.input_tokens',
    'gen_ai.usage.cache_creation_input_tokens',
    'llm.token_count.prompt_details.cache_write',
  );
  const reasoning = reader.count(
    'gen_ai.usage.reasoning.output_tokens',
    'gen_ai.usage.reasoning_tokens',
    'llm.token_count.completion_details.reasoning',
    'ai.usage.reasoningTokens',
  );
  if (input === undefined && output === undefined) return undefined;
  return {
    inputTokens: input ?? 0,
    outputTokens: output ?? 0,
    cachedInputTokens: cached ?? 0,
    reasoningTokens: reasoning ?? 0,
    ...(written !== undefined && written > 0 && { cacheWriteTokens: written }),
    modelCalls: 0,
  };
}

function outcomeOf(
  span: ReceivedSpan,
  reader: SpanReader,
): { readonly outcome: ImportedOutcome; readonly error: RunError | undefined } {
  const status = reader.text('callboard.status');
  if (status === 'cancelled' || status === 'interrupted') return { outcome: 'cancelled', error: undefined };
  const exception = span.events.find(({ name }) => name === 'exception')?.attributes;
  const toolError = reader.text('error.type') === 'tool_error';
  if (!span.failed && !toolError && exception?.['exception.escaped'] !== true)
    return { outcome: 'ok', error: undefined };
  const code = reader.text('error.type') ?? asText(exception?.['exception.type']) ?? 'failed';
  const said = span.statusMessage ?? reader.text('error.message') ?? asText(exception?.['exception.message']);
  const message = said ?? 'The span reports an error without a message.';
  if (/cancel|abort/i.test(code)) return { outcome: 'cancelled', error: { code, message } };
  return { outcome: status === 'timeout' || /timeout/i.test(code) ? 'timeout' : 'failed', error: { code, message } };
}

/** Events of a span stay visible with what could not be mapped, except those that are the answer. */
function eventsLeft({ events }: ReceivedSpan): { readonly [key: string]: Json } {
  const left = events.filter(({ name }) => name !== 'gen_ai.choice');
  if (left.length === 0) return {};
  return { 'span.events': left.map(({ name, at, attributes }) => ({ name, at, attributes })) };
}
