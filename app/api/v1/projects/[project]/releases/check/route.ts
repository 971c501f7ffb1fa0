import { type ProjectParams, projectId } from '@/app/api/project-id';
import { targetOf } from '@/app/api/release-bodies';
import { respond } from '@/app/api/respond';
import { checkRelease } from '@/lib/server/revisions';

/** Runs the checks that a release would run. */
export const GET = respond<ProjectParams>(async (request, params, actor) => {
  const { label = 'live', revision, draft = 'main' } = targetOf(request);
  const target = revision === undefined ? { draft } : { revision };
  return { checks: await checkRelease(actor, projectId(params), label, target) };
});
