import type { CardType } from '@/lib/cards/card';

/** A kind of agent that can be added, in the order in which menus list them. */
export interface AgentKind {
  readonly type: CardType;
  readonly label: string;
  /** What it does, in a few words. */
  readonly hint: string;
  /** The name of a new one. */
  readonly stem: string;
}

/** The workflows and the remote agent. */
export const workflowKinds: readonly AgentKind[] = [
  { type: 'chain', label: 'Chain', hint: 'one after the other', stem: 'chain' },
  { type: 'parallel', label: 'Parallel', hint: 'all at once, answers joined', stem: 'parallel' },
  { type: 'router', label: 'Router', hint: 'a model chooses who answers', stem: 'router' },
  { type: 'evaluator_optimizer', label: 'Evaluator', hint: 'refined until it is good', stem: 'evaluator' },
  { type: 'orchestrator', label: 'Orchestrator', hint: 'plans steps and gives them out', stem: 'orchestrator' },
  { type: 'iterative_planner', label: 'Planner', hint: 'plans one step at a time', stem: 'planner' },
  { type: 'MAKER', label: 'MAKER', hint: 'many samples, one vote', stem: 'maker' },
  { type: 'a2a', label: 'Remote', hint: 'an agent on another server (A2A)', stem: 'remote' },
];

/** Returns the name of a new agent of this type, before a number is added to it. */
export function stemOf(type: CardType): string {
  return workflowKinds.find((kind) => kind.type === type)?.stem ?? 'agent';
}
