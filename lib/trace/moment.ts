/**
 * The state of an instance at an earlier moment, computed from its lane. The result equals a fold of the events up to that
 * moment, without folding them again. Moments are microseconds since the origin.
 */
import type { SpanStatus } from './span';
import type { Lane } from './trace';

/** `queued` means that it has not started yet. */
export type LaneStatus = 'queued' | SpanStatus;

/**
 * Returns the status of a lane at a moment, or `undefined` if the lane did not exist yet. Without a moment it returns the
 * current status.
 */
export function laneStatusAt(lane: Lane, moment: number | undefined): LaneStatus | undefined {
  if (moment === undefined) return lane.state === 'queued' ? 'queued' : lane.status;
  if (lane.queuedAt > moment) return undefined;
  if (lane.state === 'ended' && lane.endedAt !== undefined && lane.endedAt <= moment) return lane.status;
  return lane.startedAt !== undefined && lane.startedAt <= moment ? 'open' : 'queued';
}
