import { type ProjectParams, projectId } from '@/app/api/project-id';
import { targetQuery } from '@/app/api/release-bodies';
import { respond } from '@/app/api/respond';
import { checkRelease } from '@/lib/server/revisions';

/** Runs the checks that a release would run. */
export const GET = respond(targetQuery, async (_request, params: ProjectParams, actor, asked) => {
  const { label = 'live', revision, draft = 'main' } = asked;
  const target = revision === undefined ? { draft } : { revision };
  return await checkRelease(actor, projectId(params), label, target);
});
