import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { type RunParams, runId } from '@/app/api/run-id';
import { scoreBody } from '@/app/api/score-bodies';
import { giveScore, listScores } from '@/lib/server/scores';

/** Lists the scores of the run and of its spans, oldest first. */
export const GET = respond<RunParams>(async (_request, params, actor) => ({
  scores: await listScores(actor, runId(params)),
}));

/** Scores the run or a span: `{span, name, value, note}`. It replaces what the same author said under this name. */
export const POST = respond<RunParams>(async (request, params, actor) => {
  const score = await giveScore(actor, runId(params), await readJson(request, scoreBody));
  return Response.json(score, { status: 201 });
});
