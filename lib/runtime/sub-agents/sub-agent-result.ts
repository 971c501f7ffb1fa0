import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import type { Decision, PendingKind, PendingLimit } from '@/lib/base/pending';
import type { ContentBlock } from '@/lib/runtime/record/messages';

/**
 * What a suspended run says about its delegations, as JSON. The names are those of agentscope's documentation of agents as tools;
 * docs/delegation.md describes the protocol.
 */

/** Why a delegation is suspended. `MODEL_STOP` is the reason of a result that is not suspended. */
export const generateReasons = [
  /** A tool without code, or a question of an agent, waits for its result. */
  'TOOL_SUSPENDED',
  /** A hook stopped after the model chose tools. */
  'REASONING_STOP_REQUESTED',
  /** A hook stopped after tools ran. */
  'ACTING_STOP_REQUESTED',
  /** A call, a file, a server or the budget waits for consent. */
  'APPROVAL_NEEDED',
  'MODEL_STOP',
] as const;
export type GenerateReason = (typeof generateReasons)[number];

/** An inner call that waits, or a question that belongs to no call. */
export interface PendingCall {
  readonly type: 'tool_use';
  /** Names the call in results. It is unique in the run and stays the same over restarts. */
  readonly id: string;
  /** The tool. For a question without a tool its kind. */
  readonly name: string;
  /** The instance that makes the call. */
  readonly path: string;
  readonly kind: PendingKind;
  readonly sentence: string;
  /** Arguments without secrets. */
  readonly input?: Json;
  /** What may be decided. */
  readonly decisions: readonly Decision[];
  /** JSON Schema of the arguments of the call, or of the answer. */
  readonly form?: JsonObject;
  /** When it expires, and what that means. */
  readonly limit?: PendingLimit;
}

/** The result of a call of the root agent that is suspended, stamped with that call's id and tool name. */
export interface SuspendedResult {
  readonly id: string;
  readonly name: string;
  /** What the child said, then its pending calls in the order in which they were asked. */
  readonly content: readonly (ContentBlock | PendingCall)[];
  /** The ids of the questions that it waits for, with which people answer them in the app. */
  readonly items: readonly string[];
  /** Absent for a call of the root agent itself. */
  readonly meta?: {
    readonly suspended: true;
    /** The session of the child, or the correlation id of the delegation. It stays the same over all its suspensions. */
    readonly subagent_session_id: string;
    readonly subagent_generate_reason: GenerateReason;
  };
}

/** True for the result of a suspended child agent. */
export function isSubAgentResult(result: unknown): boolean {
  return extractSessionId(result) !== undefined;
}

/** Returns the session of a suspended child; `undefined` for any other result. */
export function extractSessionId(result: unknown): string | undefined {
  const id = metaOf(result).subagent_session_id;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Returns why a child is suspended; `MODEL_STOP` for a result that does not say it. A result that was stored as JSON says it too. */
export function getSubAgentGenerateReason(result: unknown): GenerateReason {
  const reason = metaOf(result).subagent_generate_reason;
  return generateReasons.find((one) => one === reason) ?? 'MODEL_STOP';
}

/** Returns the inner calls that wait. */
export function pendingCallsOf({ content }: Pick<SuspendedResult, 'content'>): readonly PendingCall[] {
  return content.filter((block): block is PendingCall => block.type === 'tool_use');
}

function metaOf(result: unknown): Readonly<Record<string, unknown>> {
  return isRecord(result) && isRecord(result.meta) ? result.meta : {};
}

/** What a program submits for an inner call. The tool of the call does not run, unless the program lets it run. */
export interface InnerResult {
  /** The id of a `PendingCall`, or of a question without calls, which is in `items`. */
  readonly id: string;
  readonly content: readonly ContentBlock[];
  /** True if the call is declined. The model reads the content as the reason. */
  readonly isError?: boolean;
  /** Lets the call run: as it is, or with these arguments in place of its own. The content then counts for nothing. */
  readonly runs?: 'as-asked' | { readonly arguments: JsonObject };
}

/** Lets one inner call run, while others of its delegation get results. */
export function approved({ id }: Pick<PendingCall, 'id'>): InnerResult {
  return { id, content: [], runs: 'as-asked' };
}

/** Lets an inner call run with other arguments. */
export function edited({ id }: Pick<PendingCall, 'id'>, args: JsonObject): InnerResult {
  return { id, content: [], runs: { arguments: args } };
}

/** Declines an inner call. */
export function declined({ id }: Pick<PendingCall, 'id'>, text: string = declinedText): InnerResult {
  return { id, content: [{ type: 'text', text }], isError: true };
}

export const declinedText = 'Operation cancelled';

/** Gives the result of an inner call. */
export function answeredWith({ id }: Pick<PendingCall, 'id'>, text: string): InnerResult {
  return { id, content: [{ type: 'text', text }] };
}
