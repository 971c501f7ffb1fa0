import type { InstancePath, StepKey } from '@/lib/base/ids';
import type { AgentCard, Card } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { CreatedAgents } from '@/lib/runtime/delegation/created-agents';
import type { RunHooks } from '@/lib/runtime/hook-layers/hook-plan';
import type { CallScheduler } from '@/lib/runtime/permits/call-scheduler';
import type { LogBody, Ports } from '@/lib/runtime/ports';
import type { Journal } from '@/lib/runtime/record/journal';
import type { Message } from '@/lib/runtime/record/messages';
import type { Recordable } from '@/lib/runtime/record/recordable';
import type { KeptSession } from '@/lib/runtime/record/recorded-sessions';
import type { RequestNotes } from '@/lib/runtime/record/request-notes';
import type { RunSpending } from '@/lib/runtime/record/spending';
import type { Limits } from '@/lib/runtime/request/limits';
import type { RunRequest } from '@/lib/runtime/request/run-request';
import type { Scope } from '@/lib/runtime/scope';
import type { RunArtifacts } from '@/lib/runtime/state/artifacts';
import type { ActiveTimes } from '@/lib/runtime/waiting/active-time';
import type { AgentPlan } from './agent-plan';
import type { InstanceOutcome, InstanceSpec } from './instance-spec';
import type { Questions } from './questions';
import type { Setups } from './setups';

/** What all instances of one run share. Only `spending`, `answers` and `included` change. */
export interface Run {
  readonly request: RunRequest;
  readonly folder: Folder;
  readonly parsed: ParsedFolder;
  /** Every card by name. */
  readonly cards: ReadonlyMap<string, Card>;
  readonly limits: Limits;
  readonly ports: Ports;
  readonly journal: Journal;
  readonly scope: Scope;
  planOf(card: AgentCard): AgentPlan;
  readonly hooks: RunHooks;
  /** Runs a child. It is a field because an import from delegation to the run would make a circle. */
  runInstance(spec: InstanceSpec): Promise<InstanceOutcome>;
  log(body: LogBody, path?: InstancePath, step?: StepKey): void;
  /** Stops the whole run. The reason is recorded before it takes effect. */
  stop(kind: 'run_cancelled' | 'run_timeout' | 'max_tokens' | 'max_cost' | 'over_budget', message: string): void;
  /** Sums every model call so far, recorded ones included. */
  readonly spending: RunSpending;
  /** Texts for `{{url:…}}` by address. They are set before the first instance starts. */
  included: ReadonlyMap<string, string>;
  /** Answers of delegations with `cache`, by cache key. */
  readonly answers: Map<string, string>;
  readonly artifacts: RunArtifacts;
  /** What instances wait for before they can work. */
  readonly setups: Setups;
  /** What the run asks people. */
  readonly questions: Questions;
  /** How long the run and its open instances have worked. */
  readonly times: ActiveTimes;
  /** Turns arguments into the form that is recorded. */
  readonly recordable: Recordable;
  /** Records what models are asked. */
  readonly requests: RequestNotes;
  /** Decides when calls may start. */
  readonly scheduler: CallScheduler;
  /** The content of sessions that this run has opened or saved, by id. */
  readonly sessions: Map<string, KeptSession>;
  /** Agents created in this run. */
  readonly createdAgents: CreatedAgents;
  /** Returns the history for new instances of a card with `history_source: child`. Messages are only appended to it. */
  templateOf(card: AgentCard): Message[];
}
