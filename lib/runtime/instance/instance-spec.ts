import type { CallId, CorrelationId, InstancePath, StepKey } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import type { Card } from '@/lib/cards/card';
import type { DelegationOptions } from '@/lib/cards/delegation-settings';
import type { ResultMode } from '@/lib/runtime/delegation/result-mode';
import type { InstanceStatus, RunError } from '@/lib/runtime/record/events';
import type { ContentBlock, Message, ToolErrorCode } from '@/lib/runtime/record/messages';
import type { HandedModels } from '@/lib/runtime/request/resolve-model';
import type { Scope } from '@/lib/runtime/scope';
import type { ArtifactRights } from '@/lib/runtime/state/artifacts';

/** Describes one execution of an agent before it starts. */
export interface InstanceSpec {
  readonly card: Card;
  readonly path: InstancePath;
  /** For example `writer[2]`. The root has the agent's name. */
  readonly name: string;
  readonly correlationId: CorrelationId;
  readonly depth: number;
  /** The smallest depth limit of this instance and its ancestors. */
  readonly maxDepth: number;
  /** Messages that the instance gets before its own input. */
  readonly history: readonly Message[];
  /** The one user message that the instance gets. */
  readonly input: string;
  /** Files that come with the message. */
  readonly attachments: readonly ContentBlock[];
  /** The state that the instance begins with. */
  readonly state: JsonObject;
  readonly artifacts: ArtifactRights;
  /** The models for a card that names none. The root has none. */
  readonly handedModels: HandedModels | undefined;
  /** The schema that its answer must fit. */
  readonly outputSchema: JsonObject | undefined;
  /** Which of its events belong to its parent's live stream. */
  readonly forward: Forwarding;
  /** The cache key of the answer, if equal calls may use it. */
  readonly cacheKey: string | undefined;
  /** True if the run's hooks wrap the instance's calls. */
  readonly runHooks: boolean;
  /** True if every delegation from the root to the instance hands on what is asked below it: both of its switches are on. */
  readonly handsOn: boolean;
  /** The number of this attempt of its call, from 1. */
  readonly attempt: number;
  /** With `passthrough` the results of the instance's tools are its answer. */
  readonly resultMode: ResultMode;
  /** True if the outcome must contain the conversation. */
  readonly keepsConversation: boolean;
  /** Keys of the resources that the instance or one of its ancestors holds. */
  readonly heldResources: readonly string[];
  /** The stored session that the instance continues. */
  readonly sessionId: string | undefined;
  /** The tool groups that are active at the start. `undefined` stands for those that are active by default. */
  readonly activeGroups: readonly string[] | undefined;
  readonly timeoutMs: number | undefined;
  readonly scope: Scope;
  /** The root has no parent. */
  readonly parent:
    | {
        readonly path: InstancePath;
        readonly correlationId: CorrelationId;
        readonly callId: CallId;
        readonly step: StepKey;
      }
    | undefined;
  /** Says why the instance must not run. It is recorded even so, without a duration. */
  readonly refusal: Refusal | undefined;
}

/** `message` is for the calling model, `advice` for a person. Both are recorded. */
export interface Refusal {
  readonly code: ToolErrorCode;
  readonly message: string;
  readonly advice?: string;
}

export type Forwarding = NonNullable<DelegationOptions['forward_events']>;

export interface InstanceOutcome {
  readonly status: InstanceStatus;
  readonly answer: string | undefined;
  readonly error: RunError | undefined;
  /** Everything the instance wrote to its state. */
  readonly written: JsonObject;
  /** Present when the instance completed and `keepsConversation` is set. */
  readonly conversation?: { readonly messages: readonly Message[]; readonly activeGroups: readonly string[] };
}
