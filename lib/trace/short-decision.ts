import { cutText } from '@/lib/base/well-formed';
import type { WorkflowDecision } from '@/lib/runtime/record/decision';

/** UTF-16 units of each text, and items of each list, that the live stream and the fold keep. */
const textUnits = 240;
const listItems = 24;

/** A decision without the rest of its long texts and lists, which are fetched by `seq`. The same for one that is short already. */
export function shortDecision(decision: WorkflowDecision): WorkflowDecision {
  switch (decision.what) {
    case 'route': {
      const { agent, confidence, reasoning, candidates } = decision;
      return {
        ...decision,
        agent: short(agent),
        confidence: short(confidence),
        reasoning: reasoning === undefined ? undefined : short(reasoning),
        candidates: candidates.slice(0, listItems).map(short),
      };
    }
    case 'rating':
      return {
        ...decision,
        rating: short(decision.rating),
        minRating: short(decision.minRating),
        feedback: short(decision.feedback),
        focusAreas: decision.focusAreas.slice(0, listItems).map(short),
      };
    case 'plan':
      return {
        ...decision,
        description: short(decision.description),
        tasks: decision.tasks
          .slice(0, listItems)
          .map(({ agent, description }) => ({ agent: short(agent), description: short(description) })),
      };
    case 'vote': {
      const { answer, discarded } = decision;
      return { ...decision, answer: short(answer), discarded: discarded === undefined ? undefined : short(discarded) };
    }
    case 'votes':
      return {
        ...decision,
        votes: decision.votes.slice(0, listItems).map(({ answer, count }) => ({ answer: short(answer), count })),
      };
    case 'remote_task': {
      const { taskId, contextId, state } = decision;
      return {
        ...decision,
        taskId: short(taskId),
        contextId: contextId === undefined ? undefined : short(contextId),
        state: short(state),
      };
    }
    case 'plan_end':
      return decision;
    default:
      return decision satisfies never;
  }
}

function short(text: string): string {
  return text.length <= textUnits ? text : `${cutText(text, textUnits - 1)}…`;
}
