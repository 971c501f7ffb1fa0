import type { AgentCard, Message, SendMessageRequest, StreamResponse, Task } from '@a2a-js/sdk';
import {
  ExtendedAgentCardNotConfiguredError,
  PushNotificationNotSupportedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { brandAs, type ProjectId, type RunId } from '@/lib/base/ids';
import { hasConversation } from '@/lib/server/conversations';
import { getRun, type RunInput, startRun, stopRun } from '@/lib/server/runs';
import type { RunDetail } from '@/lib/store/runs';
import { isActive } from '@/lib/trace/run-state';
import { asA2aErrors, streamAsA2aErrors } from './a2a-errors';
import { taskOf } from './run-task';
import { streamTask, waitForEnd } from './task-events';
import { textOfMessage } from './text-part';

export interface ServedProject {
  readonly actor: Actor;
  readonly projectId: ProjectId;
  readonly card: AgentCard;
  /** Aborts when the client goes. The run goes on. */
  readonly signal: AbortSignal;
}

/** How long a request to cancel waits for the end of the run. */
const cancelWaitMs = 10_000;

/** The methods of A2A over the runs of a project. They throw errors of the SDK. */
export function taskRequests({ actor, projectId, card, signal }: ServedProject): A2ARequestHandler {
  async function start({ message }: SendMessageRequest): Promise<RunId> {
    if (message?.taskId) await refuseFollowUp(message);
    return (await startRun(actor, projectId, { message: textOfMessage(message), ...(await contextOf(message)) })).runId;
  }

  /** A context that is a conversation of the project goes on with it. Any other one only groups runs. */
  async function contextOf(message: Message | undefined): Promise<Pick<RunInput, 'conversationId' | 'correlationId'>> {
    const { contextId } = message ?? {};
    if (!contextId) return {};
    return (await hasConversation(actor, projectId, contextId))
      ? { conversationId: contextId }
      : { correlationId: contextId };
  }

  /** A run takes one message. */
  async function refuseFollowUp({ taskId }: Message): Promise<never> {
    await runOf(taskId);
    throw new UnsupportedOperationError(
      `Task ${taskId} takes no further messages. Send the message without a taskId, with the contextId of the task.`,
    );
  }

  async function runOf(taskId: string): Promise<RunDetail> {
    // The library hands on what a client sends for an id, also a number.
    const id = String(taskId);
    const unknown = () => new TaskNotFoundError(`There is no task ${id.slice(0, 100)}.`);
    if (!/^[\w-]{1,64}$/.test(id)) throw unknown();
    const run = await getRun(actor, brandAs<RunId>(id)).catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'not_found' ? unknown() : error;
    });
    if (run.projectId !== projectId) throw unknown();
    return run;
  }

  return {
    getAgentCard: () => Promise.resolve(card),
    sendMessage: (params) =>
      asA2aErrors(async (): Promise<Task> => {
        const runId = await start(params);
        const { returnImmediately, historyLength } = params.configuration ?? {};
        if (returnImmediately !== true) await waitForEnd(actor, runId, signal);
        return taskOf(await getRun(actor, runId), historyLength);
      }),
    sendMessageStream: (params) =>
      streamAsA2aErrors(async function* (): AsyncGenerator<StreamResponse, void, undefined> {
        yield* streamTask(actor, await start(params), signal);
      }),
    getTask: ({ id, historyLength }) => asA2aErrors(async () => taskOf(await runOf(id), historyLength)),
    cancelTask: ({ id }) =>
      asA2aErrors(async () => {
        const run = await runOf(id);
        if (!isActive(run.status)) throw new TaskNotCancelableError(`Task ${id} has ended as ${run.status}.`);
        await stopRun(actor, run.id);
        await waitForEnd(actor, run.id, AbortSignal.any([signal, AbortSignal.timeout(cancelWaitMs)]));
        return taskOf(await getRun(actor, run.id));
      }),
    resubscribe: ({ id }) =>
      streamAsA2aErrors(async function* (): AsyncGenerator<StreamResponse, void, undefined> {
        const run = await runOf(id);
        if (!isActive(run.status)) {
          throw new UnsupportedOperationError(`Task ${id} has ended as ${run.status}. Ask for it with GetTask.`);
        }
        yield* streamTask(actor, run.id, signal);
      }),
    listTasks: () => Promise.reject(new UnsupportedOperationError('Tasks are not listed. Ask for one by its id.')),
    getAuthenticatedExtendedAgentCard: () => Promise.reject(new ExtendedAgentCardNotConfiguredError()),
    createTaskPushNotificationConfig: noPush,
    getTaskPushNotificationConfig: noPush,
    listTaskPushNotificationConfigs: noPush,
    deleteTaskPushNotificationConfig: noPush,
  };
}

function noPush(): Promise<never> {
  return Promise.reject(new PushNotificationNotSupportedError());
}
