import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { Clock } from '@/lib/base/clock';
import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import { hasLeft } from '@/lib/base/run-left';
import type { ToolCallContext } from '@/lib/runtime/ports';
import type { ToolResult } from '@/lib/runtime/record/messages';
import { anyResult } from './any-result';
import { CallTimer, noTimeLimitMs } from './call-timer';
import type { Session } from './open-session';
import type { QuestionOptions } from './question';
import type { ServerLog } from './server-log';
import type { ServerSpec } from './server-spec';
import type { TaskCancels } from './task-cancels';
import { type BegunTask, faultOfId, type TaskState } from './task-state';
import { errorResult } from './tool-result';

/** The server says how often it wants to be asked for the state of a task, within these limits. */
const usualPollMs = 5_000;
const shortestPollMs = 500;
const longestPollMs = 60_000;

/** What a call of a tool is made of. */
export interface CallOptions {
  readonly spec: ServerSpec;
  readonly log: ServerLog;
  readonly clock: Clock;
  readonly context: ToolCallContext;
  /** The parameters of `tools/call`. */
  readonly params: JsonObject;
  readonly cancels: TaskCancels;
}

/** How a task is followed on one connection. */
export interface Following {
  readonly session: Session;
  /** Their signal aborts when the call is stopped or its time is up. */
  readonly options: QuestionOptions;
  readonly timer: CallTimer;
}

/** The task of one call, as far as it is the same in all protocols. It outlives the connection on which it was begun. */
export class ServerTask {
  /** The id is `undefined` until there is a task. */
  id: string | undefined;
  private state: TaskState | undefined;
  private hasAnswered = false;

  constructor(private readonly call: CallOptions) {}

  /** True if the task can be asked for again after a loss: the server has said something of it since the last one. */
  goesOn(): boolean {
    const goesOn = this.id !== undefined && this.hasAnswered;
    this.hasAnswered = false;
    return goesOn;
  }

  /** True if the server has said something of the task since the connection was lost last. */
  get isHeard(): boolean {
    return this.hasAnswered;
  }

  /** Takes up the task that an earlier execution of the call has begun. Nothing was heard of it here yet. */
  takeUp(kept: Json | undefined): void {
    if (isRecord(kept) && typeof kept.task === 'string') this.id = kept.task;
  }

  /** Keeps the task that the server has begun, so that another worker can go on with it. Returns a result only if it cannot be used. */
  async begin({ id, ...state }: BegunTask): Promise<ToolResult | undefined> {
    const { spec, context } = this.call;
    const fault = faultOfId(id, spec.name);
    if (fault !== undefined) return errorResult('TOOL_FAILED', fault);
    await context.kept?.write(this.toKeep(id));
    this.note(state);
    this.id = id;
    return undefined;
  }

  /** What another worker needs to go on with the task, or to end it. */
  toKeep(id: string): JsonObject {
    const { spec, context } = this.call;
    return { task: id, server: spec.name, agent: context.agentName };
  }

  /** Notes what the server says of the task, and tells the run what is new. */
  note(state: TaskState): void {
    const { spec, log, context } = this.call;
    const isNew = this.id === undefined;
    const isNews = state.says !== '' && state.says !== this.state?.says;
    this.hasAnswered = true;
    this.state = state;
    if (!isNew && !isNews) return;
    const says =
      state.says === '' ? 'The call goes on as a task of the server.' : log.redact(state.says).slice(0, 2_000);
    context.log({ level: 'info', code: 'tool_task', message: says, serverName: spec.name });
  }

  /**
   * Begins a task or goes on with it, within the time limit of the call, which every answer about an open task begins anew. The task is
   * cancelled at the server if the call is stopped or its time is up, but not if the run goes on in another process.
   */
  async follow(
    session: Session,
    { timer: given, ...request }: QuestionOptions,
    work: (following: Following) => Promise<ToolResult>,
  ): Promise<ToolResult> {
    const abort = new AbortController();
    const stop = () => abort.abort(request.signal?.reason);
    request.signal?.addEventListener('abort', stop, { once: true });
    // The call may have been stopped while the task was kept.
    if (request.signal?.aborted) stop();
    const timer = given ?? new CallTimer(this.call.spec.readTimeoutMs, () => abort.abort(timedOut()));
    const options = { ...request, signal: abort.signal, timeout: noTimeLimitMs, resetTimeoutOnProgress: false };
    options.onprogress = (progress) => {
      timer.restart();
      request.onprogress?.(progress);
    };
    try {
      const result = await work({ session, options, timer });
      if (!abort.signal.aborted && !this.call.context.signal.aborted) await this.keepEnd();
      return result;
    } catch (error) {
      if (abort.signal.aborted && !hasLeft(this.call.context.signal)) this.cancel(session);
      throw error;
    } finally {
      request.signal?.removeEventListener('abort', stop);
      if (timer !== given) timer.stop();
    }
  }

  /** Keeps that the task has ended, so that a run that is stopped later does not cancel it. */
  private async keepEnd(): Promise<void> {
    if (this.id === undefined) return;
    const kept = { ...this.toKeep(this.id), hasEnded: true };
    // The worst that follows from a lost note is a needless `tasks/cancel`.
    await this.call.context.kept?.write(kept).catch(() => undefined);
  }

  /** Asks the server for the state of the task. */
  async get({ client }: Session, options: RequestOptions): Promise<unknown> {
    return await client.request({ method: 'tasks/get', params: { taskId: this.id } }, anyResult, options);
  }

  /** How long to wait until the server is asked again, in milliseconds. The time limit of the call must not end meanwhile. */
  pollMs(): number {
    const longest = Math.max(shortestPollMs, Math.min(longestPollMs, this.call.spec.readTimeoutMs / 3));
    return Math.min(Math.max(this.state?.pollMs ?? usualPollMs, shortestPollMs), longest);
  }

  /** Returns the result of a task that the server does not know any more. */
  forgotten(): ToolResult {
    const { name } = this.call.spec;
    const ttlMs = this.state?.ttlMs;
    const kept = ttlMs === undefined ? '' : ` It keeps a task for ${ttlMs / 1000} s.`;
    const message = `Server '${name}' does not know the task of this call any more.${kept}`;
    return errorResult('TOOL_FAILED', `${message} The call may or may not have taken effect.`);
  }

  /** Ends the task at the server. The call does not wait for the answer. */
  cancel({ client }: Pick<Session, 'client'>): void {
    if (this.id === undefined) return;
    this.call.cancels.cancel(client, this.id);
  }
}

function timedOut(): McpError {
  return new McpError(ErrorCode.RequestTimeout, 'Request timed out');
}
