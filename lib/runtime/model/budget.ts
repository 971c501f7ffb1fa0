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
import { allowedOf, askForMore, type BudgetLimit } from './more-budget';

/**
 * Stops the run when the budget of its project is spent, or its own limit of tokens or cost is reached; for the latter it asks a person
 * for more where the settings say so. It is called before each model call. Calls in flight are not aborted, so a run may exceed a
 * limit by what they use. Warns once about each model without a known price. When it returns a promise, the caller looks at the scope
 * again after it.
 */
export function checkBudget(instance: Instance, model: string): Promise<void> | undefined {
  const asked = instance.run.scope.reason ? undefined : instance.run.ports.findSpentBudget?.();
  return asked === undefined ? checkLimits(instance, model) : checkBoth(instance, model, asked);
}

async function checkBoth(instance: Instance, model: string, asked: Promise<string | undefined>): Promise<void> {
  const { run, scope } = instance;
  const spent = await scope.race(asked, () => undefined);
  if (scope.reason) return;
  if (spent === undefined) await checkLimits(instance, model);
  else run.stop('over_budget', spent);
}

function checkLimits(instance: Instance, model: string): Promise<void> | undefined {
  const { run } = instance;
  const spent = spentLimit(run);
  if (spent && run.limits.whenSpent === 'ask' && run.ports.people && !run.scope.reason) {
    return askFirst(instance, model, spent);
  }
  if (spent) stopFor(run, spent.limit);
  if (run.limits.maxCostUsd === undefined) return undefined;
  if (run.scope.reason || run.ports.costOf?.(noUsage, model) !== undefined) return undefined;
  const message = `The price of model '${model}' is not known: 'limits.max_cost_usd' cannot count what it costs. Set 'limits.max_tokens' too.`;
  run.log({ level: 'warning', code: 'cost_unknown', message });
  return undefined;
}

async function askFirst(instance: Instance, model: string, { limit, value }: SpentLimit): Promise<void> {
  const { run, scope } = instance;
  // Another instance may be the one that asks. The time limits of this one stop too.
  const unpark = scope.park();
  const isRaised = await scope.race(askForMore(instance, limit, value), () => false).finally(unpark);
  if (scope.reason || run.scope.reason) return;
  if (!isRaised) stopFor(run, limit);
  // The other limit may be reached too, and what was added may be less than what was spent.
  else await checkLimits(instance, model);
}

interface SpentLimit {
  readonly limit: BudgetLimit;
  readonly value: number;
}

/** Returns the limit that the run has reached, with what it has spent. */
function spentLimit(run: Run): SpentLimit | undefined {
  const { usage, costUsd = 0 } = run.spending.whole;
  const tokens = usage.inputTokens + usage.outputTokens;
  if (tokens >= (allowedOf(run, 'max_tokens') ?? Number.POSITIVE_INFINITY))
    return { limit: 'max_tokens', value: tokens };
  return costUsd >= (allowedOf(run, 'max_cost_usd') ?? Number.POSITIVE_INFINITY)
    ? { limit: 'max_cost_usd', value: costUsd }
    : undefined;
}

function stopFor(run: Run, limit: BudgetLimit): void {
  if (limit === 'max_tokens') run.stop('max_tokens', maxTokensMessage(run));
  else run.stop('max_cost', maxCostMessage(run));
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
