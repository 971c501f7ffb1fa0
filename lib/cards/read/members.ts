import type { Card } from '@/lib/cards/card';

/** Returns the agents that a card names: its children or steps, as written, in order. */
export function membersOf(card: Card): readonly string[] {
  switch (card.type) {
    case 'agent':
    case 'router':
    case 'orchestrator':
    case 'iterative_planner':
      return card.agents;
    case 'chain':
      return card.sequence;
    case 'parallel':
      return card.fanIn === undefined ? card.fanOut : [...card.fanOut, card.fanIn];
    case 'evaluator_optimizer':
      return [card.generator, card.evaluator];
    case 'MAKER':
      return [card.worker];
    case 'a2a':
      return [];
  }
}
