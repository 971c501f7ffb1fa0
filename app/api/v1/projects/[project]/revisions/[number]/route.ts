import { type ProjectParams, projectId } from '@/app/api/project-id';
import { revisionNumber } from '@/app/api/release-bodies';
import { respond } from '@/app/api/respond';
import { getRevision } from '@/lib/server/revisions';

/** Answers a revision with what a review of it covers. */
export const GET = respond<ProjectParams & { readonly number: string }>(
  async (_request, params, actor) => await getRevision(actor, projectId(params), revisionNumber(params)),
);
