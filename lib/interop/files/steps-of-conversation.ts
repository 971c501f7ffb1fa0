import type { Json, JsonObject } from '@/lib/base/json';
import type { ImportedStep } from '@/lib/interop/log/imported-step';
import { shareCosts } from '@/lib/interop/log/share-costs';
import { toolResultOf } from '@/lib/interop/log/tool-result';
import { type AssistantMessage, textOf, type Usage } from '@/lib/runtime/record/messages';

/** One model call of a saved conversation, and the tools it asked for. Times are in epoch milliseconds. */
export interface Turn {
  /** When the answer was complete; `undefined` if the file does not say. */
  readonly at: number | undefined;
  readonly durationMs?: number | undefined;
  readonly firstTokenMs?: number | undefined;
  /** When the request was ready, such as the time of the user's message. */
  readonly readyAt?: number | undefined;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  readonly message: AssistantMessage;
  readonly usage?: Usage | undefined;
  readonly costUsd?: number | undefined;
  readonly rest: JsonObject;
  readonly calls: readonly TurnCall[];
  /** True for what the file repeats of an earlier one. It is shown and not counted. */
  readonly isCopy?: boolean | undefined;
}

export interface TurnCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Json;
  /** `undefined` if the file has no result. */
  readonly result?: Json | undefined;
  readonly failed?: boolean | undefined;
  /** True if others have results and this call has none: it did not end. */
  readonly isUnanswered?: boolean | undefined;
  readonly rest?: JsonObject | undefined;
  readonly durationMs?: number | undefined;
  readonly serverName?: string | undefined;
  /** The conversations of the agents that the call ran. */
  readonly children: readonly Conversation[];
}

/** A saved conversation of one agent. */
export interface Conversation {
  readonly id: string;
  readonly agentName: string;
  readonly model?: string | undefined;
  readonly input: string | undefined;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly turns: readonly Turn[];
  /** What the file reports of all of it, where its model calls have no figures. */
  readonly usage?: Usage | undefined;
  readonly costUsd?: number | undefined;
  readonly rest: JsonObject;
  /** Sentences for the log of the run. */
  readonly notes?: readonly string[] | undefined;
}

/**
 * Turns a saved conversation into steps. A file has few times, so most are estimated, and say so: a model call ends at the
 * time of its message and takes the recorded duration; a tool runs between two model calls.
 */
export function stepsOfConversation(root: Conversation, from: number): readonly ImportedStep[] {
  const steps: ImportedStep[] = [];
  addConversation(steps, root, undefined, root.start ?? firstTime(root) ?? from);
  return shareCosts(steps);
}

/** Adds the steps of a conversation and returns when it ended. Conversations are nested a few levels only. */
function addConversation(steps: ImportedStep[], own: Conversation, parent: string | undefined, from: number): number {
  const start = own.start ?? from;
  const place = steps.length;
  let now = start;
  own.turns.forEach((turn, index) => {
    const id = `${own.id}/${index + 1}`;
    const { began, ended, estimated } = timesOf(turn, now);
    const placed = { id, parent: own.id, start: began, end: ended, estimated, model: turn.model ?? own.model };
    steps.push(turn.isCopy === true ? copiedStep(turn, placed) : modelStep(turn, placed));
    now = ended;
    const next = own.turns[index + 1];
    const limit =
      next?.at === undefined ? undefined : Math.max(now, next.at - (next.durationMs ?? (next.at - now) / 2));
    let last = now;
    for (const call of turn.calls)
      last = Math.max(last, addCall(steps, call, own.id, id, now, limit ?? own.end ?? now));
    now = last;
  });
  const end = Math.max(own.end ?? now, start);
  const answer = own.turns.findLast(({ isCopy }) => isCopy !== true)?.message.content[0];
  steps.splice(place, 0, {
    ...{ id: own.id, parent, kind: 'agent', name: own.agentName.replace(/\[\d+\]$/, ''), original: own.agentName },
    ...{ start, end, outcome: 'ok', input: own.input, model: own.model, rest: own.rest },
    ...{ usage: own.usage, costUsd: own.costUsd },
    output: answer?.type === 'text' ? answer.text : undefined,
    estimated: [...(own.start === undefined ? ['start'] : []), ...(own.end === undefined ? ['end'] : [])],
  });
  return end;
}

function timesOf(turn: Turn, now: number) {
  const ended = Math.max(turn.at ?? now, now);
  if (turn.at !== undefined && turn.at < now) {
    const ms = (now - turn.at).toFixed(0);
    return { began: now, ended: now, estimated: [`time: the file says ${ms} ms before the end of the step above`] };
  }
  if (turn.durationMs !== undefined && turn.at !== undefined) {
    return { began: Math.max(ended - turn.durationMs, Math.min(now, ended)), ended, estimated: [] };
  }
  if (turn.durationMs !== undefined) return { began: now, ended: now + turn.durationMs, estimated: ['start', 'end'] };
  const began = Math.min(Math.max(turn.readyAt ?? now, now), ended);
  return { began, ended, estimated: turn.at === undefined ? ['start', 'end'] : ['start'] };
}

type Placed = Pick<ImportedStep, 'id' | 'parent' | 'start' | 'end' | 'estimated' | 'model'>;

function modelStep(turn: Turn, placed: Placed): ImportedStep {
  const { message, usage, costUsd, provider, firstTokenMs, rest } = turn;
  return {
    ...placed,
    ...{ kind: 'model', name: placed.model ?? 'model', original: 'model call', outcome: 'ok' },
    ...{ message, usage, costUsd, provider, firstTokenMs, rest },
  };
}

/** What a file repeats of an earlier one is no call: it was counted there. */
function copiedStep({ message, rest }: Turn, { model: _, ...placed }: Placed): ImportedStep {
  return {
    ...placed,
    ...{ kind: 'step', name: 'copied context', original: 'copied context', outcome: 'ok', rest },
    output: textOf(message.content),
  };
}

function addCall(
  steps: ImportedStep[],
  call: TurnCall,
  agent: string,
  turn: string,
  from: number,
  limit: number,
): number {
  const id = `${turn}/${call.id}`;
  const place = steps.length;
  const childEnds = call.children.map((child) => addConversation(steps, child, id, from));
  const starts = call.children.map((child) => child.start ?? from);
  const start = Math.min(from, ...starts);
  const end = Math.max(start, call.durationMs === undefined ? limit : start + call.durationMs, ...childEnds);
  const isOpen = call.isUnanswered === true;
  const failure = isOpen ? noResult : call.failed === true ? 'The call failed.' : undefined;
  steps.splice(place, 0, {
    ...{ id, parent: agent, kind: 'tool', name: call.name, original: call.name, start, end, rest: call.rest ?? {} },
    outcome: failure === undefined ? 'ok' : isOpen ? 'cancelled' : 'failed',
    error: failure === undefined ? undefined : { code: isOpen ? 'cancelled' : 'TOOL_FAILED', message: failure },
    callId: call.id,
    source: call.name.startsWith('agent__') ? 'agent' : call.serverName === undefined ? 'function' : 'mcp',
    serverName: call.serverName,
    arguments: call.arguments,
    result: toolResultOf(call.result, failure),
    estimated: ['start', ...(call.durationMs === undefined ? ['end'] : [])],
  });
  return end;
}

const noResult = 'No result in the file.';

function firstTime({ turns }: Conversation): number | undefined {
  const [first] = turns;
  if (first?.readyAt !== undefined) return first.readyAt;
  return first?.at === undefined ? undefined : first.at - (first.durationMs ?? 0);
}
