import type { CallId, CorrelationId, InstancePath, StepKey } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import type { AgentCard, Card } from '@/lib/cards/card';
import type { DelegationOptions } from '@/lib/cards/delegation-settings';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { AgentPlan } from './agent-plan';
import type { CreatedAgents } from './delegation/created-agents';
import type { ResultMode } from './delegation/result-mode';
import type { RunHooks } from './hooks/hook-plan';
import type { Limits } from './limits';
import type { HandedModels } from './model/resolve-model';
import type { LogBody, Ports } from './ports';
import type { InstanceStatus, RunError } from './record/events';
import type { Journal, KeptSession } from './record/journal';
import type { ContentBlock, Message, ToolErrorCode } from './record/messages';
import type { Recordable } from './record/recordable';
import type { RunSpending, Spending } from './record/spending';
import type { RunRequest } from './run-request';
import type { Scope } from './scope';
import type { Seats } from './sessions/seats';
import type { Setups } from './setups';
import type { ArtifactRights, RunArtifacts } from './state/artifacts';
import type { InstanceState } from './state/state';
import type { Surface } from './surface/route';

/** What all instances of one run share. Only `spending`, `answers` and `included` change. */
export interface Run {
  readonly request: RunRequest;
  readonly folder: Folder;
  readonly parsed: ParsedFolder;
  /** Agent cards by name. */
  readonly agents: ReadonlyMap<string, AgentCard>;
  /** Every card by name. */
  readonly cards: ReadonlyMap<string, Card>;
  readonly limits: Limits;
  readonly ports: Ports;
  readonly journal: Journal;
  readonly scope: Scope;
  planOf(card: AgentCard): AgentPlan;
  readonly hooks: RunHooks;
  /** Handed to the delegation so that the loop, the batch and the child need not import one another in a ring. */
  runInstance(spec: InstanceSpec): Promise<InstanceOutcome>;
  log(body: LogBody, path?: InstancePath, step?: StepKey): void;
  /** Ends the whole run; recorded before it takes effect. */
  stop(kind: 'run_cancelled' | 'run_timeout' | 'max_tokens' | 'max_cost', message: string): void;
  /** Every model call so far, recorded ones included. */
  readonly spending: RunSpending;
  /** Texts for `{{url:…}}`, by address; there before the first instance begins. */
  included: ReadonlyMap<string, string>;
  /** Answers of delegations with `cache`, by key. */
  readonly answers: Map<string, string>;
  readonly artifacts: RunArtifacts;
  /** What instances wait for before they can work. */
  readonly setups: Setups;
  /** Arguments as they are recorded. */
  readonly recordable: Recordable;
  /** Turns at sessions, shared instances and pools. */
  readonly seats: Seats;
  /** What sessions hold, as far as this run knows, by id. */
  readonly sessions: Map<string, KeptSession>;
  /** Agents made while the run ran. */
  readonly createdAgents: CreatedAgents;
  /** The history that `history_source: child` gives to instances of a card; it only grows. */
  templateOf(card: AgentCard): Message[];
}

/** One execution of an agent, before it has begun. */
export interface InstanceSpec {
  /** A workflow's is refused: it cannot run yet. */
  readonly card: Card;
  readonly path: InstancePath;
  /** `writer[2]`; for the root the agent's name. */
  readonly name: string;
  readonly correlationId: CorrelationId;
  readonly depth: number;
  /** The least of all limits on the way down. */
  readonly maxDepth: number;
  /** What it is given of its parent's conversation, before its own message. */
  readonly history: readonly Message[];
  /** The one user message. */
  readonly input: string;
  /** Files that come with the message. */
  readonly attachments: readonly ContentBlock[];
  /** The state it begins with. */
  readonly state: JsonObject;
  readonly artifacts: ArtifactRights;
  /** Models that count after the card's own. `undefined` for the root. */
  readonly handedModels: HandedModels | undefined;
  /** What its answer must fit. */
  readonly outputSchema: JsonObject | undefined;
  /** Whether its events are part of its parent's live stream. */
  readonly forward: Forwarding;
  /** The key under which its answer may serve again. */
  readonly cacheKey: string | undefined;
  /** Whether the run's hooks are round its calls (C-29). */
  readonly runHooks: boolean;
  /** 1, 2, … of one call. */
  readonly attempt: number;
  /** Whether the results of its own tools are its answer as they are. */
  readonly resultMode: ResultMode;
  /** Its outcome is to have its conversation. */
  readonly keepsConversation: boolean;
  /** Seats that it or an instance above it holds. */
  readonly heldSeats: readonly string[];
  /** The stored session it runs in. */
  readonly sessionId: string | undefined;
  /** Tool groups that are active in it; undefined: those that are at first. */
  readonly activeGroups: readonly string[] | undefined;
  readonly timeoutMs: number | undefined;
  readonly scope: Scope;
  /** Undefined for the root. */
  readonly parent:
    | {
        readonly path: InstancePath;
        readonly correlationId: CorrelationId;
        readonly callId: CallId;
        readonly step: StepKey;
      }
    | undefined;
  /** Why it must not run: it is recorded all the same, with no duration. */
  readonly refusal: Refusal | undefined;
}

/** `message` is for the model that called, `advice` for a person: the record has both. */
export interface Refusal {
  readonly code: ToolErrorCode;
  readonly message: string;
  readonly advice?: string;
}

export interface AgentSpec extends InstanceSpec {
  readonly card: AgentCard;
}

export type Forwarding = NonNullable<DelegationOptions['forward_events']>;

export interface InstanceOutcome {
  readonly status: InstanceStatus;
  readonly answer: string | undefined;
  readonly error: RunError | undefined;
  /** Everything it wrote to its state. */
  readonly written: JsonObject;
  /** Of a completed instance that keeps it. */
  readonly conversation?: { readonly messages: readonly Message[]; readonly activeGroups: readonly string[] };
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
