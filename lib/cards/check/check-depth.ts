import type { Issue } from '@/lib/base/issue';
import { oncePer } from '@/lib/base/once-per';
import { delegationOptions } from '@/lib/cards/delegation-settings';
import type { CardReading } from '@/lib/cards/read/read-card';
import type { Settings } from '@/lib/cards/settings';
import { issueAt } from './check-references';

const defaultMaxDepth = 5;

/**
 * Warns about children that are nested deeper than the limit allows. Walks level by level from the agents without a parent
 * (depth 0), so a cycle, which has its own issue, is visited at most once per level.
 */
export function checkDepth(cards: readonly CardReading[], settings: Settings): Issue[] {
  const maxDepth = settings.limits.max_depth ?? defaultMaxDepth;
  const byName = new Map<string, CardReading>();
  for (const reading of cards) if (!byName.has(reading.name)) byName.set(reading.name, reading);
  const delegated = new Set([...byName.values()].flatMap((reading) => childrenOf(reading).map(({ target }) => target)));
  let level = [...byName.values()].filter(({ name }) => !delegated.has(name));
  for (let depth = 0; depth < maxDepth && level.length > 0; depth++) {
    const next = new Set<CardReading>();
    for (const reading of level) {
      for (const { target } of childrenOf(reading)) {
        const child = byName.get(target);
        if (child !== undefined) next.add(child);
      }
    }
    level = [...next];
  }
  return level.flatMap((reading) =>
    childrenOf(reading).flatMap((reference) => {
      // A recursive delegation ends at the limit by design.
      if (delegationOptions(settings, reading.name, reference.target).recursive) return [];
      return [depthIssue(reading, reference, maxDepth)];
    }),
  );
}

type ChildReference = ReturnType<typeof childrenOf>[number];

/** The issues of references still in use. There may be one for each edge of a graph, and the next reading has the same ones. */
const made = new WeakMap<ChildReference, { readonly maxDepth: number; readonly issue: Issue }>();

function depthIssue(reading: CardReading, reference: ChildReference, maxDepth: number): Issue {
  const known = made.get(reference);
  if (known?.maxDepth === maxDepth) return known.issue;
  const text = `Child '${reference.target}' would run at depth ${maxDepth + 1}; the limit is ${maxDepth}. Raise limits.max_depth in callboard.yaml or flatten the graph.`;
  const issue = issueAt('delegation-depth', reading, reference, text);
  made.set(reference, { maxDepth, issue });
  return issue;
}

const childrenOf = oncePer(({ references }: CardReading) =>
  references.flatMap((reference) => (reference.kind === 'agent' ? [reference] : [])),
);
