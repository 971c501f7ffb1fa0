import { type ProjectParams, projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { draftBody, draftSource } from '@/app/api/release-bodies';
import { respond } from '@/app/api/respond';
import { createDraft, listDrafts } from '@/lib/server/drafts';

/** Lists the drafts of a project. */
export const GET = respond<ProjectParams>(async (_request, params, actor) => ({
  drafts: await listDrafts(actor, projectId(params)),
}));

/** Makes a draft from another one, or from a revision. */
export const POST = respond<ProjectParams>(async (request, params, actor) => {
  const body = await readJson(request, draftBody);
  await createDraft(actor, projectId(params), body.name, draftSource(body));
  return Response.json({ name: body.name }, { status: 201 });
});
