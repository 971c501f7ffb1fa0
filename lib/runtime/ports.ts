import type { Clock } from '@/lib/base/clock';
import type { CallId, CorrelationId, InstancePath, RunId, StepKey } from '@/lib/base/ids';
import type { Issue } from '@/lib/base/issue';
import type { Json, JsonObject } from '@/lib/base/json';
import type { Result } from '@/lib/base/result';
import type { AgentCard, CodeRef, ToolHookPhase } from '@/lib/cards/card';
import type { EventSink } from './record/event-sink';
import type { Progress, RunError, SessionContent, SessionKey, ToolSource } from './record/events';
import type { AssistantMessage, Message, ToolResult, Usage } from './record/messages';

export interface ToolDescriptor {
  /** As the model sees it: `time__get_time`, `add_one`, `agent__Critic`. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** What `structuredContent` of its results promises to fit. */
  readonly outputSchema?: JsonObject;
  readonly source: ToolSource;
  /** For `mcp`. */
  readonly serverName?: string;
  /** The tool's own name on its server, for filters and calls. */
  readonly remoteName?: string;
  /** Calls before it in a batch end first, calls after it start later. */
  readonly sequential?: true;
}

export interface ModelRequest {
  readonly runId: RunId;
  readonly path: InstancePath;
  readonly agentName: string;
  readonly instanceName: string;
  /** 1-based count of model calls of this instance: a scripted model answers with its turn of that number. */
  readonly turn: number;
  readonly step: StepKey;
  /** Resolved model string, `[provider.]model[?key=value]`; `script` when a script answers. */
  readonly model: string;
  readonly instruction: string;
  /** The instance's own list, which grows after the call: copy what is to be kept. */
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDescriptor[];
  readonly requestParams: JsonObject;
}

export type ModelResponse =
  | {
      readonly ok: true;
      readonly message: AssistantMessage;
      readonly usage: Usage;
      readonly firstTokenMs?: number;
      readonly requests: number;
    }
  | { readonly ok: false; readonly error: RunError; readonly usage: Usage; readonly requests: number };

/**
 * One model call. Does not throw: a failure is `ok: false`, an abort is `ok: false` with code `cancelled`. Retries inside
 * (429, 5xx) and counts them in `requests`. The caller cancels through `signal`; after an abort nothing more is sent.
 */
export interface ModelPort {
  complete(
    request: ModelRequest,
    control: { readonly signal: AbortSignal; onDelta(text: string): void; log(body: LogBody): void },
  ): Promise<ModelResponse>;
  /** Who is asked for a model, and by which name. Pure. Absent: nobody knows. */
  describe?(model: string): AskedModel;
  /** Why nobody can be asked for a model, with the next step for a person. Pure. Absent: every model is served. */
  problemOf?(model: string): RunError | undefined;
}

export interface AskedModel {
  /** As OpenTelemetry names providers (`gen_ai.provider.name`); `callboard` for models that answer here. */
  readonly provider: string;
  /** The name in the request: `gpt-4o` of `openai.gpt-4o?temperature=0`. */
  readonly name: string;
}

export interface ToolCallContext {
  readonly runId: RunId;
  readonly path: InstancePath;
  readonly agentName: string;
  readonly instanceName: string;
  readonly callId: CallId;
  readonly correlationId: CorrelationId;
  /** The step's key: tools that can, use it to recognise a repeated call after a crash. */
  readonly idempotencyKey: StepKey;
  readonly signal: AbortSignal;
  /** The calling instance's state. */
  readonly state: StateAccess;
  /** The artifacts the calling instance shares. */
  readonly artifacts: ArtifactAccess;
  log(body: LogBody): void;
  /**
   * A model call on behalf of this tool call: recorded as one of its agent's, counted and limited as they are. Does not
   * throw.
   */
  sample?(request: SampleRequest): Promise<ModelResponse>;
}

export interface SampleRequest {
  /** Undefined: the model of the calling agent. */
  readonly model: string | undefined;
  readonly instruction: string;
  readonly messages: readonly Message[];
  readonly requestParams: JsonObject;
}

/** State as one tool call sees it. What it writes counts once the call has succeeded, in the order of the batch. */
export interface StateAccess {
  /** As it was when the call could begin, with its own writes over it; a copy. */
  values(): JsonObject;
  /** A sentence when the key is not allowed: nothing is written then. */
  write(key: string, value: Json): string | undefined;
}

export interface Artifact {
  readonly mimeType: string;
  /** Text as it is; everything else as base64. */
  readonly encoding: 'text' | 'base64';
  readonly content: string;
}

export interface ArtifactEntry {
  readonly name: string;
  /** From 1. */
  readonly version: number;
  readonly mimeType: string;
  readonly bytes: number;
}

export interface ArtifactFault {
  readonly code: 'INPUT_VALIDATION' | 'ARTIFACT_WRITE_DENIED';
  readonly message: string;
}

/** Artifacts as one tool call sees them. What is saved stays, even when the call then fails. */
export interface ArtifactAccess {
  save(name: string, artifact: Artifact): Promise<Result<ArtifactEntry, ArtifactFault>>;
  /** The latest version, unless one is named. */
  load(name: string, version?: number): Promise<(Artifact & ArtifactEntry) | undefined>;
  /** The latest version of each, by name. */
  list(): Promise<readonly ArtifactEntry[]>;
}

/**
 * Artifacts that outlive a run: those whose names begin with `user:`, here without that. Versions count from 1 by name.
 * `save` with a key it knows gives the version it gave then: after a crash a step saves again. A store that cannot be
 * reached rejects, and the call becomes an error result.
 */
export interface Artifacts {
  save(name: string, artifact: Artifact, key: string): Promise<number>;
  load(name: string, version?: number): Promise<(Artifact & ArtifactEntry) | undefined>;
  list(): Promise<readonly ArtifactEntry[]>;
}

/**
 * Tools of one source. `list` is called once per run and card before the first model call of an instance of it, and again
 * before a later one when `version` has changed; it does not throw: what cannot be listed is an issue (a server that will
 * not start names its command and last output), which the runtime logs. `onStart` hears of each server that `list` waits for
 * because it is not ready, and of each that does not start, once per call.
 * `call` does not throw: a failure is a result with `isError`. Both stop soon after the signal aborts.
 */
export interface ToolPort {
  list(
    card: AgentCard,
    signal: AbortSignal,
    onStart?: OnServerStart,
  ): Promise<{ readonly tools: readonly ToolDescriptor[]; readonly issues: readonly Issue[] }>;
  call(tool: ToolDescriptor, args: JsonObject, context: ToolCallContext): Promise<ToolResult>;
  /** What the servers of a card say about themselves, in the order of `list`; does not throw. */
  instructions?(card: AgentCard, signal: AbortSignal): Promise<readonly ServerInstructions[]>;
  /** Bumped whenever a later `list` might answer differently, so the loop knows when to ask again. */
  version(card: AgentCard): number;
}

/** Returns what is to be called once when the start is over, with the reason if it failed (see `FailedServer.message`). */
export type OnServerStart = (serverName: string) => (problem: string | undefined) => void;

export interface ServerInstructions {
  readonly serverName: string;
  readonly text: string;
}

export interface LogBody {
  readonly level: 'debug' | 'info' | 'warning' | 'error';
  readonly code: string;
  readonly message: string;
  readonly serverName?: string;
  /** How far a tool call is, in its server's units; see the log event. */
  readonly progress?: Progress;
}

/** What a middleware hook may read about the call it is wrapped round (identity as in fast-agent.md 3.3). */
export interface HookContext {
  readonly agentName: string;
  readonly instanceName: string;
  /** `mcp`: the server; `agent`: `agent`; `runtime`: `runtime`; `function`: null. */
  readonly serverName: string | null;
  readonly toolName: string;
  readonly toolSource: ToolSource;
  readonly toolUseId: CallId;
  readonly correlationId: CorrelationId;
  /** Read only: a hook's change to it goes nowhere. */
  readonly state: JsonObject;
}

/** What a layer of a chain runs under itself; `to` is `chain` unless said otherwise. */
export type NextLayer = (args: JsonObject, to?: 'chain' | 'tool') => Promise<ToolResult>;

export interface HookControl {
  readonly signal: AbortSignal;
  /** Wall time of the hook itself; time spent waiting for `next` does not count. The port has a default. */
  readonly timeoutMs?: number;
  log(body: LogBody): void;
}

/** `ok: false`: the hook raised, timed out, was stopped or broke the contract; `message` is fit to show. */
export type HookOutcome =
  | { readonly ok: true; readonly result: ToolResult }
  | { readonly ok: false; readonly message: string };

export type PhaseOutcome =
  | { readonly ok: true; readonly changes: JsonObject }
  | { readonly ok: false; readonly message: string };

/**
 * Hooks written as code. No method throws; all stop soon after the signal aborts. Calls run at once and do not see each
 * other. `load` is called before the first model call of a card's agent and finds what would stop its hooks and function
 * tools from being called; it may run the top level of their files inside the sandbox.
 */
export interface HookPort {
  load(card: AgentCard, signal: AbortSignal): Promise<readonly Issue[]>;
  /**
   * Middleware. `next` runs the rest of the chain, or the tool itself past the hooks further in (`original_tool_func` of
   * the hook specification); it is called at most once and does not reject. A hook that calls it twice, or raises, gives `ok: false`.
   */
  around(
    hook: CodeRef,
    context: HookContext,
    args: JsonObject,
    next: NextLayer,
    control: HookControl,
  ): Promise<HookOutcome>;
  /**
   * Phase and lifecycle hooks. `context` may have `agentName, agentConfig, instanceName, correlationId, iteration,
   * isTurnComplete, message` (a `Message`: the one fast-agent gives the phase), `messageHistory`, `deltaMessages`,
   * `turnMessages` (`Message[]`, see turn-view.ts), `runner` (what earlier hooks of the turn kept), `usage, requestParams,
   * state`; what is absent is not offered. `changes` has what the hook changed, in the same shapes: `message`,
   * `messageHistory`, `appendMessages` (`Message[]`), `runner`. A tool call taken out of `message` is to be skipped.
   */
  phase(
    hook: CodeRef,
    phase: ToolHookPhase | 'on_start' | 'on_shutdown',
    context: JsonObject,
    control: HookControl,
  ): Promise<PhaseOutcome>;
}

/**
 * Runs command lines in the run's working folder. Present only where an administrator allows it. Does not throw: a failure
 * is a result with `isError`. What it starts is dead soon after the signal aborts or its time is up.
 */
export interface ShellPort {
  execute(
    command: string,
    control: { readonly signal: AbortSignal; readonly timeoutMs: number | undefined },
  ): Promise<ToolResult>;
}

export interface StoredSession extends SessionContent {
  /** 1 after the first save. */
  readonly version: number;
}

/**
 * Where sessions are kept beyond a run; one per project. `read` answers undefined for an id that was never saved under that
 * owner. `save` writes version n over n - 1 and nothing else: `conflict` when somebody else saved meanwhile; saving the same
 * version again as the same `writer` is no conflict. Both may reject, which fails the call or is logged.
 */
export interface SessionPort {
  read(key: SessionKey): Promise<StoredSession | undefined>;
  save(key: SessionKey, session: StoredSession, writer: string): Promise<'saved' | 'conflict'>;
}

/**
 * Texts at addresses that instructions name. Does not throw: what cannot be had is a reason, the end of a sentence. Asked
 * before the first model call, for several addresses at once; the port has limits of time and size. Stops soon after the
 * signal aborts.
 */
export interface UrlPort {
  read(
    url: string,
    control: {
      readonly signal: AbortSignal;
      /** The address whose text names this one; undefined: a card of the project does. */
      readonly namedBy: string | undefined;
    },
  ): Promise<Result<string, string>>;
}

/** SHA-256 as lower-case hex. */
export interface HashPort {
  now(bytes: Uint8Array): string;
  /** Lets other work go on, however many bytes there are. They must not be changed meanwhile. */
  later(bytes: Uint8Array): Promise<string>;
}

export interface Ports {
  readonly model: ModelPort;
  /** In the order their tools are listed: mcp, function, runtime. */
  readonly tools: Readonly<Partial<Record<'mcp' | 'function' | 'runtime', ToolPort>>>;
  /** Absent: no code runs here, and a card with hooks cannot run. */
  readonly hooks?: HookPort;
  /** Absent: `user:` artifacts live as long as the run. */
  readonly artifacts?: Artifacts;
  /** Absent: no agent is offered `execute`. */
  readonly shell?: ShellPort;
  /** Absent: sessions live as long as the run. */
  readonly sessions?: SessionPort;
  /**
   * US dollars of some usage of a model, named as in a request; undefined when its price is not known. Pure. Absent: no price
   * is known, and `limits.max_cost_usd` counts nothing.
   */
  costOf?(usage: Usage, model: string): number | undefined;
  /** Absent: an agent whose instruction has `{{url:…}}` cannot run. */
  readonly urls?: UrlPort;
  /** Absent: SHA-256 in JavaScript, which holds the thread for some 20 ms for each megabyte. */
  readonly hash?: HashPort;
  readonly events: EventSink;
  readonly clock: Clock;
  /** Makes correlation ids of delegations; random in the app, counted in tests. */
  newCorrelationId(): CorrelationId;
}
