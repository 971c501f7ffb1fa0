import { brandAs, type CallId } from '@/lib/base/ids';
import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import { asText } from '@/lib/interop/spans/reading/span-reader';
import type { Usage } from '@/lib/runtime/record/messages';
import type { Conversation, Turn, TurnCall } from './steps-of-conversation';

/** A trajectory that was read from a file. */
export interface ReadTrajectory {
  readonly sessionId: string;
  readonly conversation: Conversation;
}

/** Children are read to this depth. */
const deepest = 50;

/** Returns true for the Agent Trajectory Interchange Format, any version 1. */
export function isAtif(value: Json): value is JsonObject {
  return isRecord(value) && typeof value.schema_version === 'string' && value.schema_version.startsWith('ATIF-v1');
}

/** Reads an ATIF document (fast-agent's `--trajectory-output`, Harbor). Children are linked by the tool call that ran them. */
export function readAtif(document: JsonObject): ReadTrajectory {
  const children = new Map<string, JsonObject>();
  for (const child of listOf(document.subagent_trajectories)) {
    if (isRecord(child) && typeof child.trajectory_id === 'string')
      children.set(child.trajectory_id, child as JsonObject);
  }
  const conversation = conversationOf(document, children, deepest);
  return { sessionId: asText(document.session_id) ?? conversation.id, conversation };
}

function conversationOf(document: JsonObject, children: Map<string, JsonObject>, depth: number): Conversation {
  const agent = isRecord(document.agent) ? document.agent : {};
  const extra = isRecord(agent.extra) ? agent.extra : {};
  const steps = listOf(document.steps).filter(isRecord) as readonly JsonObject[];
  const turns: Turn[] = [];
  let readyAt: number | undefined;
  for (const step of steps) {
    if (step.source === 'agent') {
      turns.push(turnOf(step, readyAt, children, depth));
      readyAt = undefined;
    } else readyAt = timeOf(step.timestamp) ?? readyAt;
  }
  const asked = steps.find(({ source }) => source === 'user');
  const system = steps.filter(({ source }) => source === 'system').map(({ message }) => contentText(message));
  const { schema_version, final_metrics, notes } = document;
  return {
    id: asText(document.trajectory_id) ?? 'trajectory',
    agentName: asText(extra.target_agent as Json) ?? asText(agent.name as Json) ?? 'agent',
    model: asText(agent.model_name as Json),
    input: asked && contentText(asked.message),
    turns,
    rest: clean({
      schema_version,
      final_metrics,
      notes,
      agent: agent as JsonObject,
      ...(system.length > 0 && { system }),
    }),
  };
}

function turnOf(step: JsonObject, readyAt: number | undefined, children: Map<string, JsonObject>, depth: number): Turn {
  const extra = isRecord(step.extra) ? step.extra : {};
  const duration = typeof extra.duration_ms === 'number' ? extra.duration_ms : undefined;
  const text = contentText(step.message);
  const calls = listOf(step.tool_calls).filter(isRecord) as readonly JsonObject[];
  const results = isRecord(step.observation)
    ? (listOf(step.observation.results as Json).filter(isRecord) as readonly JsonObject[])
    : [];
  const metrics = isRecord(step.metrics) ? (step.metrics as JsonObject) : undefined;
  const { step_id, reasoning_effort, llm_call_count, extra: more } = step;
  return {
    at: timeOf(step.timestamp),
    durationMs: duration,
    readyAt,
    model: asText(step.model_name),
    message: {
      role: 'assistant',
      content: text === '' ? [] : [{ type: 'text', text }],
      ...(typeof step.reasoning_content === 'string' && { reasoning: step.reasoning_content }),
      toolCalls: calls.map((call) => ({
        id: brandAs<CallId>(asText(call.tool_call_id) ?? ''),
        name: asText(call.function_name) ?? '',
        argumentsText: JSON.stringify(call.arguments ?? {}),
      })),
      stopReason: calls.length > 0 ? 'tool_use' : 'end_turn',
    },
    usage: metrics && usageOf(metrics),
    costUsd: typeof metrics?.cost_usd === 'number' ? metrics.cost_usd : undefined,
    rest: clean({ step_id, reasoning_effort, llm_call_count, extra: more }),
    calls: calls.map((call) => callOf(call, results, children, depth)),
  };
}

function callOf(
  call: JsonObject,
  results: readonly JsonObject[],
  children: Map<string, JsonObject>,
  depth: number,
): TurnCall {
  const id = asText(call.tool_call_id) ?? '';
  const result = results.find(({ source_call_id }) => source_call_id === id);
  const extra = isRecord(result?.extra) ? result.extra : {};
  const below = listOf(result?.subagent_trajectory_ref).flatMap((ref): Conversation[] => {
    const name = isRecord(ref) && typeof ref.trajectory_id === 'string' ? ref.trajectory_id : '';
    const child = children.get(name);
    // A trajectory is drawn once, at the first call that names it.
    children.delete(name);
    return child === undefined || depth === 0 ? [] : [conversationOf(child, children, depth - 1)];
  });
  return {
    ...{ id, name: asText(call.function_name) ?? '', arguments: call.arguments ?? {} },
    result: result?.content,
    failed: extra.is_error === true,
    children: below,
  };
}

function usageOf(metrics: JsonObject): Usage {
  const count = (value: Json | undefined) => (typeof value === 'number' && value > 0 ? value : 0);
  return {
    inputTokens: count(metrics.prompt_tokens),
    outputTokens: count(metrics.completion_tokens),
    cachedInputTokens: count(metrics.cached_tokens),
    reasoningTokens: 0,
    modelCalls: 1,
  };
}

/** A message is text or a list of content parts. */
function contentText(message: Json | undefined): string {
  if (!Array.isArray(message)) return asText(message) ?? '';
  return message
    .map((part: Json) => (isRecord(part) ? (asText(part.text as Json) ?? JSON.stringify(part)) : asText(part)))
    .join('\n');
}

/** Reads a time with its zone. A time without a zone is taken as UTC. */
export function timeOf(value: Json | undefined): number | undefined {
  if (typeof value !== 'string') return undefined;
  const time = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(value) ? value : `${value}Z`);
  return Number.isNaN(time) ? undefined : time;
}

export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** Leaves out what is not there. */
export function clean(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}
