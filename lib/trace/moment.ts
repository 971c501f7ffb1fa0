/**
 * The state of an instance at an earlier moment, computed from its lane. The result equals a fold of the events up to that
 * moment, without folding them again. Moments are microseconds since the origin.
 */
import type { SpanStatus } from './span';
import type { Lane, Trace } from './trace';

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

/** Returns the moments at which an instance was queued, began, decided or ended, in order and without duplicates. */
export function turningPoints({ lanes, spans }: Pick<Trace, 'lanes' | 'spans'>): readonly number[] {
  const moments = new Set<number>();
  for (const { queuedAt, startedAt, endedAt, decisions } of lanes) {
    for (const span of decisions) moments.add(spans.start.at(span));
    moments.add(queuedAt);
    if (startedAt !== undefined) moments.add(startedAt);
    if (endedAt !== undefined) moments.add(endedAt);
  }
  return [...moments].sort((a, b) => a - b);
}
