import type { ToolResult } from '@/lib/runtime/record/messages';
import { anyResult } from './any-result';
import type { CallTimer } from './call-timer';
import type { Session } from './open-session';
import type { CallOptions, Following, ServerTask } from './server-task';
import { isForgotten, readBegunTask, readTaskState, type TaskState } from './task-state';
import { toolResult } from './tool-result';

/** The server is asked to keep a task and its result so long. It may decide otherwise. */
const keptMs = 24 * 60 * 60 * 1000;

/**
 * A call as a task of MCP 2025-11-25 (basic/utilities/tasks), where the client decides that there is one.
 *
 *   tools/call as a task ──▶ id, kept ──▶ tasks/result, which waits ───────────────▶ result
 *                                          ├ beside it tasks/get: each answer begins the time limit anew
 *                                          ├ connection lost, another worker: tasks/result of the same task
 *                                          └ stopped, time is up: tasks/cancel
 *
 * Questions of the task reach people as those of any call, because the server sends them while `tasks/result` waits.
 */
export async function callAsLegacyTask(call: CallOptions, task: ServerTask, following: Following): Promise<ToolResult> {
  if (task.id === undefined) {
    const { session, options } = following;
    const asked = { method: 'tools/call', params: { ...call.params, task: { ttl: keptMs } } };
    const answer = await session.client.request(asked, anyResult, options);
    const begun = readBegunTask(taskIn(answer));
    if (begun === undefined) return toolResult(answer);
    const fault = await task.begin(begun);
    if (fault !== undefined) return fault;
  }
  return await resultOf(call, task, following);
}

function taskIn(answer: unknown): unknown {
  return typeof answer === 'object' && answer !== null && 'task' in answer ? answer.task : undefined;
}

async function resultOf(
  call: CallOptions,
  task: ServerTask,
  { session, options, timer }: Following,
): Promise<ToolResult> {
  const ended = new AbortController();
  try {
    // After a loss the server has to say something of the task before it is waited for once more.
    if (!task.isHeard) await look(task, session, options);
    void watch(call, task, session, timer, ended.signal);
    const request = { method: 'tasks/result', params: { taskId: task.id } };
    return toolResult(await session.client.request(request, anyResult, options));
  } catch (error) {
    if (!isForgotten(error)) throw error;
    return task.forgotten();
  } finally {
    ended.abort();
  }
}

/** Asks for the state of the task from time to time. Whether it has failed or is forgotten, `tasks/result` says. */
async function watch(
  { spec, clock }: CallOptions,
  task: ServerTask,
  session: Session,
  timer: CallTimer,
  ended: AbortSignal,
): Promise<void> {
  for (;;) {
    await clock.sleep(task.pollMs(), ended);
    if (ended.aborted) return;
    // The request has no signal: the SDK never removes its listener from one.
    const state = await look(task, session, { timeout: spec.readTimeoutMs }).catch(() => undefined);
    if (ended.aborted) return;
    if (state?.isOpen) timer.restart();
  }
}

async function look(
  task: ServerTask,
  session: Session,
  options: Parameters<ServerTask['get']>[1],
): Promise<TaskState | undefined> {
  const state = readTaskState(await task.get(session, options));
  if (state !== undefined) task.note(state);
  return state;
}
