import { type ProjectParams, projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { restoreBody, revisionNumber } from '@/app/api/release-bodies';
import { respond } from '@/app/api/respond';
import { restoreRevision } from '@/lib/server/drafts';

/** Gives a draft the files of a revision. What no revision had is saved as one first. */
export const POST = respond<ProjectParams & { readonly number: string }>(async (request, params, actor) => {
  const { draft } = await readJson(request, restoreBody);
  const { saved, version } = await restoreRevision(actor, projectId(params), revisionNumber(params), draft);
  return { saved: saved ?? null, version };
});
