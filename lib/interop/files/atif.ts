import { brandAs, type CallId } from '@/lib/base/ids';
import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import { asText } from '@/lib/interop/spans/reading/span-reader';
import { addUsage, type Usage } from '@/lib/runtime/record/messages';
import type { Conversation, Turn, TurnCall } from './steps-of-conversation';

/** A trajectory that was read from a file. */
export interface ReadTrajectory {
  readonly sessionId: string;
  readonly conversation: Conversation;
  /** The paths of the documents that are in the conversation. */
  readonly taken: ReadonlySet<string>;
}

/** Children are read to this depth. */
const deepest = 50;

/** Returns true for the Agent Trajectory Interchange Format, any version 1. */
export function isAtif(value: Json): value is JsonObject {
  return isRecord(value) && typeof value.schema_version === 'string' && value.schema_version.startsWith('ATIF-v1');
}

/** The ATIF documents of an import, by their paths. */
export type AtifFiles = ReadonlyMap<string, JsonObject>;

/** Returns which other documents each document names, as children or as its continuation, at any depth. */
export function namesOfAtif(files: AtifFiles): ReadonlyMap<string, readonly string[]> {
  return new Map([...files].map(([path, document]) => [path, namesIn(path, document, files)]));
}

function namesIn(path: string, document: JsonObject, files: AtifFiles): readonly string[] {
  const names: string[] = [];
  const open: JsonObject[] = [document];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const refs = listOf(at.steps).flatMap(refsOf);
    for (const ref of [at.continued_trajectory_ref, ...refs.map(({ trajectory_path }) => trajectory_path)]) {
      const found = typeof ref === 'string' ? besidePath(path, ref) : path;
      if (found !== path && files.has(found)) names.push(found);
    }
    for (const child of listOf(at.subagent_trajectories)) if (isRecord(child)) open.push(child as JsonObject);
  }
  return names;
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
  const reader = new AtifReader(files);
  const conversation = reader.conversationOf(document, path, deepest);
  return { sessionId: asText(document.session_id) ?? conversation.id, conversation, taken: reader.taken };
}

/** A document, or one that goes on from it. */
interface Part {
  readonly steps: readonly JsonObject[];
  readonly final: Json | undefined;
}

class AtifReader {
  /** Children within documents, by their id. A trajectory is drawn once, at the first call that names it. */
  private readonly children = new Map<string, JsonObject>();
  readonly taken = new Set<string>();

  constructor(private readonly files: AtifFiles) {}

  conversationOf(document: JsonObject, path: string, depth: number): Conversation {
    this.taken.add(path);
    this.addChildren(document);
    const agent = isRecord(document.agent) ? document.agent : {};
    const extra = isRecord(agent.extra) ? agent.extra : {};
    const { parts, missing } = this.partsOf(document, path);
    const steps = parts.flatMap((part) => part.steps);
    const agentSteps = steps.filter(({ source }) => source === 'agent');
    const hasResults = steps.some((step) => resultsOf(step).some(({ source_call_id }) => source_call_id != null));
    let readyAt: number | undefined;
    const turnsOf = (part: Part) => {
      const turns: Turn[] = [];
      for (const step of part.steps) {
        if (step.source === 'agent') {
          const isAnswered = hasResults || step === agentSteps.at(-1);
          turns.push(turnOf(step, readyAt, (call) => this.callOf(call, step, isAnswered, path, depth)));
          readyAt = undefined;
        } else readyAt = timeOf(step.timestamp) ?? readyAt;
      }
      return { turns, final: part.final };
    };
    const { turns, ...totals } = withTotals(parts.map(turnsOf));
    const continued = parts.slice(1).flatMap(({ final }) => final ?? []);
    const asked = steps.find(({ source }) => source === 'user');
    const system = steps.filter(({ source }) => source === 'system').map(({ message }) => contentText(message));
    const { schema_version, final_metrics, notes } = document;
    return {
      id: asText(document.trajectory_id) ?? (path === '' ? 'trajectory' : path),
      agentName: asText(extra.target_agent as Json) ?? asText(agent.name as Json) ?? 'agent',
      model: asText(agent.model_name as Json),
      input: asked && contentText(asked.message),
      turns,
      ...totals,
      notes: missing.map((ref) => `The trajectory goes on in ${ref}, which was not imported.`),
      rest: clean({
        schema_version,
        final_metrics,
        notes,
        ...(continued.length > 0 && { continued_final_metrics: continued }),
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

  /** Returns a document and those that go on from it, and the names of those that are not there. */
  private partsOf(document: JsonObject, path: string): { parts: readonly Part[]; missing: readonly string[] } {
    const parts: Part[] = [];
    let [at, from] = [document, path];
    for (;;) {
      const steps = listOf(at.steps).filter(isRecord) as JsonObject[];
      // What a continuation repeats is there already.
      const isFirst = parts.length === 0;
      parts.push({
        steps: isFirst ? steps : steps.filter((step) => step.is_copied_context !== true),
        final: at.final_metrics,
      });
      const ref = asText(at.continued_trajectory_ref);
      if (ref === undefined || ref === '') return { parts, missing: [] };
      const next = besidePath(from, ref);
      const more = this.files.get(next);
      if (more === undefined || this.taken.has(next)) return { parts, missing: more === undefined ? [ref] : [] };
      this.taken.add(next);
      this.addChildren(more);
      [at, from] = [more, next];
    }
  }

  private callOf(call: JsonObject, step: JsonObject, isAnswered: boolean, path: string, depth: number): TurnCall {
    const id = asText(call.tool_call_id) ?? '';
    const result = resultsOf(step).find(({ source_call_id }) => source_call_id === id) ?? onlyResultOf(step);
    const extra = isRecord(result?.extra) ? result.extra : {};
    const refs = listOf(result?.subagent_trajectory_ref).filter(isRecord) as readonly JsonObject[];
    const drawn = refs.filter((ref) => this.isDrawn(ref, path));
    const found = refs.map((ref) => this.childOf(ref, path, depth));
    const away = refs.filter((ref, place) => found[place] === undefined && !drawn.includes(ref));
    return {
      ...{ id, name: asText(call.function_name) ?? '', arguments: call.arguments ?? {} },
      result: result?.content,
      failed: extra.is_error === true,
      isUnanswered: result === undefined && isAnswered && !hasUnnamedResults(step),
      rest: {
        ...(away.length > 0 && { child_trajectory_not_imported: away }),
        ...(drawn.length > 0 && { child_trajectory_drawn_elsewhere: drawn }),
      },
      children: found.filter((child) => child !== undefined),
    };
  }

  /** True for a document that was drawn before, such as one of two that name each other. */
  private isDrawn({ trajectory_id, trajectory_path }: JsonObject, path: string): boolean {
    if (this.children.has(asText(trajectory_id) ?? '')) return false;
    return typeof trajectory_path === 'string' && this.taken.has(besidePath(path, trajectory_path));
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

/** True if a step has results and none of them says to which call it belongs, as Harbor's Terminus-2 writes them. */
function hasUnnamedResults(step: JsonObject): boolean {
  const results = resultsOf(step);
  return results.length > 0 && results.every(({ source_call_id }) => source_call_id == null);
}

/** Returns the result of a step that has one call and one result without the id of a call. */
function onlyResultOf(step: JsonObject): JsonObject | undefined {
  const results = resultsOf(step);
  return hasUnnamedResults(step) && results.length === 1 && listOf(step.tool_calls).filter(isRecord).length === 1
    ? results[0]
    : undefined;
}

function resultsOf({ observation }: JsonObject): readonly JsonObject[] {
  return isRecord(observation) ? (listOf(observation.results as Json).filter(isRecord) as JsonObject[]) : [];
}

type Totals = Pick<Conversation, 'usage' | 'costUsd'>;

interface PartTurns {
  readonly turns: readonly Turn[];
  readonly final: Json | undefined;
}

/**
 * Returns the turns of all parts with the totals that parts report, where their steps have no figures. If no step of any part has figures,
 * the totals are those of the conversation. Otherwise the totals of a part belong to its own model calls.
 */
function withTotals(parts: readonly PartTurns[]): Totals & { readonly turns: readonly Turn[] } {
  const all = parts.flatMap(({ turns }) => turns);
  const isCounted = all.some(({ usage }) => usage !== undefined);
  const hasCost = all.some(({ costUsd }) => costUsd !== undefined);
  const totals = parts.map(totalsOf);
  const usages = totals.flatMap(({ usage }) => usage ?? []);
  const costs = totals.flatMap(({ costUsd }) => costUsd ?? []);
  return {
    turns: parts.flatMap(({ turns }, place) => {
      const { usage, costUsd } = totals[place] ?? {};
      return withPartTotals(turns, isCounted ? usage : undefined, hasCost ? costUsd : undefined);
    }),
    ...(!isCounted && usages.length > 0 && { usage: usages.reduce(addUsage) }),
    ...(!hasCost && costs.length > 0 && { costUsd: costs.reduce((sum, cost) => sum + cost) }),
  };
}

/** Gives the tokens of a part to its last model call, and shares its cost by the tokens of its calls. */
function withPartTotals(
  turns: readonly Turn[],
  usage: Usage | undefined,
  costUsd: number | undefined,
): readonly Turn[] {
  const last = turns.findLast(({ isCopy }) => isCopy !== true);
  const counted = turns.map((turn) =>
    turn !== last || usage === undefined
      ? turn
      : { ...turn, usage: { ...usage, modelCalls: 1 }, rest: { ...turn.rest, usage_of: 'all steps of its file' } },
  );
  if (costUsd === undefined) return counted;
  const all = counted.reduce((sum, turn) => sum + tokensOf(turn), 0);
  const lastPlace = last === undefined ? -1 : turns.indexOf(last);
  return counted.map((turn, place) => {
    const share = all > 0 ? tokensOf(turn) / all : place === lastPlace ? 1 : 0;
    return share === 0 ? turn : { ...turn, costUsd: costUsd * share };
  });
}

function tokensOf({ usage, isCopy }: Turn): number {
  return usage === undefined || isCopy === true ? 0 : usage.inputTokens + usage.outputTokens;
}

/** Returns the totals that a part reports, where its steps have no figures. */
function totalsOf({ turns, final }: PartTurns): Totals {
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
  const own = onlyResultOf(step);
  const observed = resultsOf(step).filter((result) => result.source_call_id == null && result !== own);
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
