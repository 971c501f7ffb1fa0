import { projectId } from '@/app/api/project-id';
import { respond } from '@/app/api/respond';
import { type ReviewParams, reviewNumber } from '@/app/api/review-bodies';
import { readReviewChanges } from '@/lib/server/review-changes';

/** Says what the newest version of a review changes: in power, part by part, and in its files. */
export const GET = respond<ReviewParams>(async (_request, params, actor) => {
  const { against, moved, capabilities, groups, files } = await readReviewChanges(
    actor,
    projectId(params),
    reviewNumber(params),
  );
  return {
    against: against ?? null,
    moved: moved === undefined ? null : { ...moved, from: moved.from ?? null },
    capabilities,
    groups: groups.map(({ title, rows }) => ({
      title,
      rows: rows.map(({ change, words, details, anchor }) => ({
        change,
        words,
        details: details.map(({ words: told }) => told),
        anchor,
      })),
    })),
    files,
  };
});
