import { z } from 'zod';
import { type JsonObject, parseJson } from '@/lib/base/json';

export const ratings = ['POOR', 'FAIR', 'GOOD', 'EXCELLENT'] as const;

export type Rating = (typeof ratings)[number];

/** What an evaluator says of an answer. */
export interface Evaluation {
  readonly rating: Rating;
  readonly feedback: string;
  readonly needsImprovement: boolean;
  readonly focusAreas: readonly string[];
}

/** The schema that an evaluator's answer must fit. The names are those of fast-agent, which prompts of users may use. */
export const evaluationSchema: JsonObject = {
  type: 'object',
  properties: {
    rating: {
      type: 'string',
      enum: [...ratings],
      description:
        'POOR: needs much work. FAIR: needs several improvements. GOOD: could be better in details. EXCELLENT: nothing to improve.',
    },
    feedback: { type: 'string', description: 'What is good and what should change, specific enough to act on' },
    needs_improvement: { type: 'boolean', description: 'True if the answer should be improved further' },
    focus_areas: {
      type: 'array',
      items: { type: 'string' },
      description: 'What the next attempt should look at first',
    },
  },
  required: ['rating', 'feedback', 'needs_improvement'],
};

const evaluation = z.object({
  rating: z.enum(ratings),
  feedback: z.string(),
  needs_improvement: z.boolean(),
  focus_areas: z.array(z.string()).nullish(),
});

/** Reads an answer that was checked against `evaluationSchema`; `undefined` for any other text. */
export function readEvaluation(text: string): Evaluation | undefined {
  const read = evaluation.safeParse(parseJson(text));
  if (!read.success) return undefined;
  const { rating, feedback, needs_improvement, focus_areas } = read.data;
  return { rating, feedback, needsImprovement: needs_improvement, focusAreas: focus_areas ?? [] };
}

export function isAtLeast(rating: Rating, minimum: string): boolean {
  // The checker refuses other words, and the card then has the default.
  const words: readonly string[] = ratings;
  return ratings.indexOf(rating) >= words.indexOf(minimum);
}

export function isBetter(rating: Rating, than: Rating): boolean {
  return ratings.indexOf(rating) > ratings.indexOf(than);
}

/** The evaluator's message. `instruction`: the card's `refinement_instruction`. */
export function evaluationPrompt(
  instruction: string | undefined,
  asked: { readonly request: string; readonly answer: string; readonly attempt: number },
): string {
  return [
    instruction ?? 'Judge the quality of an answer.',
    `Below are a request and attempt ${asked.attempt} to answer it. Rate how well the answer serves the request, and say what would make it better.`,
    `<fastagent:request>\n${asked.request}\n</fastagent:request>`,
    `<fastagent:response>\n${asked.answer}\n</fastagent:response>`,
  ].join('\n\n');
}

/** The generator's message for its next attempt. */
export function refinementPrompt(
  instruction: string | undefined,
  asked: { readonly request: string; readonly answer: string; readonly attempt: number },
  { rating, feedback, focusAreas }: Evaluation,
): string {
  const areas = focusAreas.length > 0 ? focusAreas.map((area) => `- ${area}`).join('\n') : '- none named';
  return [
    `Improve your earlier answer. This is refinement ${asked.attempt}.`,
    ...(instruction === undefined ? [] : [instruction]),
    `<fastagent:request>\n${asked.request}\n</fastagent:request>`,
    `<fastagent:previous-response>\n${asked.answer}\n</fastagent:previous-response>`,
    `<fastagent:evaluation rating="${rating}">\n${feedback}\n</fastagent:evaluation>`,
    `<fastagent:focus-areas>\n${areas}\n</fastagent:focus-areas>`,
    'Act on every point of the evaluation, and first of all on the focus areas. Keep what is good, and stay true to the request. Answer with the whole improved text and nothing about it.',
  ].join('\n\n');
}
