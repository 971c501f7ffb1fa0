import { Role, type SendMessageRequest } from '@a2a-js/sdk';
import type { Clock } from '@/lib/base/clock';
import type { A2aCard } from '@/lib/cards/card';
import type { RemoteMessage, RemoteTaskRef } from '@/lib/runtime/ports';
import { AgentFault, faultOf } from './agent-fault';
import type { FoundAgent } from './find-agent';
import { partsOf } from './parts';
import type { RemoteAnswer } from './remote-answer';

export interface Talk {
  readonly card: A2aCard;
  readonly agent: FoundAgent;
  readonly answer: RemoteAnswer;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const firstPollMs = 250;
const mostPollMs = 5_000;
/** The number of failures in a row, with 8 seconds of pauses between them, after which it gives up. */
const maxFailures = 5;

/**
 * Sends a message and reads the answer to its end:
 *
 *   streaming ▶ events … ▶ end        blocking, polling ▶ message or task ▶ end
 *                 └ lost ▶ follow                                  └ not over ▶ follow
 *
 * A message is sent once. With `task` it answers what that task has asked. Throws AgentFault and the errors of the SDK.
 */
export async function sendMessage(
  talk: Talk,
  messageId: string,
  message: RemoteMessage,
  task?: RemoteTaskRef,
): Promise<void> {
  const { agent, answer, signal } = talk;
  const request = requestOf(talk, messageId, message, task);
  if (agent.streams) {
    try {
      // The first event of a task that has asked may still have the state in which it asked.
      let mayBeOld = task !== undefined;
      for await (const event of agent.client.sendMessageStream(request, { signal })) {
        answer.take(event);
        if (answer.isOver && answer.task !== undefined && !(mayBeOld && answer.waits)) return;
        mayBeOld = false;
      }
    } catch (error) {
      const hasBegun = answer.task !== undefined || answer.isOver;
      if (signal.aborted || !hasBegun || faultOf(error).isFinal) throw error;
    }
  } else {
    const result = await agent.client.sendMessage(request, { signal });
    if ('messageId' in result) answer.takeMessage(result);
    else answer.takeTask(result);
  }
  if (answer.isOver) return;
  const { task: begun } = answer;
  if (begun === undefined) throw new AgentFault('a2a_bad_answer', 'ended its answer without a message or a task.');
  await followTask(talk, begun.taskId);
}

/**
 * Waits for the end of a task. It asks for the task, subscribes to its events again if the agent streams, and otherwise
 * polls.
 */
export async function followTask(talk: Talk, taskId: string): Promise<void> {
  const { agent, answer, clock, signal } = talk;
  let failures = 0;
  let pauseMs = firstPollMs;
  let subscribes = agent.streams;
  while (!signal.aborted) {
    const before = answer.progress;
    try {
      answer.takeTask(await agent.client.getTask({ tenant: '', id: taskId, historyLength: 0 }, { signal }));
      failures = 0;
      if (answer.isOver) return;
      if (subscribes) {
        const seen = answer.progress;
        try {
          for await (const event of agent.client.resubscribeTask({ tenant: '', id: taskId }, { signal })) {
            answer.take(event);
            if (answer.isOver) return;
          }
        } finally {
          // If a stream brought nothing new, another one is not worth opening.
          subscribes = answer.progress !== seen;
        }
      }
    } catch (error) {
      const fault = faultOf(error);
      if (signal.aborted || fault.isFinal) throw error;
      failures += 1;
      if (failures > maxFailures) throw lost(fault, talk, taskId);
    }
    await clock.sleep(pauseMs, signal);
    pauseMs = answer.progress === before ? Math.min(pauseMs * 2, mostPollMs) : firstPollMs;
  }
}

function lost({ message }: AgentFault, { answer }: Talk, taskId: string): AgentFault {
  const state = answer.task?.state ?? 'unknown';
  return new AgentFault('a2a_lost', `was lost while task ${taskId} was ${state}: it ${message} Then run again.`);
}

function requestOf(
  { card }: Talk,
  messageId: string,
  message: RemoteMessage,
  { taskId = '', contextId = '' }: Partial<RemoteTaskRef> = {},
): SendMessageRequest {
  return {
    tenant: '',
    message: {
      messageId,
      contextId,
      taskId,
      role: Role.ROLE_USER,
      parts: partsOf(message.text, message.attachments),
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
    configuration: {
      acceptedOutputModes: [...card.acceptedOutputModes],
      taskPushNotificationConfig: undefined,
      returnImmediately: card.polling,
    },
    metadata: undefined,
  };
}
