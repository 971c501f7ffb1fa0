/**
 * Notifications about questions to people.
 *
 *   writer, answer, expiry ── run_events: "pending:<project>:<run>" ──▶ all web processes, for lists
 *   answer, expiry, stop   ── people:     "people-<run>:"           ──▶ the worker that holds the run
 *   grant given or revoked ── people:     "grants-<project>:"       ──▶ workers that hold runs of the project
 */
import type { ProjectId, RunId } from '@/lib/base/ids';

/** The key of the notifications for lists, which go through the channel of run events. */
export const pendingKey = 'pending';
export const peopleChannel = 'people';

export function peopleKey(runId: RunId): string {
  return `people-${runId}`;
}

export function grantsKey(projectId: ProjectId): string {
  return `grants-${projectId}`;
}
