import { listQuery } from '@/app/api/conversation-query';
import { type ProjectParams, projectId } from '@/app/api/project-id';
import { respond } from '@/app/api/respond';
import { listConversations } from '@/lib/server/conversations';

/** A page of the conversations of a project, the one with the newest message first. */
export const GET = respond(
  listQuery,
  async (_request, params: ProjectParams, actor, asked) => await listConversations(actor, projectId(params), asked),
);
