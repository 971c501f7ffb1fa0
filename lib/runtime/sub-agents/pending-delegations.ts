import { decisionsFor } from '@/lib/base/answer-rules';
import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import type { PendingQuestion } from '@/lib/base/pending';
import type { EventOf, RunEvent } from '@/lib/runtime/record/events';
import { callAround } from '@/lib/runtime/record/step-key';
import type { GenerateReason, PendingCall, SuspendedResult } from './sub-agent-result';

/**
 * Folds what a run waits for into one suspended result for each call of the root agent. A question at any depth belongs to the
 * delegation of the root that it is below:
 *
 *   lead ── call_1 ──▶ clerk ── call_1 ──▶ scribe asks      → call_1 of lead, with the inner call of scribe
 *        ── call_2 ──▶ cook asks twice                      → call_2 of lead, with two inner calls
 *        ── call_3 asks                                     → call_3, of the root itself
 */
export interface PendingDelegation {
  readonly result: SuspendedResult;
  /** The questions behind the inner calls, in order. A hook that stopped before several calls is one question. */
  readonly questions: readonly PendingQuestion[];
}

/** `given`: ids of inner calls that have a result already, and are left out. */
export function pendingDelegations(
  log: readonly RunEvent[],
  given: ReadonlySet<string> = new Set(),
): readonly PendingDelegation[] {
  const seen = readLog(log);
  const groups = new Map<string, PendingQuestion[]>();
  for (const question of seen.open.values()) {
    const key = delegationOf(seen, question.path) ?? rootKey(question);
    const group = groups.get(key);
    if (group) group.push(question);
    else groups.set(key, [question]);
  }
  return [...groups].map(([key, questions]) => {
    const child = seen.queued.get(key);
    return { result: child ? resultOf(seen, child, questions, given) : ownResult(seen, questions, given), questions };
  });
}

interface Seen {
  readonly open: ReadonlyMap<string, PendingQuestion>;
  /** Instances by their path. */
  readonly queued: ReadonlyMap<string, Queued>;
  /** Sessions, calls and hooks by their step. */
  readonly sessions: ReadonlyMap<string, string>;
  readonly calls: ReadonlyMap<string, EventOf<'tool.started'>>;
  readonly phases: ReadonlyMap<string, string>;
}

type Queued = EventOf<'instance.queued'>;

function readLog(log: readonly RunEvent[]): Seen {
  const open = new Map<string, PendingQuestion>();
  const queued = new Map<string, Queued>();
  const sessions = new Map<string, string>();
  const calls = new Map<string, EventOf<'tool.started'>>();
  const phases = new Map<string, string>();
  for (const event of log) {
    switch (event.kind) {
      case 'instance.queued':
        queued.set(event.path, event);
        break;
      case 'session.opened':
        sessions.set(event.step, event.sessionId);
        break;
      case 'tool.started':
        calls.set(event.step, event);
        break;
      case 'hook.started':
        phases.set(event.step, event.phase);
        break;
      case 'person.asked':
        open.set(event.item, event);
        break;
      case 'person.answered':
        open.delete(event.item);
        break;
    }
  }
  return { open, queued, sessions, calls, phases };
}

/** Returns the path of the child of the root that the instance is, or is below. */
function delegationOf({ queued }: Seen, path: string): string | undefined {
  for (let one = queued.get(path); one !== undefined; one = queued.get(one.parent ?? '')) {
    const above = one.parent === undefined ? undefined : queued.get(one.parent);
    if (above === undefined) return undefined;
    if (above.parent === undefined) return one.path;
  }
  return undefined;
}

/** The calls of the root itself are apart. A question about a call that makes a child has the root's path. */
function rootKey({ step }: PendingQuestion): string {
  return callAround(step) ?? step;
}

function resultOf(
  seen: Seen,
  { path, parentStep, callId, correlationId }: Queued,
  questions: readonly PendingQuestion[],
  given: ReadonlySet<string>,
): SuspendedResult {
  const call = parentStep === undefined ? undefined : seen.calls.get(parentStep);
  const [first] = questions;
  return {
    id: callId ?? path,
    name: call?.toolName ?? '',
    content: [...saidBy(questions), ...questions.flatMap((question) => callsOf(question, given))],
    items: questions.map(({ item }) => item),
    meta: {
      suspended: true,
      subagent_session_id: seen.sessions.get(parentStep ?? '') ?? correlationId,
      subagent_generate_reason: first ? reasonOf(seen, first) : 'MODEL_STOP',
    },
  };
}

function ownResult(seen: Seen, questions: readonly PendingQuestion[], given: ReadonlySet<string>): SuspendedResult {
  const [first] = questions;
  const call = first && seen.calls.get(rootKey(first));
  return {
    id: call?.callId ?? first?.item ?? '',
    name: call?.toolName ?? first?.what ?? '',
    content: [...saidBy(questions), ...questions.flatMap((question) => callsOf(question, given))],
    items: questions.map(({ item }) => item),
  };
}

/** What the agents said before they asked, each text once. */
function saidBy(questions: readonly PendingQuestion[]): { readonly type: 'text'; readonly text: string }[] {
  const texts = new Set(questions.flatMap(({ said }) => (said === undefined ? [] : [said])));
  return [...texts].map((text) => ({ type: 'text', text }));
}

/** Returns why a question suspends what it is part of. */
function reasonOf({ phases }: Seen, { what, step }: PendingQuestion): GenerateReason {
  switch (what) {
    case 'external':
    case 'input':
    case 'question':
      return 'TOOL_SUSPENDED';
    case 'hook':
      return phases.get(step) === 'after_tool_call' ? 'ACTING_STOP_REQUESTED' : 'REASONING_STOP_REQUESTED';
    case 'approval':
    case 'attachment':
    case 'sampling':
    case 'budget':
      return 'APPROVAL_NEEDED';
  }
}

/** Returns the calls that wait for an answer. A hook that stopped without calls has none. */
function callsOf(question: PendingQuestion, given: ReadonlySet<string>): readonly PendingCall[] {
  const { item, what, tool, path, sentence, arguments: input, form, limit } = question;
  const common = { type: 'tool_use', path, kind: what, sentence, decisions: decisionsFor(question) } as const;
  if (what !== 'hook') {
    if (given.has(item)) return [];
    const more = { ...(input !== undefined && { input }), ...(form && { form }), ...(limit && { limit }) };
    return [{ ...common, id: item, name: tool?.name ?? what, ...more }];
  }
  return stoppedCalls(question).flatMap(({ callId, name, input: shown }) => {
    const id = stoppedId(question, callId);
    return given.has(id) ? [] : [{ ...common, id, name, ...(shown !== undefined && { input: shown }) }];
  });
}

/** Returns the ids under which results for a question are submitted. */
export function idsOf(question: PendingQuestion): readonly string[] {
  const calls = stoppedCalls(question);
  return calls.length > 0 ? calls.map(({ callId }) => stoppedId(question, callId)) : [question.item];
}

/** The id of one of the calls before which a hook stopped. */
export function stoppedId({ item }: PendingQuestion, callId: string): string {
  return `${item}/${callId}`;
}

export interface StoppedCall {
  readonly callId: string;
  readonly name: string;
  readonly input: Json | undefined;
}

/** Returns the calls before which a hook stopped, in order. Its form has one field for each of them. */
export function stoppedCalls({ what, form, arguments: about }: PendingQuestion): readonly StoppedCall[] {
  const fields = what === 'hook' && form?.minProperties !== undefined ? objectOf(form.properties) : {};
  const calls = objectOf(about).calls;
  const shown = Array.isArray(calls) ? calls.map(objectOf) : [];
  // Arguments that are too long to be shown leave only the ids.
  const ids = shown.length > 0 ? shown.map(({ id }) => String(id)) : Object.keys(fields);
  return ids
    .filter((callId) => Object.hasOwn(fields, callId))
    .map((callId) => {
      const call = shown.find(({ id }) => id === callId);
      return { callId, name: typeof call?.tool === 'string' ? call.tool : '', input: call?.arguments };
    });
}

function objectOf(value: Json | undefined): JsonObject {
  return value !== undefined && isObject(value) ? value : {};
}

function isObject(value: Json): value is JsonObject {
  return isRecord(value);
}
