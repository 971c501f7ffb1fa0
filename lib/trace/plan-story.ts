import { childrenBetween, type Decided, type DecisionOf, decisionsOf, decisionsOfKind } from './decisions';
import { type LaneStatus, laneStatusAt } from './moment';
import type { Lane, Trace } from './trace';

/** A task of a plan, with the instance that works on it. */
export interface PlanTask {
  readonly agent: string;
  readonly description: string;
  /** `waiting`: it has no instance yet. `skipped`: the plan went on or ended without it. */
  readonly status: LaneStatus | 'waiting' | 'skipped';
  /** The latest attempt. */
  readonly lane: Lane | undefined;
}

export interface PlanStep extends Decided<DecisionOf<'plan'>> {
  readonly tasks: readonly PlanTask[];
}

/** What a planner planned and how far it came. */
export interface PlanStory {
  readonly steps: readonly PlanStep[];
  readonly end: DecisionOf<'plan_end'> | undefined;
  /** The tasks of all steps, and how many of them have ended well. */
  readonly total: number;
  readonly done: number;
}

/**
 * Matches the tasks of each step with the instances called after it and before the next decision. Calls are in the order of
 * the tasks, so each task takes the first call of its agent that no earlier task took.
 *
 *   plan 1 [writer, critic]   writer[1] critic[1]   plan 2 [writer]   writer[2]   plan_end
 */
export function planStory(trace: Trace, lane: Lane, moment?: number): PlanStory {
  const all = decisionsOf(trace, lane, moment);
  const plans = decisionsOfKind(all, 'plan');
  const end = decisionsOfKind(all, 'plan_end').at(-1);
  const isOver = end !== undefined || (laneStatusAt(lane, moment) ?? 'open') !== 'open';
  const steps = plans.map((plan, i): PlanStep => {
    const next = plans[i + 1]?.seq ?? end?.seq;
    const free = callsOf(childrenBetween(trace, lane, plan.seq, next ?? Number.POSITIVE_INFINITY), moment);
    const tasks = plan.decision.tasks.map(({ agent, description }): PlanTask => {
      const at = free.findIndex((call) => call[0]?.agentName === agent);
      const child = at === -1 ? undefined : free.splice(at, 1)[0]?.at(-1);
      const missing = next !== undefined || isOver ? 'skipped' : 'waiting';
      return { agent, description, lane: child, status: child ? (laneStatusAt(child, moment) ?? missing) : missing };
    });
    return { ...plan, tasks };
  });
  const tasks = steps.flatMap((step) => step.tasks);
  return {
    steps,
    end: end?.decision,
    total: tasks.length,
    done: tasks.filter(({ status }) => status === 'ok').length,
  };
}

/** Groups instances by their call, because a call may have several attempts. */
function callsOf(children: readonly Lane[], moment: number | undefined): Lane[][] {
  const calls = new Map<number, Lane[]>();
  for (const child of children) {
    if (laneStatusAt(child, moment) === undefined) continue;
    const key = child.parentSpan ?? -1 - child.index;
    calls.set(key, [...(calls.get(key) ?? []), child]);
  }
  return [...calls.values()];
}
