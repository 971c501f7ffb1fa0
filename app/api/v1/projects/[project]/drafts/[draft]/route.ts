import { type ProjectParams, projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { draftName, draftNameBody } from '@/app/api/release-bodies';
import { respond } from '@/app/api/respond';
import { deleteDraft, renameDraft } from '@/lib/server/drafts';

type DraftParams = ProjectParams & { readonly draft: string };

export const PATCH = respond<DraftParams>(async (request, params, actor) => {
  const { name } = await readJson(request, draftNameBody);
  await renameDraft(actor, projectId(params), draftName(params), name);
  return { name };
});

/** Deletes a draft. The answer has the revision that keeps its files, if no revision had them before. */
export const DELETE = respond<DraftParams>(async (_request, params, actor) => {
  return { saved: (await deleteDraft(actor, projectId(params), draftName(params))) ?? null };
});
