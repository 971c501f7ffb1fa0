import { addUsage, noUsage, tokens, type Usage } from '@/lib/runtime/record/messages';
import { addLaneCost, type Cost, isUsed, nameWithPrice, noCost, usageOf } from './cost';
import type { Trace } from './trace';

/** What the model calls of an agent or an instance used. */
export interface UsageRow {
  /** The name of an agent, or the path of an instance. */
  readonly key: string;
  readonly usage: Usage;
  readonly cost: Cost;
}

/** Returns totals per agent, most tokens first. Each model call is counted once, for the instance that made it. */
export function usageByTemplate(trace: Trace): readonly UsageRow[] {
  const rows = new Map<string, UsageRow>();
  for (const lane of trace.lanes) {
    const before = rows.get(lane.agentName);
    rows.set(lane.agentName, {
      key: lane.agentName,
      usage: addUsage(before?.usage ?? noUsage, lane.usage),
      cost: addLaneCost(before?.cost ?? noCost, lane, trace.run.askedAs),
    });
  }
  return [...rows.values()].sort((a, b) => tokens(b.usage) - tokens(a.usage) || (a.key < b.key ? -1 : 1));
}

/** Returns one row per instance, in the order of the given lanes. */
export function usageByInstance(trace: Trace, lanes: Iterable<number>): readonly UsageRow[] {
  const rows: UsageRow[] = [];
  for (const index of lanes) {
    const lane = trace.lanes[index];
    if (lane === undefined) continue;
    rows.push({ key: lane.path, usage: lane.usage, cost: addLaneCost(noCost, lane, trace.run.askedAs) });
  }
  return rows;
}

/**
 * Returns what was used of each model by the name that its calls have, with the name under which its price is found. Model
 * calls that a tool asked for count for their own model.
 */
export function usageByModelName(
  trace: Trace,
): Readonly<Record<string, { readonly usage: Usage; readonly priced: string }>> {
  const byName = new Map<string, Usage>();
  for (const [model, usage] of trace.lanes.flatMap(usageOf)) {
    if (isUsed(usage)) byName.set(model, addUsage(byName.get(model) ?? noUsage, usage));
  }
  return Object.fromEntries(
    [...byName].map(([model, usage]) => [model, { usage, priced: nameWithPrice(model, trace.run.askedAs) }]),
  );
}
