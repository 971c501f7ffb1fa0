/**
 * How long the run would have taken with another `max_parallel`. The batches of delegations are scheduled again from their
 * recorded durations, the innermost first: each call starts in call order as soon as it is ready and a permit is free. All
 * other steps take the time that they took.
 *
 *   recorded, 2 at once        3 at once
 *   kid[1] ├────┤              kid[1] ├────┤
 *   kid[2] ├──────┤            kid[2] ├──────┤
 *   kid[3] ░░░░░├───┤          kid[3] ├───┤
 *   batch  ├────────┤          batch  ├──────┤     the run is as much shorter
 *
 * Limits other than `max_parallel` (a shared instance, a pool, a session) are not known from a recording and are not applied.
 */
import type { Batch, BatchCall } from './batches';
import type { RunColumns } from './run-columns';

export interface Plan {
  /** The agent whose calls get the limit; `undefined` for all agents. */
  readonly agent: string | undefined;
  readonly limit: number;
}

/** Returns the length of the run under the plan, in microseconds. */
export function lengthUnder(run: RunColumns, batches: readonly Batch[], plan: Plan): number {
  /** How much longer (or, below 0, shorter) each instance takes. */
  const longer = new Float64Array(run.lanes.length);
  // A child's lane comes after its parent's, so the innermost batches come first in this order.
  for (const batch of batches.toSorted((a, b) => b.parent - a.parent)) {
    const applies = plan.agent === undefined || run.lanes[batch.parent]?.agentName === plan.agent;
    const limit = applies ? plan.limit : recordedLimit(batch);
    const end = Math.max(scheduledEnd(batch.calls, limit, longer), batch.othersEnd);
    longer[batch.parent] = (longer[batch.parent] ?? 0) + end - batch.to;
  }
  let end = 0;
  for (const [index, { parent, endedAt }] of run.lanes.entries()) {
    if (parent === undefined) end = Math.max(end, (endedAt ?? run.length) + (longer[index] ?? 0));
  }
  const recorded = run.lanes.reduce(
    (most, lane) => Math.max(most, lane.parent === undefined ? (lane.endedAt ?? run.length) : 0),
    0,
  );
  return Math.max(0, run.length + end - recorded);
}

/** A batch in which nothing waited shows no limit. */
function recordedLimit({ waiting, most }: Batch): number {
  return waiting === 0 ? Number.POSITIVE_INFINITY : Math.max(most, 1);
}

/** Returns when the last call ends if at most `limit` run at once. */
function scheduledEnd(calls: readonly BatchCall[], limit: number, longer: Float64Array): number {
  const permits = Math.min(Math.max(Math.floor(limit), 1), calls.length);
  // A heap of the moments at which permits are free; the earliest is first.
  const free = new Float64Array(permits);
  let last = 0;
  for (const call of calls) {
    const more = call.lanes.reduce((sum, lane) => sum + (longer[lane] ?? 0), 0);
    const start = Math.max(call.readyAt, free[0] ?? 0);
    const end = start + Math.max(0, call.releasedAt - call.startedAt + more);
    replaceFirst(free, end);
    last = Math.max(last, end + call.endedAt - call.releasedAt);
  }
  return last;
}

function replaceFirst(heap: Float64Array, value: number): void {
  let at = 0;
  for (;;) {
    let child = at * 2 + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child += 1;
    if ((heap[child] ?? 0) >= value) break;
    heap[at] = heap[child] ?? 0;
    at = child;
  }
  heap[at] = value;
}

/** What the run would take with each limit, for a slider. */
export interface WhatIf {
  /** The agents that delegate, those that waited longest first. */
  readonly agents: readonly DelegatingAgent[];
}

export interface DelegatingAgent {
  readonly name: string;
  /** The largest number of calls in one batch. */
  readonly largest: number;
  /** The largest number that ran at once. */
  readonly most: number;
  readonly calls: number;
  readonly waiting: number;
  readonly waited: number;
  /** The longest single wait. */
  readonly longestWait: number;
  /** The length of the run for each limit that was tried, in order of the limits. */
  readonly lengths: readonly { readonly limit: number; readonly length: number }[];
}

/** At most this many limits are tried for an agent. */
const mostLimits = 48;
/** At most this many agents get lengths. */
const mostAgents = 12;

/** Totals the batches by delegating agent, and computes the run's length for limits from 1 to the largest batch. */
export function whatIf(run: RunColumns, batches: readonly Batch[]): WhatIf {
  const byAgent = new Map<string, Batch[]>();
  for (const batch of batches) {
    const name = run.lanes[batch.parent]?.agentName ?? '';
    const known = byAgent.get(name);
    if (known === undefined) byAgent.set(name, [batch]);
    else known.push(batch);
  }
  const agents = [...byAgent].map(([name, own]) => totalsOf(name, own));
  agents.sort((a, b) => b.waited - a.waited || b.largest - a.largest || (a.name < b.name ? -1 : 1));
  return {
    agents: agents.map((agent, i) => ({
      ...agent,
      lengths:
        i >= mostAgents || agent.largest < 2
          ? []
          : limitsUpTo(agent.largest).map((limit) => ({
              limit,
              length: lengthUnder(run, batches, { agent: agent.name, limit }),
            })),
    })),
  };
}

function totalsOf(name: string, batches: readonly Batch[]): Omit<DelegatingAgent, 'lengths'> {
  let longestWait = 0;
  for (const { calls } of batches) {
    for (const { readyAt, startedAt } of calls) longestWait = Math.max(longestWait, startedAt - readyAt);
  }
  return {
    name,
    largest: batches.reduce((most, { calls }) => Math.max(most, calls.length), 0),
    most: batches.reduce((most, batch) => Math.max(most, batch.most), 0),
    calls: batches.reduce((sum, { calls }) => sum + calls.length, 0),
    waiting: batches.reduce((sum, batch) => sum + batch.waiting, 0),
    waited: batches.reduce((sum, batch) => sum + batch.waited, 0),
    longestWait,
  };
}

/** Returns every limit of a small batch, and ever wider steps of a large one. The largest is always among them. */
export function limitsUpTo(largest: number): readonly number[] {
  const limits: number[] = [];
  for (let limit = 1; limit < largest; limit = Math.max(limit + 1, Math.round(limit * 1.12))) limits.push(limit);
  const kept =
    limits.length < mostLimits ? limits : limits.filter((_, i) => i % Math.ceil(limits.length / mostLimits) === 0);
  return [...kept, largest];
}
