import { agentView } from '@/lib/cards/agent-view';
import type { Card } from '@/lib/cards/card';
import { membersOf } from '@/lib/cards/read/members';
import type { Settings } from '@/lib/cards/settings';
import { workerPolicy } from '@/lib/cards/worker-policy';

/** Returns the agents to which a card may delegate: children, steps, workers, and itself, as options for its own worker. */
export function reachedBy(settings: Settings, card: Card, agents: Iterable<string>): ReadonlySet<string> {
  const { callable, tools, onlyAsTools } = workerPolicy(agentView(card), agents, settings);
  return new Set([...membersOf(card), ...callable, ...tools, ...onlyAsTools]);
}
