import { type ProjectParams, projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { revisionBody, revisionsQuery } from '@/app/api/release-bodies';
import { respond } from '@/app/api/respond';
import { listRevisions, saveRevision } from '@/lib/server/revisions';

/** Lists the revisions of a project, newest first, and what its labels name. */
export const GET = respond(
  revisionsQuery,
  async (_request, params: ProjectParams, actor, asked) => await listRevisions(actor, projectId(params), asked),
);

/** Saves a draft as a revision. */
export const POST = respond<ProjectParams>(async (request, params, actor) => {
  const saved = await saveRevision(actor, projectId(params), await readJson(request, revisionBody));
  return Response.json(saved, { status: saved.isNew ? 201 : 200 });
});
