import type { Clock } from '@/lib/base/clock';
import type { CallId, CorrelationId, InstancePath, RunId, StepKey } from '@/lib/base/ids';
import type { Issue } from '@/lib/base/issue';
import type { JsonObject } from '@/lib/base/json';
import type { AgentCard } from '@/lib/cards/card';
import type { EventBody, ModelDelta, RunError, ToolSource } from './events';
import type { AssistantMessage, Message, ToolResult, Usage } from './messages';

export interface ToolDescriptor {
  /** As the model sees it: `time__get_time`, `add_one`, `agent__Critic`. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly source: ToolSource;
  /** For `mcp`. */
  readonly serverName?: string;
  /** The tool's own name on its server, for filters and calls. */
  readonly remoteName?: string;
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
  log(body: LogBody): void;
}

/**
 * Tools of one source. `list` is called once per run and card before the first model call of an instance of it, and again
 * before a later one when `version` has changed; it does not throw: what cannot be listed is an issue (a server that will
 * not start names its command and last output), which the runtime logs.
 * `call` does not throw: a failure is a result with `isError`. Both stop soon after the signal aborts.
 */
export interface ToolPort {
  list(
    card: AgentCard,
    signal: AbortSignal,
  ): Promise<{ readonly tools: readonly ToolDescriptor[]; readonly issues: readonly Issue[] }>;
  call(tool: ToolDescriptor, args: JsonObject, context: ToolCallContext): Promise<ToolResult>;
  /** Bumped whenever a later `list` might answer differently, so the loop knows when to ask again. */
  version(card: AgentCard): number;
}

export interface LogBody {
  readonly level: 'debug' | 'info' | 'warning' | 'error';
  readonly code: string;
  readonly message: string;
  readonly serverName?: string;
}

/**
 * Where events go. `append` is synchronous, keeps order, and may be called thousands of times a second; the writer
 * batches. `flush` resolves when everything appended so far is durable. Neither throws into the loop: a writer that
 * cannot write aborts the run's signal.
 */
export interface EventSink {
  append(body: EventBody): void;
  /** Ephemeral; may be dropped. */
  delta?(delta: ModelDelta): void;
  flush(): Promise<void>;
}

export interface Ports {
  readonly model: ModelPort;
  /** In the order their tools are listed: mcp, function, runtime. */
  readonly tools: Readonly<Partial<Record<'mcp' | 'function' | 'runtime', ToolPort>>>;
  readonly events: EventSink;
  readonly clock: Clock;
  /** Makes correlation ids of delegations; random in the app, counted in tests. */
  newCorrelationId(): CorrelationId;
}
