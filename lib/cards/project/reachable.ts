import { agentView } from '@/lib/cards/agent-view';
import type { Card } from '@/lib/cards/card';
import { membersOf } from '@/lib/cards/read/members';
import type { Settings } from '@/lib/cards/settings';
import { workerPolicy } from '@/lib/cards/worker-policy';

/** Returns the entry and every agent it delegates to, as a child or as a worker, directly or not. */
export function reachableFrom(
  entry: Card,
  cards: ReadonlyMap<string, Card>,
  settings: Settings,
): ReadonlyMap<string, Card> {
  const reached = new Map([[entry.name, entry]]);
  for (const card of reached.values()) {
    for (const name of calledBy(card, cards.keys(), settings)) {
      const child = cards.get(name);
      if (child && !reached.has(name)) reached.set(name, child);
    }
  }
  return reached;
}

/** Returns the names of the agents that a card may call: children, steps of a workflow, and workers. `agents` are all names of the project. */
export function calledBy(card: Card, agents: Iterable<string>, settings: Settings): readonly string[] {
  const { callable, tools, onlyAsTools } = workerPolicy(agentView(card), agents, settings);
  return [...membersOf(card), ...callable, ...tools, ...onlyAsTools];
}
