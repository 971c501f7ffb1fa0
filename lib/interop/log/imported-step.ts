import type { Json, JsonObject } from '@/lib/base/json';
import type { EventOf, RunError, ToolSource } from '@/lib/runtime/record/events';
import type { AssistantMessage, ToolResult, Usage } from '@/lib/runtime/record/messages';

/**
 * What a step of a foreign trace is. `step` is a part of a workflow or another known operation around or within the others;
 * `unknown` is a span that no convention explains. Both are drawn. `wait` is the time in which a call waited for a person.
 */
export type ImportedKind = 'agent' | 'model' | 'tool' | 'hook' | 'setup' | 'wait' | 'step' | 'unknown';

export type ImportedOutcome = 'ok' | 'failed' | 'cancelled' | 'timeout';

/**
 * One interval of a foreign trace in our terms, whatever the format it came in. `lib/interop/log/log-of-steps.ts` turns a
 * list of them into the events of a run.
 */
export interface ImportedStep {
  /** Unique in its trace. */
  readonly id: string;
  readonly parent: string | undefined;
  readonly kind: ImportedKind;
  /** The name of the agent, model, tool or hook. */
  readonly name: string;
  /** The name in the source. */
  readonly original: string;
  /** Epoch milliseconds. */
  readonly start: number;
  /** `undefined` if the source has no end. */
  readonly end: number | undefined;
  readonly outcome: ImportedOutcome;
  readonly error?: RunError | undefined;
  /** Of an agent: what it was asked, and what it answered. */
  readonly input?: string | undefined;
  readonly output?: string | undefined;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  readonly usage?: Usage | undefined;
  readonly costUsd?: number | undefined;
  /** True if the cost of an agent is that of its own tokens alone, without what is inside of it. */
  readonly isOwnCost?: boolean | undefined;
  readonly firstTokenMs?: number | undefined;
  /** The answer of a model. */
  readonly message?: AssistantMessage | undefined;
  readonly messageCount?: number | undefined;
  /** What a model was sent, if the source has it. */
  readonly request?: EventOf<'model.started'>['request'];
  /** Names of the tools that a model was offered. */
  readonly tools?: readonly string[] | undefined;
  readonly callId?: string | undefined;
  readonly source?: ToolSource | undefined;
  readonly serverName?: string | undefined;
  readonly arguments?: Json | undefined;
  readonly result?: ToolResult | undefined;
  /** The phase of a hook, or what a setup waits for. */
  readonly phase?: string | undefined;
  /** True for a part of an agent's loop: the calls inside of it belong to the agent, and it is no instance. */
  readonly isPart?: boolean | undefined;
  /** True for the framework's own work around calls. `arrange-steps.ts` folds it into its call or agent. */
  readonly isNoise?: boolean | undefined;
  /** The id of the agent whose step it is, if a call made that agent and the source has no span of it. */
  readonly subagent?: string | undefined;
  /** The library that recorded the step. */
  readonly by?: string | undefined;
  /** All attributes of the source, whether they were read or not. */
  readonly whole?: JsonObject | undefined;
  /** The instance path, if the source has one in our form. */
  readonly path?: string | undefined;
  /** Milliseconds that an instance waited after `start` before it ran. */
  readonly queuedMs?: number | undefined;
  /** What could not be mapped, by its name in the source. */
  readonly rest: JsonObject;
  /** What the source does not say and the import worked out, in words, such as `start`. */
  readonly estimated: readonly string[];
}
