import { maxCostMessage, maxTokensMessage } from './limit-messages';
import { addUsage, noUsage, type Usage } from './messages';
import type { Instance, Run } from './run-state';

/**
 * Asked before each model call: stops the run when its tokens or its money are used up. Calls that run already end as they
 * do, so a run may use more than its limit by what was in flight. A model without a known price is named once.
 */
export function checkBudget(run: Run, model: string): void {
  const { maxTokens, maxCostUsd } = run.limits;
  if (maxTokens !== undefined && run.usage.inputTokens + run.usage.outputTokens >= maxTokens) {
    run.stop('max_tokens', maxTokensMessage(run));
  }
  if (maxCostUsd === undefined) return;
  if (run.spentUsd >= maxCostUsd) run.stop('max_cost', maxCostMessage(run));
  if (run.scope.reason || run.ports.costOf?.(noUsage, model) !== undefined) return;
  const message = `The price of model '${model}' is not known: 'limits.max_cost_usd' cannot count what it costs. Set 'limits.max_tokens' too.`;
  run.log({ level: 'warning', code: 'cost_unknown', message });
}

/** Counts a model call that has ended, for its instance and for the run. */
export function countUsage(instance: Instance, model: string, usage: Usage): void {
  const { run } = instance;
  instance.usage = addUsage(instance.usage, usage);
  run.usage = addUsage(run.usage, usage);
  run.spentUsd += run.ports.costOf?.(usage, model) ?? 0;
}

/** US dollars of the recorded model calls whose price is known. */
export function recordedCost({ ports, journal }: Pick<Run, 'ports' | 'journal'>): number {
  let usd = 0;
  for (const [model, usage] of journal.modelUsage) usd += ports.costOf?.(usage, model) ?? 0;
  return usd;
}
