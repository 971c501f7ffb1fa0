import { type Artifact, type Message, Role, type Task, TaskState, type TaskStatus } from '@a2a-js/sdk';
import type { RunDetail } from '@/lib/store/runs';
import { textPart } from './text-part';

/** A run as a task of A2A: its id is the run's, its context is the run's correlation id, and its answer is an artifact. */

/** `historyLength` is that of the request: 0 leaves the message of the user out. */
export function taskOf(run: RunDetail, historyLength?: number): Task {
  const { answer } = run;
  return {
    id: run.id,
    contextId: run.correlationId,
    status: statusOf(run),
    artifacts: run.status === 'completed' && answer !== undefined ? [answerArtifact(answer)] : [],
    history: historyLength === 0 ? [] : [messageOf(run, Role.ROLE_USER, 'request', run.message)],
    metadata: undefined,
  };
}

export function statusOf(run: RunDetail): TaskStatus {
  const { error, finishedAt, startedAt, createdAt } = run;
  const said = run.status === 'failed' && error ? messageOf(run, Role.ROLE_AGENT, 'error', error.message) : undefined;
  return {
    state: stateOf(run),
    message: said,
    timestamp: (finishedAt ?? startedAt ?? createdAt).toISOString(),
  };
}

export function answerArtifact(text: string): Artifact {
  return {
    artifactId: 'answer',
    name: 'answer',
    description: '',
    parts: [textPart(text)],
    metadata: undefined,
    extensions: [],
  };
}

function stateOf({ status, error }: RunDetail): TaskState {
  switch (status) {
    case 'queued':
      return TaskState.TASK_STATE_SUBMITTED;
    case 'running':
    case 'suspended':
      return TaskState.TASK_STATE_WORKING;
    case 'completed':
      return TaskState.TASK_STATE_COMPLETED;
    case 'cancelled':
      return TaskState.TASK_STATE_CANCELED;
    case 'failed':
      return error?.code === 'not_trusted' ? TaskState.TASK_STATE_REJECTED : TaskState.TASK_STATE_FAILED;
  }
}

function messageOf(run: RunDetail, role: Role, what: string, text: string): Message {
  return {
    messageId: `${run.id}-${what}`,
    contextId: run.correlationId,
    taskId: run.id,
    role,
    parts: [textPart(text)],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}
