import type { Json, JsonObject } from '@/lib/base/json';
import type { SpanFields } from './span-fields';

/** Returns a decision of a workflow. Without texts, its reasons, answers and tasks are empty. */
export function decisionOf(fields: SpanFields): Json {
  return fields.json('callboard.decision') ?? withoutWords(fields);
}

/** The inverse of `decisionAttributes` in `lib/trace/otel-decisions.ts`. */
function withoutWords(fields: SpanFields): JsonObject {
  const of = (name: string): Json => fields.value(`callboard.decision.${name}`) ?? null;
  const maybe = (name: string, as: string): JsonObject =>
    fields.has(`callboard.decision.${name}`) ? { [as]: of(name) } : {};
  const agents = fields.list('callboard.decision.agents') ?? [];
  const what = of('what');
  switch (what) {
    case 'route':
      return { what, agent: of('agent'), confidence: of('confidence'), candidates: of('candidates') };
    case 'rating':
      return {
        ...{ what, attempt: of('attempt'), rating: of('rating'), minRating: of('min_rating'), outcome: of('outcome') },
        ...{ needsImprovement: of('needs_improvement'), feedback: '', focusAreas: [] },
      };
    case 'plan':
      return {
        ...{ what, iteration: of('iteration'), isComplete: of('is_complete'), description: '' },
        tasks: agents.map((agent) => ({ agent, description: '' })),
      };
    case 'plan_end':
      return { what, reason: of('reason'), steps: of('steps') };
    case 'vote':
      return {
        ...{ what, sample: of('sample'), votes: of('votes'), margin: of('margin'), answer: '' },
        ...maybe('discarded', 'discarded'),
      };
    case 'votes':
      return {
        ...{ what, samples: of('samples'), discarded: of('discarded_samples'), margin: of('margin') },
        ...{ k: of('k'), outcome: of('outcome'), votes: [] },
      };
    default:
      return { what, taskId: of('task_id'), state: of('state'), ...maybe('context_id', 'contextId') };
  }
}
