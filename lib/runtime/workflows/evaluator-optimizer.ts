import { err, ok, type Result } from '@/lib/base/result';
import type { EvaluatorOptimizerCard } from '@/lib/cards/card';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { RunError } from '@/lib/runtime/record/events';
import { decide } from './decide';
import {
  type Evaluation,
  evaluationPrompt,
  evaluationSchema,
  isAtLeast,
  isBetter,
  type Rating,
  readEvaluation,
  refinementPrompt,
} from './evaluation';
import { ownRequest } from './request';
import { runStep } from './steps';

/**
 * The generator answers, the evaluator rates, and the generator tries again with what it said, until the rating is good enough,
 * the evaluator wants no improvement, or `max_refinements` were made (evaluator_optimizer.py).
 *
 *   request ▶ generator ▶ answer ▶ evaluator ──good enough──▶ answer
 *                ▲                    │
 *                └────── feedback ────┘      at most `max_refinements` times; then the best answer
 */
export async function runEvaluatorOptimizer(
  instance: Instance,
  card: EvaluatorOptimizerCard,
): Promise<Result<string, RunError>> {
  const { generator, minRating, maxRefinements, refinementInstruction } = card;
  const own = ownRequest(instance);
  const request = own.text;
  let answer = await runStep(instance, { agent: generator, ...own, isLast: true });
  let best: { readonly rating: Rating; readonly answer: string } | undefined;
  for (let attempt = 1; ; attempt += 1) {
    if (!answer.ok) return answer;
    const asked = { request, answer: answer.value, attempt };
    const evaluation = await evaluate(instance, card, asked);
    if (!evaluation.ok) return evaluation;
    const { rating, feedback, needsImprovement, focusAreas } = evaluation.value;
    const isAccepted = !needsImprovement || isAtLeast(rating, minRating);
    const outcome = isAccepted ? 'accepted' : attempt > maxRefinements ? 'limit' : 'refine';
    decide(instance, { what: 'rating', attempt, rating, feedback, focusAreas, needsImprovement, minRating, outcome });
    // Of equal ratings the first counts. Without need for improvement the present answer is taken whatever its rating.
    if (!best || isBetter(rating, best.rating) || !needsImprovement) best = { rating, answer: answer.value };
    if (outcome !== 'refine') return ok(best.answer);
    const text = refinementPrompt(refinementInstruction, asked, evaluation.value);
    answer = await runStep(instance, { agent: generator, text, isLast: true });
  }
}

/** An evaluator that does not rate is an error, where fast-agent takes its answer for POOR. */
async function evaluate(
  instance: Instance,
  { evaluator, refinementInstruction }: EvaluatorOptimizerCard,
  asked: { readonly request: string; readonly answer: string; readonly attempt: number },
): Promise<Result<Evaluation, RunError>> {
  const text = evaluationPrompt(refinementInstruction, asked);
  const answer = await runStep(instance, { agent: evaluator, text, outputSchema: evaluationSchema });
  if (!answer.ok) return answer;
  const evaluation = readEvaluation(answer.value);
  if (evaluation) return ok(evaluation);
  const message = `'${instance.spec.card.name}' ended because '${evaluator}' gave no rating: a hook has replaced its answer. Let the hook keep the answer's JSON.`;
  return err({ code: 'step_failed', message });
}
