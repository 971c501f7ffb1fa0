import { type ProjectParams, projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { releaseBody, releaseRequest, releasesQuery } from '@/app/api/release-bodies';
import { respond } from '@/app/api/respond';
import { listReleases, release } from '@/lib/server/revisions';

/** Lists what labels named when, and who moved them, newest first. */
export const GET = respond(releasesQuery, async (_request, params: ProjectParams, actor, asked) => ({
  releases: await listReleases(actor, projectId(params), asked),
}));

/** Publishes, or moves another label, once the checks pass. */
export const POST = respond<ProjectParams>(async (request, params, actor) => {
  const body = await readJson(request, releaseBody);
  const { before, ...done } = await release(actor, projectId(params), releaseRequest(body));
  return Response.json({ ...done, before: before ?? null }, { status: done.isNew ? 201 : 200 });
});
