import type { Clock } from '@/lib/base/clock';
import type { EpochMs, ProjectId } from '@/lib/base/ids';
import type { EventSink } from '@/lib/runtime/record/event-sink';
import type { Store } from '@/lib/store/database';
import { type LimitRules, readLimitRules } from '@/lib/store/limit-rules';
import { findSpentBudget, hasSpendingBudget } from '@/lib/store/month-spending';
import { isOutage } from '@/lib/store/outage';

/** The budgets of projects, as the runs of a worker ask for them. */
export interface ProjectBudgets {
  /**
   * Returns what tells a run why its project may use nothing more this month, before each of its model calls. Runs of all workers
   * count, and what this one has used until now. `rules` are the limits of the project, and `readAt` is the time before they were read.
   */
  of(
    project: ProjectId,
    events: Pick<EventSink, 'flush'>,
    rules: LimitRules,
    readAt: EpochMs,
  ): () => Promise<string | undefined> | undefined;
}

/** A budget that is set is found this late by runs that are under way. */
const lookAgainMs = 1_000;

/**
 * Opens the budgets of a worker. In a project without a budget, a run asks the database once a second, when it calls a model. With one, each model call costs three queries, and the events so far are written first.
 */
export function openProjectBudgets(store: Store, clock: Clock): ProjectBudgets {
  return {
    of(project, events, rules, readAt) {
      let unlimitedAt = hasSpendingBudget(rules) ? undefined : readAt;

      async function find(): Promise<string | undefined> {
        const askedAt = clock.now();
        try {
          if (!hasSpendingBudget(await readLimitRules(store.pool, project))) {
            unlimitedAt = askedAt;
            return undefined;
          }
          await events.flush();
          return await findSpentBudget(store.pool, project);
        } catch (error) {
          // Nothing is counted during an outage. The next model call asks again.
          if (isOutage(error)) return undefined;
          throw error;
        }
      }

      return () => (unlimitedAt !== undefined && clock.now() - unlimitedAt < lookAgainMs ? undefined : find());
    },
  };
}
