import type { StreamResponse } from '@a2a-js/sdk';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { RunId } from '@/lib/base/ids';
import { getRun, watchRun } from '@/lib/server/runs';
import type { RunDetail } from '@/lib/store/runs';
import { isActive } from '@/lib/trace/run-state';
import { answerArtifact, statusOf, taskOf } from './run-task';

/** The SDK's clients refuse an event of more than 4 MiB, and a character may need 6 bytes as JSON. */
const pieceChars = 256 * 1024;

/** Waits until the run has ended or the signal aborts. Does not wait when too many streams are open. */
export async function waitForEnd(actor: Actor, runId: RunId, signal: AbortSignal): Promise<void> {
  try {
    for await (const state of await watchRun(actor, runId, signal)) if (!isActive(state)) return;
  } catch (error) {
    // The run has been started: the client is told its task, and can ask for it.
    if (!(error instanceof AppError && ['too_many', 'unavailable'].includes(error.code))) throw error;
  }
}

/**
 * The events of a task from now on: the task, its states, the answer in pieces, the end. Text of models is not stored and
 * therefore not streamed.
 */
export async function* streamTask(
  actor: Actor,
  runId: RunId,
  signal: AbortSignal,
): AsyncGenerator<StreamResponse, void, undefined> {
  const first = await getRun(actor, runId);
  let last = first.status;
  yield { payload: { $case: 'task', value: { ...taskOf(first), artifacts: [] } } };
  if (isActive(last)) {
    for await (const state of await watchRun(actor, runId, signal)) {
      if (!isActive(state)) break;
      if (state !== last) yield statusUpdate(await getRun(actor, runId, 0));
      last = state;
    }
  }
  const run = await getRun(actor, runId);
  if (isActive(run.status)) return;
  if (run.status === 'completed') yield* answerPieces(run);
  yield statusUpdate(run);
}

function statusUpdate(run: RunDetail): StreamResponse {
  const { id: taskId, correlationId: contextId } = run;
  return {
    payload: { $case: 'statusUpdate', value: { taskId, contextId, status: statusOf(run), metadata: undefined } },
  };
}

function* answerPieces({ id: taskId, correlationId: contextId, answer = '' }: RunDetail): Generator<StreamResponse> {
  for (let from = 0; from === 0 || from < answer.length; ) {
    const to = endOfPiece(answer, from + pieceChars);
    const artifact = answerArtifact(answer.slice(from, to));
    const value = {
      taskId,
      contextId,
      artifact,
      append: from > 0,
      lastChunk: to >= answer.length,
      metadata: undefined,
    };
    yield { payload: { $case: 'artifactUpdate', value } };
    if (to >= answer.length) return;
    from = to;
  }
}

/** Does not part a surrogate pair. */
function endOfPiece(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return end < text.length && code >= 0xd800 && code <= 0xdbff ? end - 1 : end;
}
