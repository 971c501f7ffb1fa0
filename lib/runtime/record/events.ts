import type { CallId, CorrelationId, EpochMs, InstancePath, RunId, StepKey } from '@/lib/base/ids';
import type { Json, JsonObject } from '@/lib/base/json';
import type { AssistantMessage, Message, ToolResult, Usage } from './messages';
import type { KnownCost, Spending } from './spending';

/**
 * The single record of a run. Everything shown, resumed or exported is folded from these. The union is closed: a new kind
 * is added here, in the fold and in docs/events.md at once.
 *
 * Order: `run.started` is seq 1 and `run.finished` the last. A start always precedes its end. Between them anything may
 * interleave, for siblings run at once. After a crash the log goes on with `run.resumed`; a step that was in flight then
 * starts once more with `attempt` one higher, and its earlier start never gets an end.
 */
export type RunEvent = EventStamp & EventBody;

/** The event of one kind. */
export type EventOf<K extends RunEvent['kind']> = Extract<RunEvent, { kind: K }>;

export interface EventStamp {
  /** 1, 2, 3, … without gaps. */
  readonly seq: number;
  readonly at: EpochMs;
}

export type ToolSource = 'mcp' | 'function' | 'agent' | 'runtime';

export type RunStatus = 'completed' | 'failed' | 'cancelled';
export type InstanceStatus = RunStatus | 'timeout';

export interface RunError {
  /** Stable snake_case, e.g. `model_auth`, `run_timeout`, `cards_invalid`. Documented in docs/events.md. */
  readonly code: string;
  readonly message: string;
}

/** A server that agents were to use and that did not start. */
export interface FailedServer {
  readonly name: string;
  /** The sentence that says why, and below it what the server printed. */
  readonly message: string;
}

/** Who shares an artifact: all of the run, an instance and those below it, or all runs of the project. */
export type ArtifactSpace = 'run' | 'user' | `instance:${string}`;

export type SetupKind = 'server' | 'code';

/** `addressed` and `reuse` by the delegation's `session`; `shared` by `isolation: shared`. */
export type SessionMode = 'addressed' | 'reuse' | 'shared';

/** A child's conversation that is kept between calls. */
export interface SessionContent {
  readonly history: readonly Message[];
  /** What the child wrote to its state. */
  readonly state: JsonObject;
  /** Tool groups it has activated. */
  readonly activeGroups: readonly string[];
}

/** `owner` names the delegation. An id is valid for its owner alone. */
export interface SessionKey {
  readonly id: string;
  readonly owner: string;
}

/** Progress in the server's own units; `total` if it is known. */
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
  /** Names on its creator's surface. */
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
      /** The model the caller asked for: it serves every card that names none. */
      readonly model?: string;
      /** True when a script answers in place of a model. */
      readonly scripted: boolean;
    }
  | { readonly kind: 'run.resumed'; readonly worker: string }
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
      /** The tool call of the parent that made it, and that call's step. */
      readonly callId?: CallId;
      readonly parentStep?: StepKey;
      readonly depth: number;
      /** 2, 3, … of one call; absent for the first. */
      readonly attempt?: number;
      /** The part that belongs to its parent's live stream; absent for all. Recording does not depend on it. */
      readonly forwarded?: false | readonly string[];
    } & AtInstance)
  | ({
      readonly kind: 'instance.started';
      readonly input: string;
      readonly model: string;
      /** The state it begins with, when there is any. */
      readonly state?: JsonObject;
      /** Later calls with this cache key may use its answer. */
      readonly cacheKey?: string;
      /** Messages it was given before its own, when there are any. */
      readonly historyCount?: number;
      /** How many of its children the timeline shows before it folds the rest into a count; from its card. */
      readonly maxDisplayInstances?: number;
    } & AtInstance)
  | ({
      readonly kind: 'instance.ended';
      readonly status: InstanceStatus;
      readonly answer?: string;
      readonly error?: RunError;
      /** Its own model calls, children not included. */
      readonly usage: Usage;
      /** It did not run: its answer was taken from an equal call. */
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
      /** The server; the files of the code. */
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
      /** The provider in OpenTelemetry's naming, and the model's name in the request if it is not `model`; if known. */
      readonly provider?: string;
      readonly modelName?: string;
      /** Messages and tools in the request. */
      readonly messageCount: number;
      readonly tools: readonly string[];
    } & AtInstance)
  | ({
      readonly kind: 'model.ended';
      readonly step: StepKey;
      readonly message?: AssistantMessage;
      readonly error?: RunError;
      readonly usage: Usage;
      /** US dollars, by the prices of that day; absent when the model's price is not known. */
      readonly costUsd?: number;
      /** Milliseconds to the first token, when streamed. */
      readonly firstTokenMs?: number;
      /** Requests sent, retries included. */
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
      /** Parsed arguments; the raw text when it was not JSON. */
      readonly arguments: Json;
      /** For a delegation: the correlation id its child runs under. */
      readonly correlationId: CorrelationId;
    } & AtInstance)
  | ({
      readonly kind: 'tool.ended';
      readonly step: StepKey;
      readonly callId: CallId;
      readonly result: ToolResult;
      readonly cached?: true;
    } & AtInstance)
  /** The tool's own result, if hooks wrap it. A resumed call passes it to the hooks and does not run the tool again. */
  | ({
      readonly kind: 'tool.returned';
      /** The step of the call, or `<call>.r2`, … when a hook retried. */
      readonly step: StepKey;
      readonly callId: CallId;
      readonly result: ToolResult;
    } & AtInstance)
  /** What the call of `step` or its child `from` wrote to the state of `path`. Recorded before the step's end. */
  | ({
      readonly kind: 'state.changed';
      readonly step: StepKey;
      readonly from?: InstancePath;
      /** `discarded`: the delegation isolates state; `refused`: see `reason`. Only `committed` changes the state. */
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
      /** sha-256 of the content, lower-case hex. */
      readonly hash: string;
      /** Text as it is; everything else as base64. */
      readonly encoding: 'text' | 'base64';
      readonly content: string;
    } & AtInstance)
  /**
   * The call of `step` continues a session. The content is present when it came from the store and is not in this log yet.
   */
  | ({
      readonly kind: 'session.opened';
      readonly step: StepKey;
      readonly sessionId: string;
      /** The delegation it belongs to, `parent > child`; of a shared instance the agent. */
      readonly owner: string;
      readonly mode: SessionMode;
      /** The id the model asked for, if no such session exists and this is a new one. */
      readonly asked?: string;
      /** Saves so far; 0 for a new session. */
      readonly version: number;
      readonly content?: SessionContent;
    } & AtInstance)
  /** The call of `step` succeeded and its session was saved: the first `kept` messages of before, then `messages`. */
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
  /** The instance activated tool groups. */
  | ({ readonly kind: 'groups.activated'; readonly step: StepKey; readonly groups: readonly string[] } & AtInstance)
  | ({
      readonly kind: 'hook.started';
      readonly step: StepKey;
      readonly attempt: number;
      readonly hook: string;
      readonly phase: string;
      /** The step that the hook wraps; absent for phase hooks. */
      readonly around?: StepKey;
    } & AtInstance)
  | ({
      readonly kind: 'hook.ended';
      readonly step: StepKey;
      readonly calledNext: boolean;
      readonly changes: readonly {
        /** `arguments` and `result` are of hooks that wrap a call; the others are of phase hooks and are whole. */
        readonly what: 'arguments' | 'result' | 'message' | 'history' | 'conversation' | 'appended' | 'runner';
        readonly before: Json;
        readonly after: Json;
      }[];
      readonly error?: string;
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
      /** With code `tool_progress`: the progress of the call of `step`. */
      readonly progress?: Progress;
    };

/** Streamed while a model answers; never stored. */
export interface ModelDelta {
  readonly path: InstancePath;
  readonly agentName: string;
  readonly instanceName: string;
  /** The stored session it runs in. */
  readonly sessionId: string | undefined;
  readonly step: StepKey;
  readonly text: string;
  /** False: `text` is all of this call's text so far, not the next piece. */
  readonly incremental: boolean;
}
