import { brandAs, type CallId } from '@/lib/base/ids';
import { isRecord, type Json, type JsonObject, parseJson } from '@/lib/base/json';
import { asText } from '@/lib/interop/spans/reading/span-reader';
import { addUsage, noUsage, type StopReason, type Usage } from '@/lib/runtime/record/messages';
import { clean, listOf, timeOf } from './atif';
import type { Conversation, Turn, TurnCall } from './steps-of-conversation';

/*
 * fast-agent's session folders: `session.json` names the active agent, `history_<agent>.json` is its conversation, and
 * `trajectories/*.json` are those of children whose cards say `save_trajectory`. A child belongs to the call with its
 * `parent_tool_call_id` of its `parent_agent_name`. A child without a trajectory is a call without lanes below it.
 */

export interface ReadSession {
  readonly sessionId: string;
  /** The session above, for runs of the built-in `subagent` tool. */
  readonly parentSession: string | undefined;
  readonly status: string | undefined;
  readonly conversation: Conversation;
  readonly startedAt: number | undefined;
}

/** A file of the folder, already parsed, by its path within the folder. */
export type SessionFiles = ReadonlyMap<string, Json>;

/** Reads a session folder. Returns `undefined` if it has no history of its active agent. */
export function readSession(files: SessionFiles): ReadSession | undefined {
  const session = objectOf(files.get('session.json'));
  const { continuation, execution } = session;
  const histories = [...files.keys()].filter(
    (name) => /^history_.+\.json$/.test(name) && !name.endsWith('_previous.json'),
  );
  const active = asText(objectOf(continuation).active_agent) ?? /^history_(.+)\.json$/.exec(histories[0] ?? '')?.[1];
  const own = histories.find((name) => name === `history_${active?.replaceAll(/[[\]]/g, '')}.json`) ?? histories[0];
  if (active === undefined || own === undefined) return undefined;
  const agents = objectOf(objectOf(continuation).agents);
  const trajectories = new Trajectories(
    [...files].filter(([name]) => name.startsWith('trajectories/')).map(([, file]) => objectOf(file)),
  );
  const link = objectOf(objectOf(execution).child_link);
  const startedAt = timeOf(objectOf(execution).started_at) ?? timeOf(session.created_at);
  return {
    sessionId: asText(session.session_id) ?? 'session',
    parentSession: asText(link.parent_session_id),
    status: asText(objectOf(execution).status),
    startedAt,
    conversation: {
      ...{ id: asText(session.session_id) ?? 'session', agentName: active },
      model: asText(objectOf(agents[active]).model),
      ...withSummary(
        conversationOf(objectOf(files.get(own)), active, trajectories),
        objectOf(objectOf(session.analysis).usage_summary),
      ),
      end: timeOf(objectOf(execution).completed_at),
      rest: clean({
        metadata: session.metadata,
        analysis: session.analysis,
        execution,
        schema_version: session.schema_version,
      }),
    },
  };
}

type History = Pick<Conversation, 'input' | 'turns' | 'usage'>;

/**
 * Gives the tokens that `usage_summary` has beyond those of the model calls to the last call without figures. If no call has any, they are
 * those of the agent.
 */
function withSummary(history: History, summary: JsonObject): History {
  const { turns } = history;
  const of = (value: Json | undefined) => (typeof value === 'number' ? value : 0);
  const counted = turns.flatMap(({ usage }) => usage ?? []).reduce(addUsage, noUsage);
  const inputTokens = of(summary.input_tokens) - counted.inputTokens;
  const outputTokens = of(summary.output_tokens) - counted.outputTokens;
  const last = turns.findLastIndex(({ usage }) => usage === undefined);
  if (last === -1 || inputTokens < 0 || outputTokens < 0 || inputTokens + outputTokens === 0) return history;
  const usage = { ...noUsage, inputTokens, outputTokens };
  if (counted.modelCalls === 0) return { ...history, usage };
  const { rest } = turns[last] ?? { rest: {} };
  const given = { usage: { ...usage, modelCalls: 1 }, rest: { ...rest, usage_of: 'all model calls without figures' } };
  return { ...history, turns: turns.map((turn, place) => (place === last ? { ...turn, ...given } : turn)) };
}

/** Reads a history file on its own. */
export function readHistory(history: JsonObject, agentName: string): Conversation {
  return { id: agentName, agentName, ...conversationOf(history, agentName, new Trajectories([])), rest: {} };
}

class Trajectories {
  private readonly all: JsonObject[];

  constructor(all: readonly JsonObject[]) {
    this.all = [...all];
  }

  /** Takes the conversations of the children that this call of this agent ran. Each is taken once. */
  take(agentName: string, callId: string): readonly Conversation[] {
    const found = this.all.filter((one) => one.parent_agent_name === agentName && one.parent_tool_call_id === callId);
    for (const one of found) this.all.splice(this.all.indexOf(one), 1);
    return found.map((one) => this.conversationOf(one));
  }

  private conversationOf(one: JsonObject): Conversation {
    const agentName = asText(one.agent_name) ?? asText(one.template_agent_name) ?? 'agent';
    const { messages, rendered_child_input, started_at, completed_at, ...rest } = one;
    const read = conversationOf({ messages: messages ?? [] }, agentName, this);
    return {
      ...{ id: asText(one.trajectory_id) ?? agentName, agentName, model: asText(one.model_name), ...read },
      input: asText(rendered_child_input) ?? read.input,
      start: timeOf(started_at),
      end: timeOf(completed_at),
      rest,
    };
  }
}

function conversationOf(
  history: JsonObject,
  agentName: string,
  trajectories: Trajectories,
): { input: string | undefined; turns: readonly Turn[] } {
  const messages = listOf(history.messages).filter(isRecord) as readonly JsonObject[];
  const results = new Map<string, JsonObject>();
  for (const message of messages) {
    for (const [id, result] of Object.entries(objectOf(message.tool_results))) results.set(id, objectOf(result));
  }
  const turns: Turn[] = [];
  let readyAt: number | undefined;
  for (const message of messages) {
    if (message.is_template === true) continue;
    if (message.role !== 'assistant') {
      readyAt = Object.keys(objectOf(message.tool_results)).length > 0 ? undefined : timeOf(message.timestamp);
      continue;
    }
    turns.push(turnOf(message, readyAt, results, (id) => trajectories.take(agentName, id)));
    readyAt = undefined;
  }
  const asked = messages.find((message) => message.role === 'user' && message.is_template !== true);
  return { input: asked && blocksText(asked.content), turns };
}

function turnOf(
  message: JsonObject,
  readyAt: number | undefined,
  results: ReadonlyMap<string, JsonObject>,
  childrenOf: (callId: string) => readonly Conversation[],
): Turn {
  const channels = objectOf(message.channels);
  const timing = channelJson(channels, 'fast-agent-timing');
  const toolTiming = channelJson(channels, 'fast-agent-tool-timing');
  const attempts = listOf(channelJson(channels, 'fast-agent-usage').provider_attempts).map(objectOf);
  const attempt = attempts.at(-1) ?? {};
  const costs = attempts.flatMap(({ cost_usd }) => (typeof cost_usd === 'number' ? [cost_usd] : []));
  const calls = Object.entries(objectOf(message.tool_calls)).map(([id, call]): TurnCall => {
    const params = objectOf(objectOf(call).params);
    const result = results.get(id);
    const timed = objectOf(toolTiming[id]).timing_ms;
    return {
      ...{ id, name: asText(params.name) ?? '', arguments: params.arguments ?? {}, children: childrenOf(id) },
      isUnanswered: result === undefined,
      result: result && (result.structuredContent ?? { content: result.content ?? [] }),
      failed: result?.isError === true,
      durationMs: typeof timed === 'number' ? timed : undefined,
    };
  });
  const text = blocksText(message.content);
  const reasoning = blocksText(channels.reasoning);
  return {
    at: timeOf(message.timestamp),
    durationMs: typeof timing.duration_ms === 'number' ? timing.duration_ms : undefined,
    firstTokenMs: typeof timing.ttft_ms === 'number' ? timing.ttft_ms : undefined,
    readyAt,
    model: asText(attempt.model),
    provider: asText(attempt.provider),
    message: {
      role: 'assistant',
      content: text === '' ? [] : [{ type: 'text', text }],
      ...(reasoning !== '' && { reasoning }),
      toolCalls: calls.map((call) => ({
        ...{ id: brandAs<CallId>(call.id), name: call.name },
        argumentsText: JSON.stringify(call.arguments),
      })),
      stopReason: stopReasons[asText(message.stop_reason) ?? ''] ?? (calls.length > 0 ? 'tool_use' : 'end_turn'),
    },
    usage: usageOf(attempts),
    costUsd: costs.length === 0 ? undefined : costs.reduce((sum, usd) => sum + usd, 0),
    rest: clean({ phase: message.phase, channels: Object.keys(channels).length > 0 ? channels : undefined }),
    calls,
  };
}

const stopReasons: Readonly<Record<string, StopReason>> = {
  endTurn: 'end_turn',
  toolUse: 'tool_use',
  maxTokens: 'max_tokens',
  stopSequence: 'stop_sequence',
  safety: 'safety',
};

/** Sums the attempts of `fast-agent.usage/v2`: one that was repeated was paid for too. */
function usageOf(attempts: readonly JsonObject[]): Usage | undefined {
  const counted = attempts.filter(({ prompt, completion }) => prompt !== undefined || completion !== undefined);
  if (counted.length === 0) return undefined;
  const count = (value: Json | undefined) => (typeof value === 'number' && value > 0 ? value : 0);
  const sum = counted
    .map(({ prompt, completion }): Usage => {
      const [read, written] = [objectOf(prompt), objectOf(completion)];
      const kept = count(read.cache_write);
      return {
        inputTokens: count(read.total),
        outputTokens: count(written.total),
        cachedInputTokens: count(read.cache_read),
        reasoningTokens: count(written.reasoning),
        ...(kept > 0 && { cacheWriteTokens: kept }),
        modelCalls: 0,
      };
    })
    .reduce(addUsage);
  return { ...sum, modelCalls: 1 };
}

/** A channel holds JSON as text in its first block. */
function channelJson(channels: JsonObject, name: string): JsonObject {
  return objectOf(parseJson(blocksText(channels[name])));
}

function blocksText(blocks: Json | undefined): string {
  if (typeof blocks === 'string') return blocks;
  return listOf(blocks)
    .flatMap((block) => (isRecord(block) && typeof block.text === 'string' ? [block.text] : []))
    .join('\n');
}

function objectOf(value: Json | undefined): JsonObject {
  return isRecord(value) ? (value as JsonObject) : {};
}
