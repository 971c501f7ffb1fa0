import type { AttachmentInfo } from '@/lib/base/conversation';
import type { CallId, CorrelationId, EpochMs, InstancePath, PendingId, RunId, StepKey } from '@/lib/base/ids';
import type { Json, JsonObject } from '@/lib/base/json';
import type { LeftOut } from '@/lib/base/left-out';
import type { ItemEnd, PendingQuestion, PersonAnswer } from '@/lib/base/pending';
import type { RunMarks } from '@/lib/base/run-marks';
import type { WorkflowDecision } from './decision';
import type { AssistantMessage, Message, ToolResult, Usage } from './messages';
import type { RecordedRequest } from './recorded-request';
import type { KnownCost, Spending } from './spending';

/**
 * An event of a run's log. Everything shown, resumed or exported is folded from events. The union is closed, so a new kind
 * must be added here, in the fold and in docs/events.md.
 *
 * `run.started` has seq 1 and `run.finished` is the last event. A start always precedes its end. Other events may come
 * between them, because siblings run in parallel. After a crash or a suspension the log continues with `run.resumed`. A step
 * that was in flight then starts again with `attempt` one higher, and its earlier start never gets an end. A call that waits for
 * a person does not start again.
 */
export type RunEvent = EventStamp & EventBody;

/** The event of one kind. */
export type EventOf<K extends RunEvent['kind']> = Extract<RunEvent, { kind: K }>;

export interface EventStamp {
  /** Numbers are 1, 2, 3, … without gaps. */
  readonly seq: number;
  readonly at: EpochMs;
  /** Set on the first event of a step of an imported run. */
  readonly imported?: ImportedFrom;
}

/** What a step of an imported run was in its source. */
export interface ImportedFrom {
  /** The id and the name of the span, or of whatever the source calls it. */
  readonly id: string;
  readonly name: string;
  /** Attributes of the source that events have no field for. */
  readonly attributes: JsonObject;
  /** What the source does not say and the import worked out, in words. */
  readonly estimated?: readonly string[];
  /** The id of the parent that the source names and that has not arrived. */
  readonly missingParent?: string;
}

export type ToolSource = 'mcp' | 'function' | 'agent' | 'runtime';

export type RunStatus = 'completed' | 'failed' | 'cancelled';
export type InstanceStatus = RunStatus | 'timeout';

export interface RunError {
  /** A stable snake_case code, such as `model_auth`, `run_timeout`, `cards_invalid`. docs/events.md lists all codes. */
  readonly code: string;
  readonly message: string;
}

/** A server that agents were to use and that did not start. */
export interface FailedServer {
  readonly name: string;
  /** A sentence that says why, and below it what the server printed. */
  readonly message: string;
}

/** Says who shares an artifact: the whole run, an instance and its descendants, or all runs of the project. */
export type ArtifactSpace = 'run' | 'user' | `instance:${string}`;

export type SetupKind = 'server' | 'code' | 'text';

/**
 * `addressed` and `reuse` come from the delegation's `session`, and `shared` from `isolation: shared`. `conversation` is that of the
 * run's root.
 */
export type SessionMode = 'addressed' | 'reuse' | 'shared' | 'conversation';

/** A child's conversation that is kept between calls. */
export interface SessionContent {
  readonly history: readonly Message[];
  /** What the child wrote to its state. */
  readonly state: JsonObject;
  /** Tool groups that the child has activated. */
  readonly activeGroups: readonly string[];
}

/** Identifies a session. `owner` names the delegation, because an id is valid for its owner alone. */
export interface SessionKey {
  readonly id: string;
  readonly owner: string;
}

/** Progress in the server's own units, with `total` if it is known. */
export interface Progress {
  readonly done: number;
  readonly total?: number;
}

/** An agent that another one created for the rest of the run. */
export interface CreatedAgentRecord {
  readonly name: string;
  /** The card whose instances may call it. */
  readonly creator: string;
  readonly instructions: string;
  readonly description?: string | undefined;
  readonly model?: string | undefined;
  readonly outputSchema?: JsonObject | undefined;
  /** The tools' names as its creator's model sees them. */
  readonly tools: readonly string[];
}

interface AtInstance {
  readonly path: InstancePath;
}

export type EventBody =
  | {
      readonly kind: 'run.started';
      readonly runId: RunId;
      readonly correlationId: CorrelationId;
      readonly entryAgent: string;
      readonly message: string;
      /** The model that the caller asked for. It serves every card that names none. */
      readonly model?: string;
      /** True when a script answers in place of a model. */
      readonly scripted: boolean;
      /** The files that came with the message. */
      readonly attachments?: readonly AttachmentInfo[];
      /** What the run does without although the files have it. */
      readonly leftOut?: readonly LeftOut[];
      /** What the caller said of the run. */
      readonly marks?: RunMarks;
    }
  | { readonly kind: 'run.resumed'; readonly worker: string }
  /**
   * Only people are waited for, and the run left its worker. It is the last event of that worker. The run goes on with
   * `run.resumed`.
   */
  | {
      readonly kind: 'run.suspended';
      /** The number of open questions. */
      readonly open: number;
      /**
       * Milliseconds that each open instance has worked, without the time in which only people were waited for. Time limits go
       * on from here. The entry of the root instance is that of the run.
       */
      readonly activeMs: Readonly<Record<InstancePath, number>>;
    }
  /** The text of `{{url:…}}` in the instructions of this run. A resumed run does not fetch it again. */
  | { readonly kind: 'url.fetched'; readonly url: string; readonly text: string }
  | ({
      readonly kind: 'run.finished';
      readonly status: RunStatus;
      readonly answer?: string;
      readonly error?: RunError;
      readonly usage: Usage;
      /** Usage and cost by agent (template), in the order of their first model calls. */
      readonly agents?: readonly ({ readonly agentName: string } & Spending)[];
      /** Servers whose last start in this run failed; absent if there are none. The run continued without their tools. */
      readonly failedServers?: readonly FailedServer[];
    } & KnownCost)
  /**
   * An instance waits for a parallel slot, or the root instance for the run's code. Always followed by `instance.started` or
   * `instance.ended`.
   */
  | ({
      readonly kind: 'instance.queued';
      readonly agentName: string;
      readonly instanceName: string;
      readonly parent?: InstancePath;
      /** The delegation's own id; for the root instance the run's. */
      readonly correlationId: CorrelationId;
      readonly parentCorrelationId?: CorrelationId;
      /** The parent's tool call that made the instance, and the step of that call. */
      readonly callId?: CallId;
      readonly parentStep?: StepKey;
      readonly depth: number;
      /** The number of a later attempt of one call: 2, 3, …. The first attempt has none. */
      readonly attempt?: number;
      /** Says which events belong to the parent's live stream. Without it all do. Recording does not depend on it. */
      readonly forwarded?: false | readonly string[];
    } & AtInstance)
  | ({
      readonly kind: 'instance.started';
      readonly input: string;
      /** Absent for a workflow that asks no model itself. */
      readonly model?: string;
      /** The state that the instance begins with, if there is any. */
      readonly state?: JsonObject;
      /** Later calls with this cache key may use its answer. */
      readonly cacheKey?: string;
      /** The number of messages that the instance was given before its own, if there are any. */
      readonly historyCount?: number;
      /** The number of children that the timeline shows before it folds the rest into a count. It comes from the card. */
      readonly maxDisplayInstances?: number;
    } & AtInstance)
  | ({
      readonly kind: 'instance.ended';
      readonly status: InstanceStatus;
      readonly answer?: string;
      readonly error?: RunError;
      /** Usage of the instance's own model calls, without its children. */
      readonly usage: Usage;
      /** The instance did not run, because its answer was taken from an equal call. */
      readonly cached?: true;
    } & KnownCost &
      AtInstance)
  /**
   * The instance waits until something is ready: a server of its card, or the code of the run. Siblings that wait for one
   * server each have their own setup. A setup is not resumed: a resumed run starts new setups.
   */
  | ({
      readonly kind: 'setup.started';
      readonly step: StepKey;
      readonly what: SetupKind;
      /** The name of the server, or the files of the code. */
      readonly name: string;
    } & AtInstance)
  | ({
      readonly kind: 'setup.ended';
      readonly step: StepKey;
      /** `cancelled`: the instance no longer waits. The first line of the message names the cause. */
      readonly error?: RunError;
    } & AtInstance)
  | ({
      readonly kind: 'model.started';
      readonly step: StepKey;
      readonly attempt: number;
      readonly model: string;
      /**
       * The provider's name in OpenTelemetry and the model's name in the request, each if it is known and differs from
       * `model`.
       */
      readonly provider?: string;
      readonly modelName?: string;
      /** Numbers of messages and tools in the request. */
      readonly messageCount: number;
      readonly tools: readonly string[];
      /** The whole request. Logs of format 3 and before have none. */
      readonly request?: RecordedRequest;
    } & AtInstance)
  | ({
      readonly kind: 'model.ended';
      readonly step: StepKey;
      readonly message?: AssistantMessage;
      readonly error?: RunError;
      /** The text that came before the answer broke off. Only with `error`. */
      readonly received?: string;
      readonly usage: Usage;
      /** US dollars by the prices of that day; absent when the model's price is not known. */
      readonly costUsd?: number;
      /** Milliseconds to the first token, if the answer was streamed. */
      readonly firstTokenMs?: number;
      /** The number of requests sent, retries included. */
      readonly requests: number;
    } & AtInstance)
  | ({
      readonly kind: 'tool.started';
      readonly step: StepKey;
      readonly attempt: number;
      readonly callId: CallId;
      readonly toolName: string;
      readonly source: ToolSource;
      readonly serverName?: string;
      /** The parsed arguments, or the raw text when it was not JSON. */
      readonly arguments: Json;
      /** For a delegation, the correlation id under which its child runs. */
      readonly correlationId: CorrelationId;
    } & AtInstance)
  | ({
      readonly kind: 'tool.ended';
      readonly step: StepKey;
      readonly callId: CallId;
      readonly result: ToolResult;
      readonly cached?: true;
    } & AtInstance)
  /**
   * The tool's own result, if hooks wrap it or the call must wait for earlier calls before it commits state. A resumed call goes
   * on with it and does not run the tool again.
   */
  | ({
      readonly kind: 'tool.returned';
      /** The step of the call, or `<call>.r2`, … when a hook retried. */
      readonly step: StepKey;
      readonly callId: CallId;
      readonly result: ToolResult;
      /** What the tool wrote to the state, if anything. It is committed by `state.changed`. */
      readonly written?: JsonObject;
    } & AtInstance)
  /** What the call of `step` or its child `from` wrote to the state of `path`. Recorded before the step's end. */
  | ({
      readonly kind: 'state.changed';
      readonly step: StepKey;
      readonly from?: InstancePath;
      /** `discarded`: the delegation isolates state. `refused`: `reason` says why. Only `committed` changes the state. */
      readonly outcome: 'committed' | 'discarded' | 'refused';
      readonly delta: JsonObject;
      readonly reason?: string;
    } & AtInstance)
  /** A version of an artifact, numbered from 1 within its space and name. Recorded before the end of `step`. */
  | ({
      readonly kind: 'artifact.saved';
      readonly step: StepKey;
      readonly space: ArtifactSpace;
      readonly name: string;
      readonly version: number;
      readonly mimeType: string;
      readonly bytes: number;
      /** SHA-256 of the content as lower-case hex. */
      readonly hash: string;
      /** Text is kept as it is; everything else is in base64. */
      readonly encoding: 'text' | 'base64';
      readonly content: string;
    } & AtInstance)
  /**
   * The call of `step` continues a session. The content is present when it came from the store and is not in this log yet. With mode
   * `conversation` the root itself continues one, and `step` is `<root>#c1`.
   */
  | ({
      readonly kind: 'session.opened';
      readonly step: StepKey;
      readonly sessionId: string;
      /** The delegation `parent > child` that the session belongs to, the agent of a shared instance, or `conversation`. */
      readonly owner: string;
      readonly mode: SessionMode;
      /** The id that the model asked for, if no such session exists and this is a new one. */
      readonly asked?: string;
      /** Counts the saves so far; 0 for a new session. */
      readonly version: number;
      readonly content?: SessionContent;
    } & AtInstance)
  /**
   * The call of `step` succeeded and its session was saved. It now holds the first `kept` messages of before, then
   * `messages`.
   */
  | ({
      readonly kind: 'session.saved';
      readonly step: StepKey;
      readonly sessionId: string;
      readonly version: number;
      readonly kept: number;
      readonly messages: readonly Message[];
      readonly state: JsonObject;
      readonly activeGroups: readonly string[];
    } & AtInstance)
  /** `history_merge_target`: the messages of the child of `step` go to the template of its agent or into its parent's history. */
  | ({
      readonly kind: 'history.merged';
      readonly step: StepKey;
      readonly target: 'child' | 'orchestrator';
      readonly agentName: string;
      readonly messages: readonly Message[];
    } & AtInstance)
  /** From now on its creator's instances may call the new agent. */
  | ({ readonly kind: 'agent.created'; readonly step: StepKey; readonly agent: CreatedAgentRecord } & AtInstance)
  /** What a workflow decided, with its reasons. Recorded before it takes effect; `step` is `<path>#d<n>`. */
  | ({
      readonly kind: 'workflow.decided';
      readonly step: StepKey;
      readonly decision: WorkflowDecision;
    } & AtInstance)
  /** The instance activated tool groups. */
  | ({ readonly kind: 'groups.activated'; readonly step: StepKey; readonly groups: readonly string[] } & AtInstance)
  | ({
      readonly kind: 'hook.started';
      readonly step: StepKey;
      readonly attempt: number;
      readonly hook: string;
      readonly phase: string;
      /** The step that the hook wraps. Phase hooks have none. */
      readonly around?: StepKey;
    } & AtInstance)
  | ({
      readonly kind: 'hook.ended';
      readonly step: StepKey;
      readonly calledNext: boolean;
      /**
       * For a hook that wraps a call and called the next one: how long after its start it did so first, and how long it waited
       * for it in all, in milliseconds. The rest of its time is its own.
       */
      readonly next?: { readonly afterMs: number; readonly ms: number };
      readonly changes: readonly {
        /**
         * Hooks that wrap a call change `arguments` and `result`. Phase hooks change the others, which are recorded uncut.
         * `stop`: a person decides whether the turn goes on. Its value is what the hook says about that.
         */
        readonly what: 'arguments' | 'result' | 'message' | 'history' | 'conversation' | 'appended' | 'runner' | 'stop';
        readonly before: Json;
        readonly after: Json;
      }[];
      readonly error?: string;
    } & AtInstance)
  /** The step asks a person and waits. Recorded once, whatever the number of workers that wait. */
  | ({ readonly kind: 'person.asked' } & PendingQuestion)
  /** How the question ended. Recorded before the answer takes effect. */
  | ({
      readonly kind: 'person.answered';
      readonly step: StepKey;
      readonly item: PendingId;
      readonly outcome: ItemEnd['outcome'];
      /** Only with outcome `answered`. */
      readonly answer?: PersonAnswer;
    } & AtInstance)
  /** A sentence for the log: a server's log line, a retry, a tool that was left out. */
  | {
      readonly kind: 'log';
      readonly level: 'debug' | 'info' | 'warning' | 'error';
      readonly code: string;
      readonly message: string;
      readonly path?: InstancePath;
      readonly serverName?: string;
      readonly step?: StepKey;
      /** With code `tool_progress`, the progress of the call of `step`. */
      readonly progress?: Progress;
      /** With code `model_retry`, milliseconds until the request of `step` is made again. */
      readonly waitMs?: number;
    };

/** What a piece belongs to if it is not the answer's text: the reasoning, or the arguments of the n-th call of the answer. */
export type DeltaPart = 'reasoning' | { readonly call: number; readonly toolName: string };

/** A piece of text that is streamed while a model answers. It is never stored. */
export interface ModelDelta {
  readonly path: InstancePath;
  readonly agentName: string;
  readonly instanceName: string;
  /** The stored session that the instance continues. */
  readonly sessionId: string | undefined;
  readonly step: StepKey;
  /** Absent for the answer's text. */
  readonly part?: DeltaPart | undefined;
  readonly text: string;
  /** With `false`, `text` is all text of this part so far, not the next piece. */
  readonly incremental: boolean;
}
