import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '@/lib/base/json';
import type { ToolCallContext, ToolDescriptor } from '@/lib/runtime/ports';
import type { ToolResult } from '@/lib/runtime/record/messages';
import { anyResult } from './any-result';
import { cancelledResult } from './call-errors';
import { InputRounds } from './input-rounds';
import { callAsLegacyTask } from './legacy-task';
import { inputRequired, isTask } from './modern-messages';
import { ModernTask } from './modern-task';
import type { Session } from './open-session';
import type { QuestionOptions } from './question';
import { type CallOptions, ServerTask } from './server-task';
import { type BegunTask, readBegunTask, readModernTask } from './task-state';
import { errorResult, toolResult } from './tool-result';

/**
 * One call of a tool. A server of protocol 2026-07-28 may answer with what it needs first; then people are asked, all at once, and the
 * call is made again with the answers. Or it answers with a task, which is followed:
 *
 *   tools/call ──▶ input_required, state ──▶ kept, people asked ┄ suspended ┄ any worker ──▶ tools/call with answers and state ──▶ …
 *              └─▶ task ──▶ kept, `ModernTask` ┄ suspended, connection lost ┄ any worker ──▶ the same task
 *
 * What is kept is outside the log, which people can read. A resumed call begins with it. A state that has expired is left out.
 */
export class ToolCall {
  private readonly rounds: InputRounds;
  private readonly task: ServerTask;
  private readonly modernTask: ModernTask;
  private isKeptRead = false;

  /** With `asTask` a server of an earlier protocol is asked to make a task of the call. */
  constructor(
    private readonly call: CallOptions,
    private readonly asTask: boolean,
  ) {
    this.rounds = new InputRounds(call);
    this.task = new ServerTask(call);
    this.modernTask = new ModernTask(call, this.task);
  }

  /** True if what was begun goes on at the server, so that the call may be tried on another connection. */
  goesOn(): boolean {
    return this.task.goesOn();
  }

  /** To be called when the call has its result, or will have none. */
  end(): void {
    this.modernTask.end();
  }

  /** Makes the call, or goes on with it, and returns its result. */
  readonly ask = async (session: Session, options: QuestionOptions): Promise<ToolResult> => {
    const { call, task } = this;
    if (session.isModern) {
      await this.readKept();
      return task.id === undefined ? await this.askModern(session, options) : await this.follow(session, options);
    }
    if (this.asTask) {
      await this.readKept();
      return await task.follow(session, options, (following) => callAsLegacyTask(call, task, following));
    }
    const { timer: _, ...request } = options;
    return toolResult(await session.client.request({ method: 'tools/call', params: call.params }, anyResult, request));
  };

  private async readKept(): Promise<void> {
    if (this.isKeptRead) return;
    this.isKeptRead = true;
    const kept = await this.call.context.kept?.read();
    for (const part of [this.rounds, this.task, this.modernTask]) part.takeUp(kept);
  }

  private async askModern(session: Session, options: QuestionOptions): Promise<ToolResult> {
    const { rounds, call } = this;
    const { timer, ...request } = options;
    for (;;) {
      const given = await rounds.answers(timer);
      if (call.context.signal.aborted) return cancelledResult();
      const result = await callWith(session, { ...call.params, ...given }, request);
      if (isTask(result)) return await this.begin(result, session, options);
      const needs = inputRequired(result);
      if (needs === undefined) {
        await rounds.end();
        return toolResult(result);
      }
      const problem = await rounds.next(needs);
      if (problem !== undefined) return errorResult('TOOL_FAILED', problem);
      timer?.restart();
    }
  }

  private async begin(result: unknown, session: Session, options: QuestionOptions): Promise<ToolResult> {
    const begun = readBegunTask(result);
    if (begun === undefined) {
      const message = `Server '${this.call.spec.name}' answered with a task and did not say its id. Have it corrected at the server.`;
      return errorResult('TOOL_FAILED', message);
    }
    const fault = await this.task.begin(begun);
    return fault ?? (await this.follow(session, options, begun));
  }

  private async follow(session: Session, options: QuestionOptions, begun?: BegunTask): Promise<ToolResult> {
    const known = begun && readModernTask(begun);
    return await this.task.follow(session, options, (following) => this.modernTask.result(following, known));
  }
}

/** The parameters of `tools/call`. */
export function callParams(tool: ToolDescriptor, args: JsonObject, context: ToolCallContext) {
  return {
    name: tool.remoteName ?? tool.name,
    arguments: { ...args },
    _meta: { 'callboard/idempotency-key': context.idempotencyKey },
  };
}

/** Asks for a result of any kind, because it may be none yet. */
async function callWith({ client }: Session, params: JsonObject, options: RequestOptions): Promise<unknown> {
  try {
    return await client.request({ method: 'tools/call', params }, anyResult, options);
  } catch (error) {
    if (params.requestState === undefined || !isStaleState(error)) throw error;
    const { requestState: _, ...withoutState } = params;
    return await client.request({ method: 'tools/call', params: withoutState }, anyResult, options);
  }
}

/** Servers keep a state valid for a time, often 600 s. They must take the answers without it. */
function isStaleState(error: unknown): boolean {
  return error instanceof McpError && error.code === ErrorCode.InvalidParams && /requestState/i.test(error.message);
}
