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

/** The ATIF documents of an import, by their paths. */
export type AtifFiles = ReadonlyMap<string, JsonObject>;

/** Returns the paths of documents that others name as their children or their continuation. They are no runs. */
export function namedAtif(files: AtifFiles): ReadonlySet<string> {
  const named = new Set<string>();
  for (const [path, document] of files) {
    const { continued_trajectory_ref, steps, subagent_trajectories } = document;
    const all = [
      ...listOf(steps),
      ...listOf(subagent_trajectories).flatMap((one) => (isRecord(one) ? listOf(one.steps as Json) : [])),
    ];
    const refs = [continued_trajectory_ref, ...all.flatMap(refsOf).map(({ trajectory_path }) => trajectory_path)];
    for (const ref of refs) {
      const found = typeof ref === 'string' ? besidePath(path, ref) : path;
      if (found !== path && files.has(found)) named.add(found);
    }
  }
  return named.size === files.size ? new Set() : named;
}

function refsOf(step: Json): readonly JsonObject[] {
  const observation = isRecord(step) && isRecord(step.observation) ? step.observation : {};
  return listOf(observation.results as Json).flatMap((result) =>
    isRecord(result) ? (listOf(result.subagent_trajectory_ref as Json).filter(isRecord) as JsonObject[]) : [],
  );
}

function besidePath(from: string, ref: string): string {
  const parts = from.split('/').slice(0, -1);
  for (const part of ref.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

/**
 * Reads an ATIF document (fast-agent's `--trajectory-output`, Harbor). Children are linked by the tool call that ran them, whether they are
 * in the document or in other files, and so is its continuation.
 */
export function readAtif(path: string, files: AtifFiles): ReadTrajectory {
  const document = files.get(path) ?? {};
  const conversation = new AtifReader(files).conversationOf(document, path, deepest);
  return { sessionId: asText(document.session_id) ?? conversation.id, conversation };
}

class AtifReader {
  /** Children within documents, by their id. A trajectory is drawn once, at the first call that names it. */
  private readonly children = new Map<string, JsonObject>();
  private readonly taken = new Set<string>();

  constructor(private readonly files: AtifFiles) {}

  conversationOf(document: JsonObject, path: string, depth: number): Conversation {
    this.taken.add(path);
    this.addChildren(document);
    const agent = isRecord(document.agent) ? document.agent : {};
    const extra = isRecord(agent.extra) ? agent.extra : {};
    const { steps, missing } = this.stepsOf(document, path);
    const agentSteps = steps.filter(({ source }) => source === 'agent');
    const hasResults = steps.some((step) => resultsOf(step).some(({ source_call_id }) => source_call_id != null));
    const turns: Turn[] = [];
    let readyAt: number | undefined;
    for (const step of steps) {
      if (step.source === 'agent') {
        const isAnswered = hasResults || step === agentSteps.at(-1);
        turns.push(turnOf(step, readyAt, (call) => this.callOf(call, step, isAnswered, path, depth)));
        readyAt = undefined;
      } else readyAt = timeOf(step.timestamp) ?? readyAt;
    }
    const asked = steps.find(({ source }) => source === 'user');
    const system = steps.filter(({ source }) => source === 'system').map(({ message }) => contentText(message));
    const { schema_version, final_metrics, notes } = document;
    return {
      id: asText(document.trajectory_id) ?? (path === '' ? 'trajectory' : path),
      agentName: asText(extra.target_agent as Json) ?? asText(agent.name as Json) ?? 'agent',
      model: asText(agent.model_name as Json),
      input: asked && contentText(asked.message),
      turns,
      ...totalsOf(final_metrics, turns),
      notes: missing.map((ref) => `The trajectory goes on in ${ref}, which was not imported.`),
      rest: clean({
        schema_version,
        final_metrics,
        notes,
        agent: agent as JsonObject,
        ...(missing.length > 0 && { continued_trajectory_ref: missing.join() }),
        ...(system.length > 0 && { system }),
      }),
    };
  }

  private addChildren(document: JsonObject): void {
    for (const child of listOf(document.subagent_trajectories)) {
      if (isRecord(child) && typeof child.trajectory_id === 'string')
        this.children.set(child.trajectory_id, child as JsonObject);
    }
  }

  /** Returns the steps of a document and of those that go on from it, and the names of those that are not there. */
  private stepsOf(document: JsonObject, path: string): { steps: readonly JsonObject[]; missing: readonly string[] } {
    const steps = listOf(document.steps).filter(isRecord) as JsonObject[];
    const ref = asText(document.continued_trajectory_ref);
    if (ref === undefined || ref === '') return { steps, missing: [] };
    const next = besidePath(path, ref);
    const more = this.files.get(next);
    if (more === undefined || this.taken.has(next)) return { steps, missing: more === undefined ? [ref] : [] };
    this.taken.add(next);
    this.addChildren(more);
    const rest = this.stepsOf(more, next);
    // What a continuation repeats is there already.
    return {
      steps: [...steps, ...rest.steps.filter((step) => step.is_copied_context !== true)],
      missing: rest.missing,
    };
  }

  private callOf(call: JsonObject, step: JsonObject, isAnswered: boolean, path: string, depth: number): TurnCall {
    const id = asText(call.tool_call_id) ?? '';
    const result = resultsOf(step).find(({ source_call_id }) => source_call_id === id);
    const extra = isRecord(result?.extra) ? result.extra : {};
    const refs = listOf(result?.subagent_trajectory_ref).filter(isRecord) as readonly JsonObject[];
    const found = refs.map((ref) => this.childOf(ref, path, depth));
    const away = refs.filter((_, place) => found[place] === undefined);
    return {
      ...{ id, name: asText(call.function_name) ?? '', arguments: call.arguments ?? {} },
      result: result?.content,
      failed: extra.is_error === true,
      isUnanswered: result === undefined && isAnswered,
      rest: away.length === 0 ? {} : { child_trajectory_not_imported: away },
      children: found.filter((child) => child !== undefined),
    };
  }

  private childOf(ref: JsonObject, path: string, depth: number): Conversation | undefined {
    const id = asText(ref.trajectory_id) ?? '';
    const file = typeof ref.trajectory_path === 'string' ? besidePath(path, ref.trajectory_path) : '';
    const inside = this.children.get(id);
    this.children.delete(id);
    if (depth === 0) return undefined;
    if (inside !== undefined) return this.conversationOf(inside, path, depth - 1);
    const beside = this.files.get(file);
    return beside === undefined || this.taken.has(file) ? undefined : this.conversationOf(beside, file, depth - 1);
  }
}

function resultsOf({ observation }: JsonObject): readonly JsonObject[] {
  return isRecord(observation) ? (listOf(observation.results as Json).filter(isRecord) as JsonObject[]) : [];
}

/** Returns the totals that a document reports, where its steps have no figures. */
function totalsOf(final: Json | undefined, turns: readonly Turn[]): Pick<Conversation, 'usage' | 'costUsd'> {
  if (!isRecord(final)) return {};
  const { total_prompt_tokens, total_completion_tokens, total_cached_tokens, total_cost_usd } = final as JsonObject;
  const isCounted = turns.some(({ usage }) => usage !== undefined);
  const usage = usageOf({
    prompt_tokens: total_prompt_tokens ?? 0,
    completion_tokens: total_completion_tokens ?? 0,
    cached_tokens: total_cached_tokens ?? 0,
  });
  const hasCost = turns.some(({ costUsd }) => costUsd !== undefined);
  return {
    ...(!isCounted && usage.inputTokens + usage.outputTokens > 0 && { usage: { ...usage, modelCalls: 0 } }),
    ...(!hasCost && typeof total_cost_usd === 'number' && { costUsd: total_cost_usd }),
  };
}

function turnOf(step: JsonObject, readyAt: number | undefined, callOf: (call: JsonObject) => TurnCall): Turn {
  const extra = isRecord(step.extra) ? step.extra : {};
  const duration = typeof extra.duration_ms === 'number' ? extra.duration_ms : undefined;
  const text = contentText(step.message);
  const calls = listOf(step.tool_calls).filter(isRecord) as readonly JsonObject[];
  // Results without a call are notes of the environment.
  const observed = resultsOf(step).filter(({ source_call_id }) => source_call_id == null);
  const isCopy = step.is_copied_context === true;
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
    rest: clean({
      ...{ step_id, reasoning_effort, llm_call_count, extra: more },
      ...(observed.length > 0 && { observed }),
      ...(isCopy && { is_copied_context: true, copied_calls: calls }),
    }),
    isCopy,
    calls: isCopy ? [] : calls.map(callOf),
  };
}

function usageOf(metrics: JsonObject): Usage {
  const count = (value: Json | undefined) => (typeof value === 'number' && value > 0 ? value : 0);
  const extra = isRecord(metrics.extra) ? (metrics.extra as JsonObject) : {};
  const written = count(extra.cache_creation_input_tokens);
  return {
    inputTokens: count(metrics.prompt_tokens),
    outputTokens: count(metrics.completion_tokens),
    cachedInputTokens: count(metrics.cached_tokens),
    reasoningTokens: count(extra.reasoning_tokens),
    ...(written > 0 && { cacheWriteTokens: written }),
    modelCalls: 1,
  };
}

/** A message is text or a list of content parts. */
function contentText(message: Json | undefined): string {
  if (!Array.isArray(message)) return asText(message) ?? '';
  return message
    .map((part: Json) =>
      isRecord(part) ? (asText(part.text as Json) ?? pictureName(part) ?? JSON.stringify(part)) : asText(part),
    )
    .join('\n');
}

/** Names a picture, whose file is not in the document. */
function pictureName({ type, source }: Readonly<Record<string, unknown>>): string | undefined {
  if (type !== 'image' || !isRecord(source)) return undefined;
  const name = source.path ?? source.url ?? source.media_type;
  return typeof name === 'string' ? `[image ${name}]` : undefined;
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
