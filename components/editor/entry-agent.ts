import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { Graph } from '@/lib/graph/graph';

/** The agent a run starts with when nobody names one: the settings' entry, the default card, else the only root. */
export function entryAgent(drawn: ParsedFolder, graph: Graph): string | undefined {
  if (drawn.settings.entry !== undefined) return drawn.settings.entry;
  const runnable = drawn.cards.filter((card) => !card.toolOnly);
  const byDefault = runnable.find((card) => card.isDefault);
  if (byDefault !== undefined) return byDefault.name;
  const targets = new Set(graph.edges.map((edge) => edge.target));
  const roots = runnable.filter((card) => !targets.has(`agent:${card.name}`));
  return roots.length === 1 ? roots[0]?.name : undefined;
}
