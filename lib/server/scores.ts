import type { Actor } from '@/lib/base/actor';
import type { RunId } from '@/lib/base/ids';
import { rightsIn } from '@/lib/base/rights';
import type { NewScore, Score } from '@/lib/base/score';
import { noRun } from '@/lib/store/not-found';
import { projectOf } from '@/lib/store/owners';
import { deleteScore, findScores, saveScore } from '@/lib/store/scores';
import { withStore, withStoreOnce } from './services';

/** Lists the scores of a run and of its spans, oldest first. A share link shows none. Throws AppError `not_found`. */
export async function listScores(actor: Actor, run: RunId): Promise<readonly Score[]> {
  return await withStore(actor, 'score.read', { run }, async (store) => {
    if ((await projectOf(store, 'Run', run)) === undefined) throw noRun();
    return await findScores(store, run);
  });
}

/**
 * Keeps what the actor thinks of a run or a span, in place of what the actor said under this name before. Throws AppError `not_found`,
 * `not_allowed` and `too_many`.
 */
export async function giveScore(actor: Actor, run: RunId, score: NewScore): Promise<Score> {
  return await withStoreOnce(actor, 'score.write', { run }, ({ store }) => saveScore(store, run, score, actor));
}

/** Deletes a score: authors their own, admins of the project any. Throws AppError `not_found` and `not_allowed`. */
export async function removeScore(actor: Actor, run: RunId, id: string): Promise<void> {
  await withStoreOnce(actor, 'score.write', { run }, async ({ store }) => {
    const project = await projectOf(store, 'Run', run);
    if (project === undefined || project === null) throw noRun();
    await deleteScore(store, run, id, actor, rightsIn(actor.reach, project).has('manage'));
  });
}
