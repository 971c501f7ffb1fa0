import type { WorkflowDecision } from '@/lib/runtime/record/decision';
import type { Paint } from './palette';

/** The shape of a mark says what was decided, and its colour how it came out. */
export interface DecisionLook {
  readonly shape: MarkShape;
  readonly paint: Paint;
  /** A word or two that stand beside the mark where there is room. */
  readonly tag: string;
}

export type MarkShape = 'diamond' | 'star' | 'list' | 'flag' | 'dot' | 'barred' | 'columns' | 'globe';

export function decisionLook(decision: WorkflowDecision): DecisionLook {
  switch (decision.what) {
    case 'route':
      return { shape: 'diamond', paint: 'accent', tag: decision.agent };
    case 'rating':
      return { shape: 'star', paint: ratingPaints[decision.outcome], tag: decision.rating };
    case 'plan':
      return { shape: 'list', paint: 'accent', tag: planTag(decision.tasks.length, decision.isComplete) };
    case 'plan_end':
      return decision.reason === 'complete'
        ? { shape: 'flag', paint: 'ok', tag: 'complete' }
        : { shape: 'flag', paint: 'warn', tag: 'limit' };
    case 'vote':
      return decision.discarded === undefined
        ? { shape: 'dot', paint: 'accent', tag: `lead ${decision.margin}` }
        : { shape: 'barred', paint: 'bad', tag: 'left out' };
    case 'votes':
      return decision.outcome === 'won'
        ? { shape: 'columns', paint: 'ok', tag: `won by ${decision.margin}` }
        : { shape: 'columns', paint: 'warn', tag: 'no lead' };
    case 'remote_task':
      return { shape: 'globe', paint: 'mcp', tag: decision.state };
    default:
      return decision satisfies never;
  }
}

const ratingPaints = { accepted: 'ok', refine: 'warn', limit: 'bad' } as const;

function planTag(tasks: number, isComplete: boolean): string {
  if (isComplete && tasks === 0) return 'nothing more';
  return tasks === 1 ? '1 task' : `${tasks} tasks`;
}

/** Of several decisions in one mark, the one with the highest rank is shown and selected; of equals, the latest. */
export function decisionRank(decision: WorkflowDecision): number {
  // A sample that is left out must not stand for those that count.
  return decision.what === 'vote' && decision.discarded !== undefined ? -1 : ranks[decision.what];
}

const ranks: Readonly<Record<WorkflowDecision['what'], number>> = {
  vote: 0,
  remote_task: 1,
  route: 2,
  rating: 2,
  plan: 2,
  plan_end: 3,
  votes: 4,
};
