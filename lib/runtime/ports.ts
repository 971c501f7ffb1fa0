import type { Clock } from '@/lib/base/clock';
import type { CallId, CorrelationId, InstancePath, PendingId, RunId, StepKey } from '@/lib/base/ids';
import type { Issue } from '@/lib/base/issue';
import type { Json, JsonObject } from '@/lib/base/json';
import type { Grant, ItemEnd, PendingQuestion, PersonAnswer, ServerQuestion } from '@/lib/base/pending';
import type { Result } from '@/lib/base/result';
import type { A2aCard, AgentCard, CodeRef, ToolHookPhase } from '@/lib/cards/card';
import type { PolicyRule } from '@/lib/cards/policy/rule';
import type { EventSink } from './record/event-sink';
import type { DeltaPart, Progress, RunError, SessionContent, SessionKey, ToolSource } from './record/events';
import type { GiveAnswer } from './record/given-answers';
import type { AssistantMessage, ContentBlock, Message, ToolResult, Usage } from './record/messages';

export interface ToolDescriptor {
  /** The name that the model sees, such as `time__get_time`, `add_one`, `agent__Critic`. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** The schema of `structuredContent` in its results. */
  readonly outputSchema?: JsonObject;
  readonly source: ToolSource;
  /** Only tools with source `mcp` have one. */
  readonly serverName?: string;
  /** The tool's own name on its server. Filters and calls use it. */
  readonly remoteName?: string;
  /** Makes the tool a barrier: earlier calls of a batch end before it starts, and later calls start after it ends. */
  readonly sequential?: true;
  /** Whether the server of an MCP tool declares that the tool changes nothing (`readOnlyHint`), where that is known. */
  readonly readOnly?: boolean | undefined;
}

export interface ModelRequest {
  readonly runId: RunId;
  readonly path: InstancePath;
  readonly agentName: string;
  readonly instanceName: string;
  /** Counts the model calls of this instance from 1. A scripted model answers with its turn of that number. */
  readonly turn: number;
  readonly step: StepKey;
  /** The resolved model string, `[provider.]model[?key=value]`, or `script` when a script answers. */
  readonly model: string;
  readonly instruction: string;
  /** The instance's own list, which grows after the call. A port that keeps the messages must copy the list. */
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDescriptor[];
  readonly requestParams: JsonObject;
  /** The form that the answer must have. Asked of the provider where it can enforce it; the instruction says it too. */
  readonly responseFormat?: ResponseFormat | undefined;
}

export interface ResponseFormat {
  /** A short name of what is asked for, such as `route`. */
  readonly name: string;
  readonly schema: JsonObject;
}

export type ModelResponse =
  | {
      readonly ok: true;
      readonly message: AssistantMessage;
      readonly usage: Usage;
      readonly firstTokenMs?: number;
      readonly requests: number;
    }
  | {
      readonly ok: false;
      readonly error: RunError;
      /** The text that came before the answer broke off. */
      readonly received?: string;
      readonly usage: Usage;
      readonly requests: number;
    };

/**
 * Makes model calls. `complete` does not throw: a failure is `ok: false`, and an abort is `ok: false` with code
 * `cancelled`. The port retries (429, 5xx) and counts each request in `requests`. The caller cancels through `signal`;
 * after an abort nothing is sent.
 */
export interface ModelPort {
  complete(request: ModelRequest, control: ModelControl): Promise<ModelResponse>;
  /** Returns the provider of a model and the name it is requested by. Pure. Without this method both are unknown. */
  describe?(model: string): AskedModel;
  /**
   * Says why no provider can serve a model, with the next step for a person. Pure. Without this method every model is
   * served.
   */
  problemOf?(model: string): RunError | undefined;
}

export interface ModelControl {
  readonly signal: AbortSignal;
  /** Receives the next piece of the answer as it arrives. `part` says what it belongs to if it is not the answer's text. */
  onDelta(text: string, part?: DeltaPart): void;
  log(body: LogBody): void;
}

export interface AskedModel {
  /**
   * The provider's name in OpenTelemetry (`gen_ai.provider.name`), or `callboard` for models that Callboard answers itself.
   */
  readonly provider: string;
  /** The name in the request, such as `gpt-4o` for `openai.gpt-4o?temperature=0`. */
  readonly name: string;
}

export interface ToolCallContext {
  readonly runId: RunId;
  readonly path: InstancePath;
  readonly agentName: string;
  readonly instanceName: string;
  readonly callId: CallId;
  readonly correlationId: CorrelationId;
  /** The key of the call's step. A tool may use it to recognise a call that is repeated after a crash. */
  readonly idempotencyKey: StepKey;
  readonly signal: AbortSignal;
  /** The calling instance's state. */
  readonly state: StateAccess;
  /** The artifacts that the calling instance may use. */
  readonly artifacts: ArtifactAccess;
  log(body: LogBody): void;
  /**
   * Makes a model call on behalf of this tool call. It is recorded, counted and limited like those of the calling agent.
   * Does not throw.
   */
  sample?(request: SampleRequest): Promise<ModelResponse>;
  /**
   * Asks a person on behalf of the server of this call, and resolves with the end of the question. Does not reject. Absent where
   * nobody can answer. The clocks of time limits stop meanwhile.
   */
  ask?(asked: AskedByServer): Promise<ItemEnd>;
  /**
   * What this call needs to go on after the run was suspended, and what nobody must read, such as the state of a server. Absent where
   * runs are not suspended.
   */
  readonly kept?: KeptForCall;
}

/** A value that is kept for a call, outside the log. Neither method rejects: what was not kept is not there. */
export interface KeptForCall {
  read(): Promise<Json | undefined>;
  /** Replaces the value, or removes it. */
  write(value: Json | undefined): Promise<void>;
}

/** What a server asks a person. `form`, `arguments` and `editable` are as in a question. */
export interface AskedByServer extends Pick<PendingQuestion, 'form' | 'editable'> {
  readonly what: 'question' | 'sampling';
  readonly server: ServerQuestion;
  readonly arguments?: JsonObject;
  /**
   * What tells the question from others of the same call, beside `server`, `form` and `arguments`. A resumed run that asks an equal
   * question in the same call gets the recorded answer.
   */
  readonly mark?: string;
  /** Aborts when the server does not wait any longer. The question then ends as withdrawn. */
  readonly signal?: AbortSignal;
}

export interface SampleRequest {
  /** `undefined` stands for the model of the calling agent. */
  readonly model: string | undefined;
  readonly instruction: string;
  readonly messages: readonly Message[];
  readonly requestParams: JsonObject;
}

/** State as one tool call sees it. Its writes are committed when the call has succeeded, in the order of the batch. */
export interface StateAccess {
  /** Returns a copy of the state when the call could start, with the call's own writes. */
  values(): JsonObject;
  /** Returns a sentence if the key is not allowed; then nothing is written. */
  write(key: string, value: Json): string | undefined;
}

export interface Artifact {
  readonly mimeType: string;
  /** Text is kept as it is (`text`); every other content is in base64. */
  readonly encoding: 'text' | 'base64';
  readonly content: string;
}

export interface ArtifactEntry {
  readonly name: string;
  /** Versions count from 1. */
  readonly version: number;
  readonly mimeType: string;
  readonly bytes: number;
}

export interface ArtifactFault {
  readonly code: 'INPUT_VALIDATION' | 'ARTIFACT_WRITE_DENIED';
  readonly message: string;
}

/** Artifacts as one tool call sees them. A saved version stays, even if the call fails later. */
export interface ArtifactAccess {
  save(name: string, artifact: Artifact): Promise<Result<ArtifactEntry, ArtifactFault>>;
  /** Reads the latest version, or the named one. */
  load(name: string, version?: number): Promise<(Artifact & ArtifactEntry) | undefined>;
  /** Lists the latest version of each artifact, by name. */
  list(): Promise<readonly ArtifactEntry[]>;
}

/**
 * Artifacts that outlive a run. Their names begin with `user:`, which is left out here. Versions of a name count from 1.
 * `save` with a known key returns the same version again, because a step saves again after a crash. Rejects when the store
 * cannot be reached; the call then gets an error result.
 */
export interface Artifacts {
  save(name: string, artifact: Artifact, key: string): Promise<number>;
  load(name: string, version?: number): Promise<(Artifact & ArtifactEntry) | undefined>;
  list(): Promise<readonly ArtifactEntry[]>;
}

/**
 * Tools of one source.
 *
 *   - `list` is called once per run and card before the first model call, and again before a later one if `version` has
 *     changed. It does not throw. For a server that does not start, or a tool that cannot be listed, it returns an issue,
 *     which the runtime logs (for a server with its command and last output).
 *   - `onStart` is called once for each server that `list` waits for, and for each that does not start.
 *   - `call` does not throw: a failure is a result with `isError`.
 *
 * `list` and `call` both stop soon after the signal aborts.
 */
export interface ToolPort {
  list(
    card: AgentCard,
    signal: AbortSignal,
    onStart?: OnServerStart,
  ): Promise<{ readonly tools: readonly ToolDescriptor[]; readonly issues: readonly Issue[] }>;
  call(tool: ToolDescriptor, args: JsonObject, context: ToolCallContext): Promise<ToolResult>;
  /** Returns the instructions that the servers of a card provide, in the order of `list`. Does not throw. */
  instructions?(card: AgentCard, signal: AbortSignal): Promise<readonly ServerInstructions[]>;
  /**
   * Returns a number that increases whenever `list` might return something else, so that the loop knows when to list again.
   */
  version(card: AgentCard): number;
}

/**
 * Called when a server begins to start. Returns a function to call once when the server has started, or with the reason if
 * it failed (see `FailedServer.message`).
 */
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
  /** The progress of a tool call, in its server's units. The log event describes it. */
  readonly progress?: Progress;
  /** With code `model_retry`, milliseconds until the request is made again. */
  readonly waitMs?: number;
}

/** What a hook may read about the call that it wraps (docs/hooks.md). */
export interface HookContext {
  readonly agentName: string;
  readonly instanceName: string;
  /** The server's name for source `mcp`, `agent` or `runtime` for those sources, and null for `function`. */
  readonly serverName: string | null;
  readonly toolName: string;
  readonly toolSource: ToolSource;
  readonly toolUseId: CallId;
  readonly correlationId: CorrelationId;
  /** A copy: changes by a hook have no effect. */
  readonly state: JsonObject;
}

/** Runs the layers below a layer, or with `to: 'tool'` the tool alone. */
export type NextLayer = (args: JsonObject, to?: 'chain' | 'tool') => Promise<ToolResult>;

export interface HookControl {
  readonly signal: AbortSignal;
  /** Limits the time of the hook itself, without the time in `next`. The port has a default. */
  readonly timeoutMs?: number;
  log(body: LogBody): void;
}

/** With `ok: false` the hook raised, timed out, was stopped or broke the contract. `message` can be shown to users. */
export type HookOutcome =
  | { readonly ok: true; readonly result: ToolResult }
  | { readonly ok: false; readonly message: string };

export type PhaseOutcome =
  | { readonly ok: true; readonly changes: JsonObject }
  | { readonly ok: false; readonly message: string };

/**
 * Hooks written as code. No method throws; all stop soon after the signal aborts. Calls run in parallel and independently.
 * `load` is called before the first model call of a card's agent. It reports why hooks or function tools cannot be called,
 * and may run the top level of their files in the sandbox.
 */
export interface HookPort {
  load(card: AgentCard, signal: AbortSignal): Promise<readonly Issue[]>;
  /**
   * Runs a hook that wraps a call. `next` runs the rest of the chain, or the tool alone (`original_tool_func`). It may be
   * called once and does not reject. The outcome is `ok: false` for a hook that calls it twice or raises.
   */
  around(
    hook: CodeRef,
    context: HookContext,
    args: JsonObject,
    next: NextLayer,
    control: HookControl,
  ): Promise<HookOutcome>;
  /**
   * Runs a phase hook or lifecycle hook. `context` may have `agentName, agentConfig, instanceName, correlationId,
   * iteration, isTurnComplete, message` (a `Message`: the one that fast-agent gives the phase), `messageHistory`,
   * `deltaMessages`, `turnMessages` (`Message[]`, see turn-view.ts), `runner` (what earlier hooks of the turn kept),
   * `usage, requestParams, state`. The hook does not see members that are absent. `changes` has what the hook changed, in
   * the same shapes: `message`, `messageHistory`, `appendMessages` (`Message[]`), `runner`, and `stop` if it stopped the turn. A tool call that the hook
   * removed from `message` is skipped.
   */
  phase(
    hook: CodeRef,
    phase: ToolHookPhase | 'on_start' | 'on_shutdown',
    context: JsonObject,
    control: HookControl,
  ): Promise<PhaseOutcome>;
}

/**
 * Runs command lines in the run's working folder. Present only if an administrator allows it. Does not throw: a failure is a
 * result with `isError`. Its processes are killed soon after the signal aborts or the time is over.
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
 * Stores sessions beyond a run, for one project. `read` returns `undefined` for an id that was never saved for that owner.
 * `save` replaces version n - 1 with version n and otherwise returns `conflict`: another run has saved meanwhile. Saving the
 * same version again as the same `writer` is no conflict. Both may reject; that fails the call or is logged.
 */
export interface SessionPort {
  read(key: SessionKey): Promise<StoredSession | undefined>;
  save(key: SessionKey, session: StoredSession, writer: string): Promise<'saved' | 'conflict'>;
}

/**
 * Reads texts at addresses that instructions name. Does not throw: the error is a reason, written as the end of a sentence.
 * It is called before the first model call, for several addresses in parallel. The port limits time and size, and stops
 * soon after the signal aborts.
 */
export interface UrlPort {
  read(
    url: string,
    control: {
      readonly signal: AbortSignal;
      /** The address of the text that names this one; `undefined` if a card of the project does. */
      readonly namedBy: string | undefined;
    },
  ): Promise<Result<string, string>>;
}

export interface RemoteMessage {
  readonly text: string;
  readonly attachments: readonly ContentBlock[];
}

/** The task that a remote agent made for a message. Its ids are the remote agent's. */
export interface RemoteTaskRef {
  readonly taskId: string;
  readonly contextId?: string;
}

export interface RemoteContext {
  readonly signal: AbortSignal;
  /** Names the message among all runs. A call that is repeated after a crash has the same. */
  readonly messageId: string;
  /** A task that was recorded before a crash. Its end is awaited, and no message is sent unless it is a `reply`. */
  readonly task: RemoteTaskRef | undefined;
  /** The message answers what `task` has asked, and is sent to that task. */
  readonly isReply?: boolean;
  /** The caller can ask people: a task that needs something is no failure but a reply with `asks`. */
  readonly takesQuestions?: boolean;
  /** Called when the task gets a state (`working`, `completed`, …), before `send` ends. Not called for a plain answer. */
  onTask(task: RemoteTaskRef & { readonly state: string }): void;
  /** Text that was added to the answer. */
  onText(text: string): void;
  log(body: LogBody): void;
}

/** The ids are absent for an answer without a task. */
export interface RemoteReply extends Partial<RemoteTaskRef> {
  readonly text: string;
  /** What the task needs before it goes on: its words, and the error for a caller that cannot give it. */
  readonly asks?: { readonly state: 'input-required' | 'auth-required'; readonly error: RunError };
}

/**
 * Agents on other servers (A2A). `send` sends a message to the agent of a card and waits for the end of its task. It does not
 * throw. It stops soon after the signal aborts; the remote task is then cancelled if possible. The port limits the size of
 * the answer and the silence within one request; the caller limits the time of the task.
 */
export interface RemoteAgentPort {
  send(card: A2aCard, message: RemoteMessage, context: RemoteContext): Promise<Result<RemoteReply, RunError>>;
}

/**
 * Gets answers from people. The question itself is the event `person.asked`, which is appended before `answerOf` is called. An
 * answer that was given before the call counts too.
 */
export interface PeoplePort {
  /**
   * Resolves when the question was answered, has expired or was withdrawn. Called at most once for an item in one execution of
   * the run. Does not reject. After an abort its outcome is ignored and it waits no longer.
   */
  answerOf(item: PendingId, signal: AbortSignal): Promise<ItemEnd>;
  /**
   * Returns how long the run waits where it is before it is suspended, in milliseconds. Asked when nothing but people is waited
   * for, and again when that time is over: the time may be longer while somebody watches.
   */
  holdMs(): number;
  /** Returns the remembered approvals that hold now. Without this method there are none. */
  grants?(): readonly Grant[];
  /**
   * Answers a question by a remembered approval, unless it has ended in another way. `answerOf` then has the end that counts. Without
   * this method nobody else can have answered.
   */
  offer?(item: PendingId, answer: PersonAnswer): void;
  /**
   * Whoever answers gets the questions of children from the parents that hand them on (`enable_hitl`, `enable_sub_agent_hitl`).
   * A question of any other child reaches nobody. Without it every question reaches the people of the run.
   */
  readonly isByDelegation?: true;
  /** Keeps values for calls while the run is suspended. They are in no event. */
  keptFor?(step: StepKey): KeptForCall;
}

/** Computes SHA-256 as lower-case hex. */
export interface HashPort {
  now(bytes: Uint8Array): string;
  /** Hashes without blocking the thread, even for many bytes. The bytes must not change meanwhile. */
  later(bytes: Uint8Array): Promise<string>;
}

export interface Ports {
  readonly model: ModelPort;
  /** The sources in the order in which their tools are listed: mcp, function, runtime. */
  readonly tools: Readonly<Partial<Record<'mcp' | 'function' | 'runtime', ToolPort>>>;
  /** Without this port no code runs, and a card with hooks cannot run. */
  readonly hooks?: HookPort;
  /** Without this port `user:` artifacts live as long as the run. */
  readonly artifacts?: Artifacts;
  /** Without this port no agent is offered `execute`. */
  readonly shell?: ShellPort;
  /** Without this port sessions live as long as the run. */
  readonly sessions?: SessionPort;
  /**
   * Returns the price of some usage of a model in US dollars, `undefined` when it is not known. `model` is the name in the
   * request. Pure. Without this method no price is known, and `limits.max_cost_usd` has no effect.
   */
  costOf?(usage: Usage, model: string): number | undefined;
  /**
   * Tells why the project of the run may use nothing more, as a sentence; `undefined` while it may. Asked before each model call.
   * Must not reject. Without this method only the limits of the run itself count.
   */
  findSpentBudget?(): Promise<string | undefined> | undefined;
  /** Without this port an agent whose instruction has `{{url:…}}` cannot run. */
  readonly urls?: UrlPort;
  /** Without this port a card of type a2a cannot run. */
  readonly remote?: RemoteAgentPort;
  /** Without this port SHA-256 is computed in JavaScript, which blocks the thread for about 20 ms per megabyte. */
  readonly hash?: HashPort;
  /** Without this port nobody can answer: what must ask is denied at once. */
  readonly people?: PeoplePort;
  /** The rules of the team that every call must meet. Those about servers and models are checked before the run. */
  readonly policy?: readonly PolicyRule[];
  /** Answers calls in place of their tools, inside the hooks that wrap them. Without it every call is made. */
  readonly answers?: GiveAnswer;
  readonly events: EventSink;
  readonly clock: Clock;
  /**
   * Resolves when other work of the process has had its turn; `undefined` while this is not necessary. Asked before each call of a batch.
   * Must not reject. Without this method calls that wait for nothing follow each other without a pause.
   */
  pause?(): Promise<void> | undefined;
  /** Makes correlation ids of delegations. They are random in the app and counted in tests. */
  newCorrelationId(): CorrelationId;
  /** Makes the id of the session that the call of a step begins. Without this method it is like a correlation id. */
  newSessionId?(step: StepKey): string;
}
