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

/** A child's conversation as it is kept between calls. */
export interface SessionContent {
  readonly history: readonly Message[];
  /** What the child wrote to its state. */
  readonly state: JsonObject;
  /** Tool groups it has activated. */
  readonly activeGroups: readonly string[];
}

/** `owner` names the delegation: an id is worth nothing to another one. */
export interface SessionKey {
  readonly id: string;
  readonly owner: string;
}

/** In units of the server's own; `total` when it is known. */
export interface Progress {
  readonly done: number;
  readonly total?: number;
}

/** An agent that another one made for the rest of the run. */
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
  /** What `{{url:…}}` stands for in the instructions of this run. A resumed run does not fetch it again. */
  | { readonly kind: 'url.fetched'; readonly url: string; readonly text: string }
  | ({
      readonly kind: 'run.finished';
      readonly status: RunStatus;
      readonly answer?: string;
      readonly error?: RunError;
      readonly usage: Usage;
      /** The same by agent (template), those that asked a model, in the order they first did. */
      readonly agents?: readonly ({ readonly agentName: string } & Spending)[];
      /** Those whose last start in this run failed; absent when there are none. The run went on without their tools. */
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
      /** What of it belongs to its parent's live stream, when that is not everything. Recording does not depend on it. */
      readonly forwarded?: false | readonly string[];
    } & AtInstance)
  | ({
      readonly kind: 'instance.started';
      readonly input: string;
      readonly model: string;
      /** The state it begins with, when there is any. */
      readonly state?: JsonObject;
      /** Its answer may serve later calls with this key. */
      readonly cacheKey?: string;
      /** Messages it was given before its own, when there are any. */
      readonly historyCount?: number;
      /** How many of its children's lanes are shown before the rest is folded into a count; where its card says so. */
      readonly maxDisplayInstances?: number;
    } & AtInstance)
  | ({
      readonly kind: 'instance.ended';
      readonly status: InstanceStatus;
      readonly answer?: string;
      readonly error?: RunError;
      /** Its own model calls, children not included. */
      readonly usage: Usage;
      /** It did not run: the answer is that of an equal call before. */
      readonly cached?: true;
    } & KnownCost &
      AtInstance)
  /**
   * The instance waits until something is ready: a server of its card, or the code of the run. Siblings that wait for one
   * server each have a setup of their own. A setup is not resumed: a run that goes on elsewhere sets up anew.
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
      /** `cancelled`: the instance waits no longer. The first line of the message names the cause. */
      readonly error?: RunError;
    } & AtInstance)
  | ({
      readonly kind: 'model.started';
      readonly step: StepKey;
      readonly attempt: number;
      readonly model: string;
      /** Who is asked, as OpenTelemetry names providers, and by which name where that is not `model`; when known. */
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
  /** What a tool itself gave, where hooks are round it: a resumed call gives them this and does not ask the tool again. */
  | ({
      readonly kind: 'tool.returned';
      /** The call's, or `<call>.r2`, … when a hook asked again. */
      readonly step: StepKey;
      readonly callId: CallId;
      readonly result: ToolResult;
    } & AtInstance)
  /** What the call of `step` wrote to the state of `path`, itself or through the child `from`. Before that step's end. */
  | ({
      readonly kind: 'state.changed';
      readonly step: StepKey;
      readonly from?: InstancePath;
      /** `discarded`: the delegation isolates state; `refused`: see `reason`. Only `committed` changes the state. */
      readonly outcome: 'committed' | 'discarded' | 'refused';
      readonly delta: JsonObject;
      readonly reason?: string;
    } & AtInstance)
  /** A version of an artifact, numbered from 1 within its space and name. Before the end of `step`. */
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
   * The call of `step` goes on with a conversation that is kept. The content is here when this log has not got it already:
   * it came from the store.
   */
  | ({
      readonly kind: 'session.opened';
      readonly step: StepKey;
      readonly sessionId: string;
      /** The delegation it belongs to, `parent > child`; of a shared instance the agent. */
      readonly owner: string;
      readonly mode: SessionMode;
      /** The id the model asked for, when there is no such session and this is a new one. */
      readonly asked?: string;
      /** Saves so far; 0 for a new session. */
      readonly version: number;
      readonly content?: SessionContent;
    } & AtInstance)
  /** The call of `step` has succeeded and its conversation is kept: the first `kept` messages as they were, then these. */
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
  /** `history_merge_target`: what the child of `step` said goes into the template of its agent, or into its parent's history. */
  | ({
      readonly kind: 'history.merged';
      readonly step: StepKey;
      readonly target: 'child' | 'orchestrator';
      readonly agentName: string;
      readonly messages: readonly Message[];
    } & AtInstance)
  /** From here on its creator's instances may call it. */
  | ({ readonly kind: 'agent.created'; readonly step: StepKey; readonly agent: CreatedAgentRecord } & AtInstance)
  /** */
  | ({ readonly kind: 'groups.activated'; readonly step: StepKey; readonly groups: readonly string[] } & AtInstance)
  | ({
      readonly kind: 'hook.started';
      readonly step: StepKey;
      readonly attempt: number;
      readonly hook: string;
      readonly phase: string;
      /** The step it wraps, for middleware. */
      readonly around?: StepKey;
    } & AtInstance)
  | ({
      readonly kind: 'hook.ended';
      readonly step: StepKey;
      readonly calledNext: boolean;
      readonly changes: readonly {
        /** The first two of middleware; the others of phase hooks, whole. `runner` is what they keep on their runner. */
        readonly what: 'arguments' | 'result' | 'message' | 'history' | 'conversation' | 'appended' | 'runner';
        readonly before: Json;
        readonly after: Json;
      }[];
      readonly error?: string;
    } & AtInstance)
  /** A sentence worth keeping: a server's log line, a retry, a tool left out of the surface. */
  | {
      readonly kind: 'log';
      readonly level: 'debug' | 'info' | 'warning' | 'error';
      readonly code: string;
      readonly message: string;
      readonly path?: InstancePath;
      readonly serverName?: string;
      readonly step?: StepKey;
      /** With code `tool_progress`: how far the call of `step` is. */
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
