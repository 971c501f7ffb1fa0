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
  /** Whether the run's hooks are round its calls. */
  readonly runHooks: boolean;
  /** 1, 2, … of one call. */
  readonly attempt: number;
  /** Whether the results of its own tools are its answer as they are. */
  readonly resultMode: ResultMode;
  /** Its outcome is to have its conversation. */
  readonly keepsConversation: boolean;
  /** CallScheduler that it or an instance above it holds. */
  readonly heldResources: readonly string[];
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
