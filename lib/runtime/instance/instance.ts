import type { CallId, StepKey } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import type { AgentCard } from '@/lib/cards/card';
import type { Message, ToolResult } from '@/lib/runtime/record/messages';
import type { Spending } from '@/lib/runtime/record/spending';
import type { Scope } from '@/lib/runtime/scope';
import type { InstanceState } from '@/lib/runtime/state/state';
import type { Surface } from '@/lib/runtime/surface/route';
import type { AgentPlan } from './agent-plan';
import type { InstanceSpec } from './instance-spec';
import type { Run } from './run';

export interface AgentSpec extends InstanceSpec {
  /** The card as an agent; see `agentView`. */
  readonly card: AgentCard;
}

/** The state of a turn that phase hooks see, as in fast-agent's tool runner. */
export interface Turn {
  /** Counts the batches of tool calls that have ended. Hooks read it as `iteration`. */
  batches: number;
  /**
   * Counts the messages at the end of the conversation that are not history yet. These are the messages that the model
   * reads next, or with `use_history: false` the whole turn.
   */
  pending: number;
  /** The messages after the history in the last request to the model. */
  sent: readonly Message[];
  /** All messages of the turn in order, also those that hooks removed from the history. */
  readonly said: Message[];
  /** Values that phase hooks keep for later hooks on `ctx.runner`. */
  kept: JsonObject;
  /** The card's parameters with the changes of phase hooks. */
  requestParams: JsonObject;
  /** Results that a person gave in place of calls of the batch that runs. */
  given?: ReadonlyMap<CallId, ToolResult> | undefined;
}

/** One execution of an agent while it runs. Two executions share no field of it. */
export interface Instance {
  readonly run: Run;
  readonly spec: AgentSpec;
  readonly plan: AgentPlan;
  readonly model: string;
  /** The run's scope, or one below it. */
  readonly scope: Scope;
  readonly messages: Message[];
  readonly state: InstanceState;
  /** What the instance's own model calls used. */
  spent: Spending;
  /** Counts the steps of each kind that have started, which is the last number in its step keys. */
  modelCalls: number;
  toolCalls: number;
  phaseHooks: number;
  decisions: number;
  readonly turn: Turn;
  /** Counts the calls of each child, which is the last `[i]` of instance names. */
  readonly childCalls: Map<string, number>;
  /** Messages of children to merge into its own history, by the step of their call. */
  readonly merges: { readonly step: StepKey; readonly messages: readonly Message[] }[];
  /** Tool groups that are active now. */
  readonly activeGroups: Set<string>;
  /** The tools offered to its last model call. */
  surface: Surface | undefined;
  /** The tools, those of inactive groups included. */
  wholeSurface: Surface | undefined;
}
