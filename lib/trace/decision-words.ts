import type { WorkflowDecision } from '@/lib/runtime/record/decision';

/** Returns a decision as one short sentence, for marks of the timeline and rows of the history. */
export function decisionWords(decision: WorkflowDecision): string {
  switch (decision.what) {
    case 'route':
      return `Chose ${decision.agent}${decision.confidence === '' ? '' : ` (confidence ${decision.confidence})`}`;
    case 'rating':
      return `Rated attempt ${decision.attempt}: ${decision.rating}, ${ratingOutcomes[decision.outcome]}`;
    case 'plan':
      return decision.isComplete
        ? 'Planned nothing more: the objective is met'
        : `Planned step ${decision.iteration}: ${count(decision.tasks.length, 'task')}`;
    case 'plan_end':
      return decision.reason === 'complete'
        ? `Ended the plan after ${count(decision.steps, 'step')}: complete`
        : `Ended the plan after ${count(decision.steps, 'step')}: the limit of iterations`;
    case 'vote':
      return decision.discarded === undefined
        ? `Counted sample ${decision.sample}: ${count(decision.votes, 'vote')} for its answer, the lead is ${decision.margin}`
        : `Left out sample ${decision.sample}: ${decision.discarded}`;
    case 'votes':
      return decision.outcome === 'won'
        ? `The answer led by ${decision.margin} after ${count(decision.samples, 'sample')}`
        : `No answer led by ${decision.k} after ${count(decision.samples, 'sample')}: took the one with most votes`;
    case 'remote_task':
      return `Remote task ${decision.taskId}: ${decision.state}`;
    default:
      return decision satisfies never;
  }
}

/** Returns the text that explains a decision: a reason, feedback, an answer. `undefined` if it has none. */
export function decisionReason(decision: WorkflowDecision): string | undefined {
  switch (decision.what) {
    case 'route':
      return decision.reasoning || undefined;
    case 'rating':
      return decision.feedback || undefined;
    case 'plan':
      return (
        [decision.description, ...decision.tasks.map(({ agent, description }) => `${agent}: ${description}`)]
          .filter((text) => text !== '')
          .join('\n') || undefined
      );
    case 'vote':
      return decision.answer || undefined;
    case 'votes':
      return (
        decision.votes.map(({ answer, count: votes }) => `${count(votes, 'vote')}: ${answer}`).join('\n') || undefined
      );
    case 'plan_end':
    case 'remote_task':
      return undefined;
    default:
      return decision satisfies never;
  }
}

const ratingOutcomes = {
  accepted: 'accepted',
  refine: 'to be refined',
  limit: 'no refinement left',
};

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
