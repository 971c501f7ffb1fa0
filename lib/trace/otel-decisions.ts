import type { WorkflowDecision } from '@/lib/runtime/record/decision';
import { flag, integer, type OtlpAttribute, text, texts } from './otlp-json';

/** The name of the span event of a decision. The semantic conventions have none. */
export const decisionEvent = 'callboard.decision';

const prefix = 'callboard.decision';

/** Returns what was decided. Reasons, feedback, tasks and answers are left out, as all texts of models are. */
export function decisionAttributes(decision: WorkflowDecision): readonly OtlpAttribute[] {
  const what = text(`${prefix}.what`, decision.what);
  switch (decision.what) {
    case 'route':
      return [
        what,
        text(`${prefix}.agent`, decision.agent),
        text(`${prefix}.confidence`, decision.confidence),
        texts(`${prefix}.candidates`, decision.candidates),
      ];
    case 'rating':
      return [
        what,
        integer(`${prefix}.attempt`, decision.attempt),
        text(`${prefix}.rating`, decision.rating),
        text(`${prefix}.min_rating`, decision.minRating),
        flag(`${prefix}.needs_improvement`, decision.needsImprovement),
        text(`${prefix}.outcome`, decision.outcome),
      ];
    case 'plan':
      return [
        what,
        integer(`${prefix}.iteration`, decision.iteration),
        texts(
          `${prefix}.agents`,
          decision.tasks.map(({ agent }) => agent),
        ),
        flag(`${prefix}.is_complete`, decision.isComplete),
      ];
    case 'plan_end':
      return [what, text(`${prefix}.reason`, decision.reason), integer(`${prefix}.steps`, decision.steps)];
    case 'vote':
      return [
        what,
        integer(`${prefix}.sample`, decision.sample),
        integer(`${prefix}.votes`, decision.votes),
        integer(`${prefix}.margin`, decision.margin),
        ...(decision.discarded === undefined ? [] : [text(`${prefix}.discarded`, decision.discarded)]),
      ];
    case 'votes':
      return [
        what,
        integer(`${prefix}.samples`, decision.samples),
        integer(`${prefix}.discarded_samples`, decision.discarded),
        integer(`${prefix}.margin`, decision.margin),
        integer(`${prefix}.k`, decision.k),
        text(`${prefix}.outcome`, decision.outcome),
      ];
    case 'remote_task':
      return [
        what,
        text(`${prefix}.task_id`, decision.taskId),
        ...(decision.contextId === undefined ? [] : [text(`${prefix}.context_id`, decision.contextId)]),
        text(`${prefix}.state`, decision.state),
      ];
    default:
      return decision satisfies never;
  }
}
