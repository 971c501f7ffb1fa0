import { createStore } from 'zustand/vanilla';
import type { RunState } from '@/lib/trace/run-state';
import type { FailedStart, HookTotal, Lane } from '@/lib/trace/trace';
import type { LostSession } from './lost-sessions';

/** What an agent does in the shown run. It is never part of the document. */
export interface AgentActivity {
  /** The number of instances that have started and not ended. */
  readonly live: number;
  readonly queued: number;
  /** The number of instances of which a step waits for a person. They are not among the live ones. */
  readonly waiting: number;
  readonly done: number;
  /** The number of instances that a person stopped, alone or with the run. */
  readonly stopped: number;
  /** The number of instances that failed, timed out or were interrupted. */
  readonly failed: number;
}

export interface RunOverlay {
  readonly runId: string | undefined;
  readonly status: RunState | undefined;
  readonly agents: ReadonlyMap<string, AgentActivity>;
  /** Totals of hooks, by `hookKey`. */
  readonly hooks: ReadonlyMap<string, HookTotal>;
  /** Servers that did not start. */
  readonly failedStarts: readonly FailedStart[];
  /** Sessions that were not saved. */
  readonly lostSessions: readonly LostSession[];
}

export const emptyOverlay: RunOverlay = {
  runId: undefined,
  status: undefined,
  agents: new Map(),
  hooks: new Map(),
  failedStarts: [],
  lostSessions: [],
};

export type OverlayStore = ReturnType<typeof createOverlayStore>;

export function createOverlayStore() {
  return createStore<RunOverlay>(() => emptyOverlay);
}

type CountedLane = Pick<Lane, 'agentName' | 'state' | 'status'>;

/** Counts the instances of each agent. `asking` has the places of lanes that wait for people. An agent whose counts did not change keeps its object, so that its mark is not drawn again. */
export function countLanes(
  lanes: readonly CountedLane[],
  previous: ReadonlyMap<string, AgentActivity>,
  asking: ReadonlyMap<number, number> = new Map(),
): ReadonlyMap<string, AgentActivity> {
  const counts = new Map<string, Record<keyof AgentActivity, number>>();
  for (const [index, lane] of lanes.entries()) {
    const count = counts.get(lane.agentName) ?? { live: 0, queued: 0, waiting: 0, done: 0, stopped: 0, failed: 0 };
    const state = stateOf(lane);
    count[state === 'live' && asking.has(index) ? 'waiting' : state]++;
    counts.set(lane.agentName, count);
  }
  return new Map(
    [...counts].map(([agent, count]) => {
      const was = previous.get(agent);
      return [agent, was !== undefined && sameCounts(was, count) ? was : count];
    }),
  );
}

function stateOf(lane: CountedLane): keyof AgentActivity {
  switch (lane.state) {
    case 'queued':
      return 'queued';
    case 'running':
      return 'live';
    case 'ended':
      if (lane.status === 'ok') return 'done';
      return lane.status === 'cancelled' ? 'stopped' : 'failed';
  }
}

const states = ['live', 'queued', 'waiting', 'done', 'stopped', 'failed'] as const;

function sameCounts(a: AgentActivity, b: AgentActivity): boolean {
  return states.every((state) => a[state] === b[state]);
}
