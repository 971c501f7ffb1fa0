import { setMaxListeners } from 'node:events';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import type { ToolResult } from '@/lib/runtime/record/messages';
import { anyResult } from './any-result';
import { cancelledResult, lossOf } from './call-errors';
import { answerInput } from './input-requests';
import type { InputRequest } from './modern-messages';
import type { CallOptions, Following, ServerTask } from './server-task';
import { messageOf } from './start-failure';
import { isForgotten, type ModernTaskState, readModernTask } from './task-state';
import { errorResult, toolResult } from './tool-result';

/** So often in a row the server may answer with an error when it is asked for the state of a task. */
const mostFaults = 3;
/** A task may ask this often. */
const mostQuestions = 100;

/** A question that people or a model have before them. */
interface Asked {
  readonly withdraw: () => void;
  /** What the server gets, or the error with which it was refused. */
  end: { readonly answer: Json } | { readonly error: unknown } | undefined;
}

/** Answers that the server did not take, although it may still know the task. */
interface Refusal {
  readonly keys: readonly string[];
  /** The words of the server. */
  readonly why: string;
}

/**
 * A task of MCP 2026-07-28 (extension `io.modelcontextprotocol/tasks`, SEP-2663), which the server decides to begin.
 *
 *   tools/call ──▶ task, kept ──▶ tasks/get, as often as the server wants ──▶ completed, with the result; failed; cancelled
 *                                  ├ input_required: people are asked ──▶ tasks/update with each answer
 *                                  ├ connection lost, another worker: tasks/get of the same task
 *                                  └ stopped, time is up: tasks/cancel
 *
 * A question has a key that is its own as long as the task lives. What was answered is kept with the task, so that an answer is sent
 * once. A question that the server does not wait for any more is withdrawn.
 */
export class ModernTask {
  private readonly asked = new Map<string, Asked>();
  private readonly answered = new Set<string>();
  /** What models answered, by the key of the request. A person may still have to see it. */
  private sampled: Readonly<Record<string, string>> = {};
  private wake: () => void = () => undefined;
  /** The last refusal, until the server has said how the task goes on. */
  private refusal: Refusal | undefined;
  /** How many questions were withdrawn because the task went on without them. */
  private withdrawn = 0;
  private hasNamedStatus = false;

  constructor(
    private readonly call: CallOptions,
    private readonly task: ServerTask,
  ) {}

  private get server(): string {
    return `Server '${this.call.spec.name}'`;
  }

  /** Takes up what an earlier execution of the call has kept. */
  takeUp(kept: Json | undefined): void {
    if (!isRecord(kept)) return;
    for (const key of Array.isArray(kept.answered) ? kept.answered : [])
      if (typeof key === 'string') this.answered.add(key);
    this.sampled = textsIn(kept.sampled);
  }

  /** Withdraws the questions that are still open when the call has ended. */
  end(): void {
    this.withdrawAll();
  }

  /** Follows the task to its end. `known` is what the server said when it began the task. */
  async result(following: Following, known: ModernTaskState | undefined): Promise<ToolResult> {
    try {
      return await this.followed(following, known);
    } catch (error) {
      // People are asked on while a lost connection is opened again.
      if (following.options.signal?.aborted) this.withdrawAll();
      throw error;
    }
  }

  private async followed(following: Following, known: ModernTaskState | undefined): Promise<ToolResult> {
    const { context, clock } = this.call;
    const { signal } = following.options;
    let state = known?.isOpen === true && known.status !== 'input_required' ? known : undefined;
    for (let faults = 0; ; ) {
      if (state !== undefined) await this.pause(clock.sleep.bind(clock), signal);
      signal?.throwIfAborted();
      if (context.signal.aborted) return cancelledResult();
      const sent = await this.sendAnswers(following);
      if (sent !== undefined) return this.giveUp(following, sent);
      const looked = await this.look(following);
      if ('forgotten' in looked) return this.ended(this.task.forgotten());
      if ('fault' in looked) {
        faults += 1;
        if (faults >= mostFaults) {
          return this.giveUp(
            following,
            `${this.server} does not say how the task of this call goes on: ${looked.fault}`,
          );
        }
        state ??= known ?? working;
        continue;
      }
      faults = 0;
      state = looked.state;
      const end = this.endOf(state);
      if (end !== undefined) return this.ended(end);
      if (state.isOpen) following.timer.restart();
      else this.nameStatus(state.status);
      const refused = this.stuckIn(state) ?? this.ask(state, following);
      if (refused !== undefined) return this.giveUp(following, refused);
    }
  }

  /** Waits until the server wants to be asked again, or until something was answered that can be sent. */
  private async pause(
    sleep: (ms: number, signal: AbortSignal) => Promise<void>,
    over: AbortSignal | undefined,
  ): Promise<void> {
    const canSend = this.refusal === undefined && [...this.asked.values()].some(({ end }) => end !== undefined);
    if (canSend) return;
    const early = new AbortController();
    const wake = () => early.abort();
    this.wake = wake;
    over?.addEventListener('abort', wake, { once: true });
    if (over?.aborted) wake();
    await sleep(this.task.pollMs(), early.signal);
    over?.removeEventListener('abort', wake);
  }

  /** Asks the server. A loss of the connection is thrown. */
  private async look(
    following: Following,
  ): Promise<{ readonly state: ModernTaskState } | { readonly fault: string } | { readonly forgotten: true }> {
    const { spec, log } = this.call;
    try {
      const answer = await this.request(following, (options) => this.task.get(following.session, options));
      const state = readModernTask(answer);
      if (state === undefined) return { fault: 'its answer has no state of the task' };
      this.task.note(state);
      return { state };
    } catch (error) {
      // The extension has this code for a task that the server does not know.
      if (error instanceof McpError && error.code === ErrorCode.InvalidParams) return { forgotten: true };
      const isOver = following.options.signal?.aborted === true || lossOf(error, following.session) !== undefined;
      if (isOver) throw error;
      const fault = log.redact(messageOf(error));
      log.write('debug', 'server_error', `Server '${spec.name}' does not say how a task goes on: ${fault}`);
      return { fault };
    }
  }

  /** Sends one request with a signal of its own, because the SDK never removes its listener from one. */
  private async request<T>({ options }: Following, send: (options: Following['options']) => Promise<T>): Promise<T> {
    const own = new AbortController();
    const stop = () => own.abort(options.signal?.reason);
    if (options.signal) setMaxListeners(0, options.signal);
    options.signal?.addEventListener('abort', stop, { once: true });
    if (options.signal?.aborted) stop();
    try {
      return await send({ ...options, signal: own.signal });
    } finally {
      options.signal?.removeEventListener('abort', stop);
    }
  }

  private endOf(state: ModernTaskState): ToolResult | undefined {
    const { spec, log } = this.call;
    const says = (text: string) => (text === '' ? 'It does not say why.' : log.redact(text).slice(0, 2_000));
    switch (state.status) {
      case 'completed':
        return toolResult(state.result);
      case 'failed':
        return errorResult(
          'TOOL_FAILED',
          `The task of this call has failed at server '${spec.name}'. ${says(state.error)}`,
        );
      case 'cancelled':
        return errorResult(
          'TOOL_FAILED',
          `Server '${spec.name}' has cancelled the task of this call. ${says(state.says)}`,
        );
      default:
        return undefined;
    }
  }

  /** Begins to ask what is new, and withdraws what is not asked any more. Returns a sentence if the task asks too much. */
  private ask({ status, requests }: ModernTaskState, { timer }: Following): string | undefined {
    const open = status === 'input_required' ? requests : {};
    for (const [key, { withdraw }] of this.asked) {
      if (Object.hasOwn(open, key)) continue;
      withdraw();
      this.asked.delete(key);
      this.withdrawn += 1;
    }
    for (const [key, request] of Object.entries(open)) {
      if (this.answered.has(key) || this.asked.has(key)) continue;
      if (this.answered.size + this.asked.size + this.withdrawn >= mostQuestions)
        return `${this.server} asked more than ${mostQuestions} times in one task`;
      this.asked.set(key, this.askOne(key, request, timer));
    }
    return undefined;
  }

  private askOne(key: string, request: InputRequest, timer: Following['timer']): Asked {
    const gone = new AbortController();
    const known = {
      text: Object.hasOwn(this.sampled, key) ? this.sampled[key] : undefined,
      note: async (text: string) => {
        this.sampled = { ...this.sampled, [key]: text };
        await this.keep();
      },
    };
    const asked: Asked = { withdraw: () => gone.abort(), end: undefined };
    const end = (given: NonNullable<Asked['end']>) => {
      asked.end = given;
      this.wake();
    };
    answerInput(this.call, request, { mark: `task ${key}`, timer, signal: gone.signal, known }).then(
      (answer) => end({ answer }),
      (error: unknown) => end({ error }),
    );
    return asked;
  }

  /**
   * Returns a sentence if the task still asks for all that it did not take: the same answers would be refused for ever. A task that has
   * gone on without one of them gets the others once more.
   */
  private stuckIn({ status, requests }: ModernTaskState): string | undefined {
    const { refusal } = this;
    this.refusal = undefined;
    if (refusal === undefined || status !== 'input_required') return undefined;
    return refusal.keys.every((key) => Object.hasOwn(requests, key)) ? this.notTaken(refusal.why) : undefined;
  }

  private notTaken(why: string): string {
    return `${this.server} does not take the answers that its task asked for: ${why}`;
  }

  /** Sends what was answered since the last time. Returns a sentence if the server or we refuse. */
  private async sendAnswers(following: Following): Promise<string | undefined> {
    if (this.refusal !== undefined) return undefined;
    // A server names its questions as it likes, also `__proto__`.
    const answers = new Map<string, Json>();
    for (const [key, { end }] of this.asked) {
      if (end === undefined) continue;
      if ('error' in end) return messageOf(end.error);
      answers.set(key, end.answer);
    }
    if (answers.size === 0) return undefined;
    const keys = [...answers.keys()];
    const params: JsonObject = { taskId: this.task.id ?? '', inputResponses: Object.fromEntries(answers) };
    try {
      await this.request(following, (options) =>
        following.session.client.request({ method: 'tasks/update', params }, anyResult, options),
      );
    } catch (error) {
      // Whether the task is known and still waits for these answers, the next question for its state says.
      if (isForgotten(error)) {
        this.refusal = { keys, why: messageOf(error) };
        return undefined;
      }
      if (following.options.signal?.aborted || lossOf(error, following.session) !== undefined) throw error;
      return this.notTaken(messageOf(error));
    }
    for (const key of keys) {
      this.answered.add(key);
      this.asked.delete(key);
    }
    await this.keep();
    return undefined;
  }

  private async keep(): Promise<void> {
    const { sampled, answered, task } = this;
    if (task.id === undefined) return;
    await this.call.context.kept?.write({ ...task.toKeep(task.id), answered: [...answered], sampled: { ...sampled } });
  }

  private nameStatus(status: string): void {
    if (this.hasNamedStatus) return;
    this.hasNamedStatus = true;
    const { log, spec } = this.call;
    const message = `Server '${spec.name}' says that a task is '${status.slice(0, 100)}', which MCP does not have.`;
    log.write('warning', 'server_error', message);
  }

  private ended(result: ToolResult): ToolResult {
    this.withdrawAll();
    return result;
  }

  private giveUp({ session }: Following, why: string): ToolResult {
    this.withdrawAll();
    this.task.cancel(session);
    const reason = this.call.log.redact(why).replace(/\.$/, '');
    const then = 'The task is cancelled. The call may or may not have taken effect.';
    return errorResult('TOOL_FAILED', `${reason}. ${then}`);
  }

  private withdrawAll(): void {
    for (const { withdraw } of this.asked.values()) withdraw();
    this.asked.clear();
  }
}

const working: ModernTaskState = {
  ...{ status: 'working', isOpen: true, pollMs: undefined, ttlMs: undefined, says: '' },
  ...{ requests: {}, result: undefined, error: '' },
};

function textsIn(value: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(isRecord(value) ? value : {});
  return Object.fromEntries(entries.flatMap(([key, text]) => (typeof text === 'string' ? [[key, text] as const] : [])));
}
