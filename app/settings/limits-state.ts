import type { LimitsState } from '@/components/settings/limit-types';
import type { Actor } from '@/lib/base/actor';
import { budgetUse, dollars, sentenceOfUse, warnedFrom, whole } from '@/lib/base/limits';
import { decide } from '@/lib/base/rights';
import { readLimits } from '@/lib/server/run-limits';

/** Returns the limits as the settings show them. */
export async function limitsOf(actor: Actor): Promise<LimitsState> {
  const { runs, disk, budget, projects } = await readLimits(actor);
  return {
    runs,
    disk,
    budget,
    administers: decide(actor.reach, 'settings.change', null) === 'allowed',
    projects: projects.map(({ id, name, own, budget: inForce, spent }) => ({
      id,
      name,
      own,
      used: `This month: ${dollars(spent.usd)}, ${whole(spent.tokens)} tokens, ${whole(spent.runs)} runs.`,
      warnings: budgetUse(inForce, spent)
        .filter(({ part }) => part >= warnedFrom)
        .map((use) => sentenceOfUse(use, spent.month)),
    })),
  };
}
