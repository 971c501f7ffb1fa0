import { randomUUID } from 'node:crypto';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { brandAs, type ProjectId, type RunId } from '@/lib/base/ids';
import type { RunEvent } from '@/lib/runtime/record/events';
import { keyInCall } from '@/lib/runtime/record/step-key';
import { findInstanceStart, readCallEvents } from '@/lib/store/events';
import { noRun } from '@/lib/store/not-found';
import { deletePin, insertPin, listPins, type Pin } from '@/lib/store/pins';
import { findProject } from '@/lib/store/projects';
import { findRun } from '@/lib/store/runs';
import { withStore, withStoreOnce } from './services';

export interface PinInput {
  readonly run: string;
  /** The number of the event that starts the call. */
  readonly seq: number;
  /** `equal` answers calls with the same arguments, `all` every call of the tool by the agent. */
  readonly match: 'equal' | 'all';
}

/**
 * Pins the result of a recorded tool call: later runs of the project get it in place of the call. Throws AppError `not_found`, also for a
 * run of another project; `bad_request` for an event that is no tool call with a result; `conflict` when there are too many.
 */
export async function pinResult(
  actor: Actor,
  projectId: ProjectId,
  { run, seq, match }: PinInput,
): Promise<{ readonly id: string }> {
  return await withStoreOnce(actor, 'project.edit', { project: projectId }, async ({ store }) => {
    const runId = brandAs<RunId>(run);
    if ((await findRun(store, runId, 0)).projectId !== projectId) throw noRun();
    const call = callOf(await readCallEvents(store, runId, seq));
    if (call === undefined) {
      throw new AppError(
        'bad_request',
        `Event ${seq} starts no tool call that has a result. Choose one that has ended.`,
      );
    }
    const queued = await findInstanceStart(store, runId, call.started.path);
    const id = randomUUID();
    await insertPin(store, {
      id,
      projectId,
      agentName: queued?.agentName ?? '',
      tool: call.started.toolName,
      arguments: match === 'equal' ? call.started.arguments : undefined,
      result: call.result,
      runId,
      seq,
    });
    return { id };
  });
}

/** Lists the pinned results of a project, newest first. Throws AppError `not_found`. */
export async function readPins(actor: Actor, projectId: ProjectId): Promise<readonly Pin[]> {
  return await withStore(actor, 'project.read', { project: projectId }, async (store) => {
    await findProject(store, projectId);
    return await listPins(store, projectId);
  });
}

/** Removes a pin. Throws AppError `not_found`. */
export async function removePin(actor: Actor, projectId: ProjectId, id: string): Promise<void> {
  const isRemoved = await withStoreOnce(actor, 'project.edit', { project: projectId }, ({ store }) =>
    deletePin(store, projectId, id),
  );
  if (!isRemoved) throw new AppError('not_found', 'There is no such pinned result. It may have been removed already.');
}

function callOf(events: readonly RunEvent[]) {
  const [started] = events;
  if (started?.kind !== 'tool.started') return undefined;
  const key = keyInCall(started.step, '');
  const returned = events.find((event) => event.kind === 'tool.returned' && event.step === key);
  const ended = returned ?? events.find((event) => event.kind === 'tool.ended' && event.step === started.step);
  return ended !== undefined && 'result' in ended ? { started, result: ended.result } : undefined;
}
