import { addUsage, noUsage, type Usage } from './messages';

/** What model calls cost, as far as prices are known. */
export interface KnownCost {
  /** US dollars of the calls whose price is known; absent when no price is known. */
  readonly costUsd?: number;
  /** Models that were used and have no known price. The cost is then at least `costUsd`. */
  readonly unpriced?: readonly string[];
}

/** Tokens and cost of some model calls. */
export interface Spending extends KnownCost {
  readonly usage: Usage;
}

/** What all model calls of a run used and cost. */
export interface RunSpending {
  whole: Spending;
  /** By agent name, in the order of their first calls. */
  readonly agents: Map<string, Spending>;
}

export const nothingSpent: Spending = { usage: noUsage };

export interface PricedCall {
  readonly model: string;
  readonly usage: Usage;
  /** `undefined` when there is no list of prices. */
  readonly price: { readonly costUsd: number | undefined } | undefined;
}

/** Adds a call. A call without usage costs nothing, even if its price is unknown. */
export function addSpending(spent: Spending, { model, usage, price }: PricedCall): Spending {
  const sum = { ...spent, usage: addUsage(spent.usage, usage) };
  if (!price) return sum;
  const { costUsd } = price;
  if (costUsd !== undefined) return { ...sum, costUsd: roundUsd((spent.costUsd ?? 0) + costUsd) };
  if (usage.inputTokens + usage.outputTokens === 0 || spent.unpriced?.includes(model)) return sum;
  return { ...sum, unpriced: [...(spent.unpriced ?? []), model] };
}

export function costOfSpending({ costUsd, unpriced }: Spending): KnownCost {
  return { costUsd, unpriced };
}

/** Removes floating-point noise. Nothing real is lost, because a token costs more than a ten-billionth of a dollar. */
export function roundUsd(usd: number): number {
  return Number(usd.toFixed(10));
}
