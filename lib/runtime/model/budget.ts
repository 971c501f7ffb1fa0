import type { Instance } from '@/lib/runtime/instance/instance';
import { maxCostMessage, maxTokensMessage } from '@/lib/runtime/instance/limit-messages';
import type { Run } from '@/lib/runtime/instance/run';
import type { Ports } from '@/lib/runtime/ports';
import type { Journal } from '@/lib/runtime/record/journal';
import { noUsage, type Usage } from '@/lib/runtime/record/messages';
import {
  addSpending,
  nothingSpent,
  type PricedCall,
  type RunSpending,
  roundUsd,
  type Spending,
} from '@/lib/runtime/record/spending';

/**
 * Stops the run when its limit of tokens or cost is reached. It is called before each model call. Calls in flight are not
 * aborted, so a run may exceed its limit by what they use. Warns once about each model without a known price.
 */
export function checkBudget(run: Run, model: string): void {
  const { maxTokens, maxCostUsd } = run.limits;
  const { usage, costUsd = 0 } = run.spending.whole;
  if (maxTokens !== undefined && usage.inputTokens + usage.outputTokens >= maxTokens) {
    run.stop('max_tokens', maxTokensMessage(run));
  }
  if (maxCostUsd === undefined) return;
  if (costUsd >= maxCostUsd) run.stop('max_cost', maxCostMessage(run));
  if (run.scope.reason || run.ports.costOf?.(noUsage, model) !== undefined) return;
  const message = `The price of model '${model}' is not known: 'limits.max_cost_usd' cannot count what it costs. Set 'limits.max_tokens' too.`;
  run.log({ level: 'warning', code: 'cost_unknown', message });
}

/** Counts a model call that has ended, for its instance, its agent and the run. Returns its cost, if known. */
export function countCall(instance: Instance, model: string, usage: Usage): number | undefined {
  const { run, spec } = instance;
  const call = pricedCall(run.ports, model, usage);
  instance.spent = addSpending(instance.spent, call);
  addCall(run.spending, spec.card.name, call);
  return call.price?.costUsd;
}

/** Counts a recorded call for its instance alone, because the agent and the run have counted it already. */
export function recountCall(instance: Instance, model: string, usage: Usage): void {
  instance.spent = addSpending(instance.spent, pricedCall(instance.run.ports, model, usage));
}

export function recordedSpending(ports: Pick<Ports, 'costOf'>, journal: Journal): RunSpending {
  const spending: RunSpending = { whole: nothingSpent, agents: new Map() };
  for (const { agentName, model, usage } of journal.modelCalls)
    addCall(spending, agentName, pricedCall(ports, model, usage));
  return spending;
}

/** Sums what model calls on behalf of an instance's tools used before a crash. */
export function recordedSamples(ports: Pick<Ports, 'costOf'>, calls: Journal['modelCalls']): Spending {
  return calls.reduce((spent, { model, usage }) => addSpending(spent, pricedCall(ports, model, usage)), nothingSpent);
}

function addCall(spending: RunSpending, agentName: string, call: PricedCall): void {
  spending.whole = addSpending(spending.whole, call);
  spending.agents.set(agentName, addSpending(spending.agents.get(agentName) ?? nothingSpent, call));
}

function pricedCall({ costOf }: Pick<Ports, 'costOf'>, model: string, usage: Usage): PricedCall {
  if (!costOf) return { model, usage, price: undefined };
  const costUsd = costOf(usage, model);
  return { model, usage, price: { costUsd: costUsd === undefined ? undefined : roundUsd(costUsd) } };
}
