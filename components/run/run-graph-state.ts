import { shownStatus } from '@/components/timeline/span-words';
import type { Status } from '@/components/ui/status';
import { laneStatusAt } from '@/lib/trace/moment';
import type { Lane } from '@/lib/trace/trace';

/** What the instances of one agent did up to a moment. Several may be at work at once, and one child may be called again. */
export interface AgentState {
  /** The most important status among its instances; undefined while there are none. */
  readonly status: Status | undefined;
  /** The number of its instances so far. */
  readonly instances: number;
  /** How many of them are running. */
  readonly live: number;
  /** "2 running, 1 completed" */
  readonly counts: string;
  /** The lane of its first instance. */
  readonly lane: number | undefined;
}

/** In order of importance: an agent shows the first of these that any of its instances has. */
const byImportance: readonly Status[] = ['running', 'queued', 'failed', 'timeout', 'lost', 'cancelled', 'completed'];

/** `moment` in microseconds since the origin; without one, what they are by now. */
export function agentState(lanes: readonly Lane[], moment: number | undefined): AgentState {
  const counts = new Map<Status, number>();
  let first: number | undefined;
  for (const lane of lanes) {
    const status = laneStatusAt(lane, moment);
    if (status === undefined) continue;
    first ??= lane.index;
    const shown = status === 'queued' ? 'queued' : shownStatus(status);
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
  completed: 'completed',
  failed: 'failed',
  timeout: 'timed out',
  lost: 'interrupted',
  cancelled: 'stopped',
};
