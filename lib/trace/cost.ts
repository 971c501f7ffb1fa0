import { addUsage, noUsage, type RecordedCost, type Usage } from '@/lib/runtime/record/messages';
import type { Price } from './own-prices';
import { ownPriceOf, priceOf } from './price-list';
import type { Lane, RunFacts, Trace } from './trace';

/** A cost as far as it is known: the sum of all prices, and the models without a price. */
export interface Cost {
  readonly usd: number;
  readonly unpriced: readonly string[];
}

export const noCost: Cost = { usd: 0, unpriced: [] };

/** Models that answer inside Callboard and cost nothing. */
const free = new Set(['script', 'passthrough', 'playback', 'slow', 'silent']);

/**
 * Returns the US dollars of some usage of a model. The model is named as in cards, such as `openai.gpt-4o?temperature=0` or
 * `anthropic/claude-opus-4-5`, or by its bare name. Returns `undefined` when its price is not known. The price is the
 * operator's, or that of lib/trace/prices.md.
 */
export function costOf(usage: Usage, model: string): number | undefined {
  const name = nameIn(model);
  if (free.has(name.replace(/:.*$/, ''))) return 0;
  const price = priceOf(name);
  if (price === undefined) return undefined;
  const { input, output, ...kinds } = withoutRecorded(usage);
  const cached = Math.min(kinds.cached, input);
  const written = Math.min(kinds.written, input - cached);
  const fresh = input - cached - written;
  const kept = cached * (price.cached_input ?? price.input) + written * (price.cache_write ?? price.input);
  return (fresh * price.input + kept + output * price.output) / 1_000_000;
}

/** Returns the tokens whose cost the source does not have. */
function withoutRecorded({ recorded, ...usage }: Usage) {
  return {
    input: usage.inputTokens - (recorded?.inputTokens ?? 0),
    output: usage.outputTokens - (recorded?.outputTokens ?? 0),
    cached: usage.cachedInputTokens - (recorded?.cachedInputTokens ?? 0),
    written: (usage.cacheWriteTokens ?? 0) - (recorded?.cacheWriteTokens ?? 0),
  };
}

/** Returns the price of a model, which is named as in `costOf`; `undefined` if it is not known. */
export function priceOfModel(model: string): Price | undefined {
  return priceOf(nameIn(model));
}

/** Returns a model string without its settings. */
function nameIn(model: string): string {
  return model.replace(/\?.*$/, '').trim();
}

/**
 * Maps provider names of OpenTelemetry's conventions, which events use, to those of the list of prices where they differ.
 */
const priceProviders: Readonly<Record<string, string>> = {
  'gcp.gemini': 'google',
  moonshot_ai: 'moonshot',
  x_ai: 'xai',
};

/** Returns `provider/name` of a model from the provider and the name in `model.started`. */
export function pricedName(provider: string, modelName: string): string {
  return `${priceProviders[provider] ?? provider}/${modelName}`;
}

/**
 * Returns the name under which a price is looked up. A short name without a price (`sonnet`), or one for whose model the operator
 * has set a price, is replaced by the name in its requests.
 */
export function nameWithPrice(model: string, askedAs: AskedAs): string {
  const asked = Object.hasOwn(askedAs, model) ? askedAs[model] : undefined;
  if (asked === undefined || ownPriceOf(nameIn(model)) !== undefined) return model;
  if (ownPriceOf(asked) !== undefined) return asked;
  if (costOf(noUsage, model) !== undefined) return model;
  return costOf(noUsage, asked) === undefined ? model : asked;
}

/** `RunFacts` in ./trace describes it. */
export type AskedAs = RunFacts['askedAs'];

/**
 * Adds the cost of some usage. A cost that its source recorded comes before prices. Empty usage costs nothing, even without a
 * price.
 */
export function addCost(before: Cost, usage: Usage, model: string): Cost {
  const cost = usage.recorded === undefined ? before : { ...before, usd: before.usd + usage.recorded.usd };
  const { input, output } = withoutRecorded(usage);
  if (input + output === 0) return cost;
  const usd = costOf(usage, model);
  if (usd !== undefined) return { ...cost, usd: cost.usd + usd };
  return cost.unpriced.includes(model) ? cost : { ...cost, unpriced: [...cost.unpriced, model] };
}

type UsedBy = Pick<Lane, 'model' | 'usage' | 'askedUsage'>;

/** Returns the usage of an instance by model: of its own model, and of the others that its calls asked. */
export function usageOf({ model, usage, askedUsage }: UsedBy): readonly (readonly [model: string, usage: Usage])[] {
  if (askedUsage === undefined) return [[model, usage]];
  const asked = Object.entries(askedUsage);
  const own = asked.reduce((rest, [, used]) => addUsage(rest, negative(used)), usage);
  return [[model, withoutResidue(own)], ...asked];
}

/** US dollars that are no cost: what is left of costs that were added and taken off in another order. */
const residue = 1e-9;

function withoutResidue(usage: Usage): Usage {
  const { recorded, ...others } = usage;
  if (recorded === undefined || Math.abs(recorded.usd) > residue || recorded.inputTokens + recorded.outputTokens !== 0)
    return usage;
  return others;
}

function negative(usage: Usage): Usage {
  return {
    inputTokens: -usage.inputTokens,
    outputTokens: -usage.outputTokens,
    cachedInputTokens: -usage.cachedInputTokens,
    reasoningTokens: -usage.reasoningTokens,
    modelCalls: -usage.modelCalls,
    ...(usage.cacheWriteTokens !== undefined && { cacheWriteTokens: -usage.cacheWriteTokens }),
    ...(usage.recorded !== undefined && { recorded: negativeCost(usage.recorded) }),
  };
}

function negativeCost(recorded: RecordedCost): RecordedCost {
  return {
    usd: -recorded.usd,
    inputTokens: -recorded.inputTokens,
    outputTokens: -recorded.outputTokens,
    cachedInputTokens: -recorded.cachedInputTokens,
    cacheWriteTokens: -recorded.cacheWriteTokens,
  };
}

/** True if there is anything to show or to price. */
export function isUsed({ modelCalls, inputTokens, outputTokens, recorded }: Usage): boolean {
  return modelCalls > 0 || inputTokens + outputTokens > 0 || (recorded?.usd ?? 0) > 0;
}

/** Adds what an instance's own model calls cost, each at the price of its model. */
export function addLaneCost(cost: Cost, lane: UsedBy, askedAs: AskedAs): Cost {
  return usageOf(lane).reduce((sum, [model, usage]) => addCost(sum, usage, nameWithPrice(model, askedAs)), cost);
}

export type ModelUsage = Readonly<Record<string, Usage>>;

/**
 * Returns what a run used of each model, children included. A short name without a price is listed under the name in its
 * requests.
 */
export function usageByModel(trace: Trace): ModelUsage {
  const byName = new Map<string, Usage>();
  for (const [model, usage] of trace.lanes.flatMap(usageOf)) {
    const name = nameWithPrice(model, trace.run.askedAs);
    if (isUsed(usage)) byName.set(name, addUsage(byName.get(name) ?? noUsage, usage));
  }
  return Object.fromEntries(byName);
}

export function costOfModels(usage: ModelUsage): Cost {
  return Object.entries(usage).reduce((cost, [model, used]) => addCost(cost, used, model), noCost);
}

/** Writes a cost: `$0.0042`, `≥ $1.20` when a part has no price, `Price unknown` when nothing has one. */
export function formatCost({ usd, unpriced }: Cost): string {
  if (unpriced.length > 0 && usd === 0) return 'Price unknown';
  return `${unpriced.length > 0 ? '≥ ' : ''}${formatUsd(usd)}`;
}

function formatUsd(usd: number): string {
  if (usd === 0) return '$0';
  if (usd < 0.0001) return '< $0.0001';
  return `$${usd < 0.1 ? Number(usd.toPrecision(2)).toFixed(usd < 0.01 ? 4 : 3) : usd.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

/** Returns what a run cost by the usage of its models. A scripted run costs nothing. */
export function costOfRun({
  scripted,
  modelUsage,
}: {
  readonly scripted: boolean;
  readonly modelUsage: ModelUsage;
}): Cost {
  return scripted ? noCost : costOfModels(modelUsage);
}
