import { type ProjectParams, projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { rollBackBody } from '@/app/api/release-bodies';
import { respond } from '@/app/api/respond';
import { rollBack } from '@/lib/server/revisions';

/** Moves a label back to a revision that it named before. */
export const POST = respond<ProjectParams>(async (request, params, actor) => {
  const { revision, before, warnings } = await rollBack(
    actor,
    projectId(params),
    await readJson(request, rollBackBody),
  );
  return { revision, before: before ?? null, warnings };
});
