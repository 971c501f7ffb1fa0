import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { Clock } from '@/lib/base/clock';
import { isRecord, type JsonObject } from '@/lib/base/json';
import type { ToolCallContext } from '@/lib/runtime/ports';
import type { ToolResult } from '@/lib/runtime/record/messages';
import { CallTimer, noTimeLimitMs } from './call-timer';
import type { Session } from './open-session';
import type { QuestionOptions } from './question';
import type { ServerLog } from './server-log';
import type { ServerSpec } from './server-spec';
import { anyResult } from './tool-call';
import { errorResult, toolResult } from './tool-result';

/** The server is asked to keep a task and its result so long. It may decide otherwise. */
const keptMs = 24 * 60 * 60 * 1000;
/** The server says how often it wants to be asked for the state of a task, within these limits. */
const usualPollMs = 5_000;
const shortestPollMs = 500;
const longestPollMs = 60_000;
const cancelMs = 5_000;
/** An id goes back to the server with each request. */
const maxIdCharacters = 4_096;

interface TaskCallOptions {
  readonly spec: ServerSpec;
  readonly log: ServerLog;
  readonly clock: Clock;
  readonly context: ToolCallContext;
  /** The parameters of `tools/call`. */
  readonly params: JsonObject;
}

/** What is used of a task. */
interface TaskState {
  readonly id: string;
  readonly isOpen: boolean;
  readonly pollMs: number;
  readonly says: string;
}

/**
 * A call of a tool that goes on without its connection and without its worker (MCP 2025-11-25, basic/utilities/tasks).
 *
 *   tools/call as a task ──▶ id, kept ──▶ tasks/result, which waits ───────────────▶ result
 *                                          ├ beside it tasks/get: each answer begins the time limit anew
 *                                          ├ connection lost, another worker: tasks/result of the same task
 *                                          └ stopped, time is up: tasks/cancel
 *
 * Questions of the task reach people as those of any call, because the server sends them while `tasks/result` waits.
 */
export class TaskCall {
  private task: TaskState | undefined;
  private isKeptRead = false;
  private hasAnswered = false;

  constructor(private readonly options: TaskCallOptions) {}

  /** True if the task can be asked for again after a loss: the server has said something of it since the last one. */
  goesOn(): boolean {
    const goesOn = this.task !== undefined && this.hasAnswered;
    this.hasAnswered = false;
    return goesOn;
  }

  /** Begins the task, or goes on with the one that was begun, and returns its result. */
  readonly ask = async (session: Session, { timer: given, ...request }: QuestionOptions): Promise<ToolResult> => {
    const abort = new AbortController();
    const stop = () => abort.abort(request.signal?.reason);
    request.signal?.addEventListener('abort', stop, { once: true });
    const timer = given ?? new CallTimer(this.options.spec.readTimeoutMs, () => abort.abort(timedOut()));
    const options = { ...request, signal: abort.signal, timeout: noTimeLimitMs, resetTimeoutOnProgress: false };
    options.onprogress = (progress) => {
      timer.restart();
      request.onprogress?.(progress);
    };
    try {
      return (await this.begin(session, options)) ?? (await this.result(session, options, timer));
    } catch (error) {
      if (abort.signal.aborted) this.cancel(session);
      throw error;
    } finally {
      request.signal?.removeEventListener('abort', stop);
      if (timer !== given) timer.stop();
    }
  };

  /** Returns a result only if there is no task to wait for. */
  private async begin({ client }: Session, options: QuestionOptions): Promise<ToolResult | undefined> {
    const { context, params, spec } = this.options;
    if (!this.isKeptRead) {
      this.isKeptRead = true;
      const kept = await context.kept?.read();
      if (isRecord(kept) && typeof kept.task === 'string') this.task = begun(kept.task);
    }
    if (this.task !== undefined) return undefined;
    const asked = { method: 'tools/call', params: { ...params, task: { ttl: keptMs } } };
    const answer = await client.request(asked, anyResult, options);
    const task = isRecord(answer) ? readTask(answer.task) : undefined;
    if (task === undefined) return toolResult(answer);
    if (task.id.length > maxIdCharacters) {
      return errorResult('TOOL_FAILED', `Server '${spec.name}' gave a task whose id has ${task.id.length} characters.`);
    }
    await context.kept?.write({ task: task.id });
    this.note(task);
    return undefined;
  }

  private async result(session: Session, options: QuestionOptions, timer: CallTimer): Promise<ToolResult> {
    const { context, spec } = this.options;
    const ended = new AbortController();
    try {
      // After a loss the server has to say something of the task before it is waited for once more.
      if (!this.hasAnswered) await this.look(session, options);
      void this.watch(session, timer, ended.signal);
      const params = { taskId: this.task?.id };
      const answer = await session.client.request({ method: 'tasks/result', params }, anyResult, options);
      await context.kept?.write(undefined);
      return toolResult(answer);
    } catch (error) {
      if (!isForgotten(error)) throw error;
      await context.kept?.write(undefined);
      const message = `Server '${spec.name}' does not know the task of this call any more. The call may or may not have taken effect.`;
      return errorResult('TOOL_FAILED', message);
    } finally {
      ended.abort();
    }
  }

  /** Asks for the state of the task from time to time. Whether it has failed or is forgotten, `tasks/result` says. */
  private async watch(session: Session, timer: CallTimer, ended: AbortSignal): Promise<void> {
    const { spec, clock } = this.options;
    for (;;) {
      await clock.sleep(this.pollMs(), ended);
      if (ended.aborted) return;
      // The request has no signal: the SDK never removes its listener from one.
      const task = await this.look(session, { timeout: spec.readTimeoutMs }).catch(() => undefined);
      if (ended.aborted) return;
      if (task?.isOpen) timer.restart();
    }
  }

  private async look({ client }: Session, options: RequestOptions): Promise<TaskState | undefined> {
    const params = { taskId: this.task?.id };
    const task = readTask(await client.request({ method: 'tasks/get', params }, anyResult, options));
    if (task !== undefined) this.note(task);
    return task;
  }

  private pollMs(): number {
    const longest = Math.max(shortestPollMs, Math.min(longestPollMs, this.options.spec.readTimeoutMs / 3));
    return Math.min(Math.max(this.task?.pollMs ?? usualPollMs, shortestPollMs), longest);
  }

  private note(task: TaskState): void {
    const { spec, log, context } = this.options;
    const isNew = this.task === undefined;
    const isNews = task.says !== '' && task.says !== this.task?.says;
    this.hasAnswered = true;
    this.task = { ...task, id: this.task?.id ?? task.id };
    if (!isNew && !isNews) return;
    const says = task.says === '' ? 'The call goes on as a task of the server.' : log.redact(task.says).slice(0, 2_000);
    context.log({ level: 'info', code: 'tool_task', message: says, serverName: spec.name });
  }

  /** A server that does not answer keeps nobody waiting. */
  private cancel({ client }: Session): void {
    if (this.task === undefined) return;
    void this.options.context.kept?.write(undefined);
    const params = { taskId: this.task.id };
    void client.request({ method: 'tasks/cancel', params }, anyResult, { timeout: cancelMs }).catch(() => undefined);
  }
}

function begun(id: string): TaskState {
  return { id, isOpen: true, pollMs: usualPollMs, says: '' };
}

/** Reads a task; `undefined` for anything else. */
function readTask(value: unknown): TaskState | undefined {
  if (!isRecord(value) || typeof value.taskId !== 'string' || value.taskId === '') return undefined;
  const { taskId, status, pollInterval, statusMessage } = value;
  return {
    id: taskId,
    isOpen: status === 'working' || status === 'input_required',
    pollMs: typeof pollInterval === 'number' && pollInterval > 0 ? pollInterval : usualPollMs,
    says: typeof statusMessage === 'string' ? statusMessage.trim() : '',
  };
}

function timedOut(): McpError {
  return new McpError(ErrorCode.RequestTimeout, 'Request timed out');
}

/** Servers answer so for a task that they have deleted, or that was lost when they started again. */
function isForgotten(error: unknown): boolean {
  return error instanceof McpError && error.code === ErrorCode.InvalidParams && /task/i.test(error.message);
}
