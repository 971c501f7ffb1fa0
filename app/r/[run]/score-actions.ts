'use server';

import { z } from 'zod';
import { action } from '@/app/action';
import { runId } from '@/app/api/run-id';
import { scoreBody } from '@/app/api/score-bodies';
import { giveScore, listScores, removeScore } from '@/lib/server/scores';

const run = z.string();

/** Scores a run or a span, and returns all scores of the run. */
export const score = action(z.strictObject({ run, said: scoreBody }), async ({ run, said }, actor) => {
  const id = runId({ run });
  await giveScore(actor, id, said);
  return await listScores(actor, id);
});

/** Deletes a score, and returns those that are left. */
export const unscore = action(z.strictObject({ run, score: z.string().max(64) }), async ({ run, score }, actor) => {
  const id = runId({ run });
  await removeScore(actor, id, score);
  return await listScores(actor, id);
});
