import { listQuery } from '@/app/api/conversation-query';
import { type ProjectParams, projectId } from '@/app/api/project-id';
import { respond } from '@/app/api/respond';
import { deleteConversation, readConversation } from '@/lib/server/conversations';

type ConversationParams = ProjectParams & { readonly conversation: string };

/** A conversation with its newest turns. */
export const GET = respond(
  listQuery,
  async (_request, params: ConversationParams, actor, asked) =>
    await readConversation(actor, projectId(params), params.conversation, asked),
);

/** Deletes a conversation. Its runs stay. */
export const DELETE = respond<ConversationParams>(async (_request, params, actor) => {
  await deleteConversation(actor, projectId(params), params.conversation);
  return new Response(null, { status: 204 });
});
