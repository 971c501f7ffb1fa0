import type { StepKey } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import type { AgentCard } from '@/lib/cards/card';
import type { Message } from '@/lib/runtime/record/messages';
import type { Spending } from '@/lib/runtime/record/spending';
import type { Scope } from '@/lib/runtime/scope';
import type { InstanceState } from '@/lib/runtime/state/state';
import type { Surface } from '@/lib/runtime/surface/route';
import type { AgentPlan } from './agent-plan';
import type { InstanceSpec } from './instance-spec';
import type { Run } from './run';

export interface AgentSpec extends InstanceSpec {
  readonly card: AgentCard;
}

/** Where an instance's one turn stands, as phase hooks see it (fast-agent's tool runner). */
export interface Turn {
  /** Batches of tool calls that have ended: `iteration`. */
  batches: number;
  /**
   * Messages at the end of the conversation that are not history yet: those the model is to read next, or with
   * `use_history: false` the whole turn.
   */
  pending: number;
  /** What the model was sent last beside the history. */
  sent: readonly Message[];
  /** The messages of the turn in their order, whatever hooks make of the history. */
  readonly said: Message[];
  /** What phase hooks keep from one to the next on `ctx.runner`. */
  kept: JsonObject;
  /** The card's, with what phase hooks have set since. */
  requestParams: JsonObject;
}

/** One execution of an agent while it runs. Nothing in it is shared with another one. */
export interface Instance {
  readonly run: Run;
  readonly spec: AgentSpec;
  readonly plan: AgentPlan;
  readonly model: string;
  /** The run's scope, or one below it. */
  readonly scope: Scope;
  readonly messages: Message[];
  readonly state: InstanceState;
  /** On its own model calls. */
  spent: Spending;
  /** Steps so far: the ordinals of step keys. */
  modelCalls: number;
  toolCalls: number;
  phaseHooks: number;
  readonly turn: Turn;
  /** Calls so far per child: the `[i]` of instance names. */
  readonly childCalls: Map<string, number>;
  /** What children said that goes into its own history, by the step of their call. */
  readonly merges: { readonly step: StepKey; readonly messages: readonly Message[] }[];
  /** Tool groups that are active now. */
  readonly activeGroups: Set<string>;
  /** What its last model call was offered. */
  surface: Surface | undefined;
  /** The same with the tools of inactive groups. */
  wholeSurface: Surface | undefined;
}
