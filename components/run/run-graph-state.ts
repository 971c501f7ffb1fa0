import { shownStatus } from '@/components/timeline/span-status';
import type { Status } from '@/components/ui/status';
import { laneStatusAt } from '@/lib/trace/moment';
import type { Lane } from '@/lib/trace/trace';

/** The work of one agent's instances up to a moment. Several may run at once, and one child may be called again. */
export interface AgentState {
  /** The most important status among its instances; `undefined` while there are none. */
  readonly status: Status | undefined;
  /** The number of its instances so far. */
  readonly instances: number;
  /** The number of instances that are running. */
  readonly live: number;
  /** A summary such as "2 running, 1 completed". */
  readonly counts: string;
  /** The lane of its first instance. */
  readonly lane: number | undefined;
}

/** Statuses in order of importance. An agent shows the first of these that any of its instances has. */
const byImportance: readonly Status[] = [
  'running',
  'suspended',
  'queued',
  'failed',
  'timeout',
  'lost',
  'cancelled',
  'completed',
];

/**
 * Returns the state of an agent. `moment` is in microseconds since the origin; without one the state is the current one. `asking` has
 * the lanes that wait for people.
 */
export function agentState(
  lanes: readonly Lane[],
  moment: number | undefined,
  asking: ReadonlySet<number> = new Set(),
): AgentState {
  const counts = new Map<Status, number>();
  let first: number | undefined;
  for (const lane of lanes) {
    const status = laneStatusAt(lane, moment);
    if (status === undefined) continue;
    first ??= lane.index;
    const isAsking = status === 'open' && asking.has(lane.index);
    const shown = status === 'queued' ? 'queued' : isAsking ? 'suspended' : shownStatus(status);
    counts.set(shown, (counts.get(shown) ?? 0) + 1);
  }
  const present = byImportance.filter((status) => counts.has(status));
  return {
    status: present[0],
    instances: present.reduce((sum, status) => sum + (counts.get(status) ?? 0), 0),
    live: counts.get('running') ?? 0,
    counts: present.map((status) => `${counts.get(status)} ${words[status]}`).join(', '),
    lane: first,
  };
}

const words: Readonly<Record<Status, string>> = {
  running: 'running',
  queued: 'queued',
  suspended: 'waiting for people',
  completed: 'completed',
  failed: 'failed',
  timeout: 'timed out',
  lost: 'interrupted',
  cancelled: 'stopped',
};
