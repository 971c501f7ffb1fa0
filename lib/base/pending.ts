import type { EpochMs, InstancePath, PendingId, StepKey } from './ids';
import type { Json, JsonObject } from './json';

/** What a run asks people. One kind of row, one pair of events and one page serve all of them (docs/approvals.md). */
export const pendingKinds = [
  /** A call that may not run without consent. */
  'approval',
  /** A file that a call hands to a child agent. */
  'attachment',
  /** A question of an agent to a person: `__human_input`. */
  'input',
  /** A tool that has a schema and no code. The answer is its result. */
  'external',
  /** A hook stopped the run. */
  'hook',
  /** A question of an MCP server: a form, or an address to open. */
  'question',
  /** An MCP server asks for a model call. */
  'sampling',
  /** A limit on cost or tokens is reached. */
  'budget',
] as const;
export type PendingKind = (typeof pendingKinds)[number];

/** `withdrawn`: the run ended, or no longer needs the answer. `expired`: nobody answered within the limit of the item. */
export const pendingStatuses = ['open', 'answered', 'withdrawn', 'expired'] as const;
export type PendingStatus = (typeof pendingStatuses)[number];

/**
 * `edit` approves a call with other arguments. `answer` gives what was asked for. `cancel` sends a server's question away without
 * a decision; the server is told so.
 */
export const decisions = ['approve', 'deny', 'edit', 'answer', 'cancel'] as const;
export type Decision = (typeof decisions)[number];

/** How far a remembered approval reaches. `session` is the conversation: all runs of one correlation id. */
export const grantScopes = ['run', 'session', 'agent', 'project'] as const;
export type GrantScope = (typeof grantScopes)[number];

/** The tool of a call that waits. `schemaHash` is over its description and its input schema. */
export interface PendingTool {
  readonly name: string;
  readonly source: 'mcp' | 'function' | 'agent' | 'runtime';
  readonly serverName?: string;
  readonly remoteName?: string;
  readonly schemaHash: string;
}

/** What happens to an item that nobody answers in time. */
export interface PendingLimit {
  readonly at: EpochMs;
  readonly outcome: 'deny' | 'fail';
}

/** What a server asks people in a call of one of its tools. */
export interface ServerQuestion {
  readonly serverName: string;
  /** The whole text of the server. */
  readonly message?: string;
  /** The address that a person is asked to open. Nobody else opens it. */
  readonly url?: string;
  /** The tool runs in its worker while people are asked, and the server may give up, usually after 60 s. */
  readonly waits?: true;
  /**
   * With kind `sampling`: whether the prompt is shown, or what the model answered. With kind `approval`, `retry`: the call was
   * decided, and its server cannot be reached.
   */
  readonly shows?: 'prompt' | 'result' | 'retry';
}

/** A question to people, as it is recorded. Secrets in it are redacted. */
export interface PendingQuestion {
  readonly item: PendingId;
  readonly path: InstancePath;
  readonly step: StepKey;
  readonly what: PendingKind;
  /** Says in one sentence what is asked. */
  readonly sentence: string;
  readonly tool?: PendingTool;
  /** What the call would run with. */
  readonly arguments?: Json;
  /** SHA-256 over the canonical JSON of the arguments before redaction. An approval is for these arguments alone. */
  readonly argumentsHash?: string;
  /** JSON Schema of the answer: of the arguments of a call, or of the content that is asked for. */
  readonly form?: JsonObject;
  /** The person may change the arguments. */
  readonly editable?: true;
  /** The setting that made the run ask, and the level that it stands at. With `team` it is the name of a rule of the team. */
  readonly why?: { readonly rule: string; readonly level: 'tool' | 'agent' | 'project' | 'team' };
  /** What an MCP server asks, with the kinds `question` and `sampling`. */
  readonly server?: ServerQuestion;
  /** What the model said before it made the call. */
  readonly said?: string;
  readonly limit?: PendingLimit;
  /** Hash of the card of the agent that asks. A remembered approval for this agent ends when the card changes. */
  readonly cardHash?: string;
}

/** What a person decided. */
export interface PersonAnswer {
  readonly decision: Decision;
  /** With `edit`: the arguments that the tool runs with. */
  readonly arguments?: JsonObject;
  /** With `answer`: what was asked for. */
  readonly content?: Json;
  /** A reason. The model reads it when a call is denied. */
  readonly note?: string;
  /** Who answered. `policy` and `grant` are no people. */
  readonly by: string;
  /** The remembered approval that answered in place of a person. */
  readonly grant?: string;
  /** Through what: `web`, `api`, `link`, `cli`, `terminal`. */
  readonly via: string;
}

/** How a question ended. */
export type ItemEnd =
  | { readonly outcome: 'answered'; readonly answer: PersonAnswer }
  | { readonly outcome: 'expired' | 'withdrawn' };

/** An approval that is remembered. It turns a question into consent, never a denial. */
export interface Grant {
  readonly id: string;
  readonly scope: GrantScope;
  readonly tool: string;
  readonly serverName?: string;
  /** The agent whose calls it holds for. Absent: any agent. */
  readonly agent?: string;
  /** Hash of the tool's description and schema when it was given. With another one the grant does not hold. */
  readonly schemaHash: string;
  /** Hash of the card of the agent when it was given. */
  readonly cardHash?: string;
  /** Either the exact arguments, or a value or a pattern with `*` for members of the arguments. Neither: any arguments. */
  readonly argumentsHash?: string;
  readonly patterns?: Readonly<Record<string, string>>;
  readonly by: string;
  readonly at: EpochMs;
  readonly expiresAt?: EpochMs;
}
