import { type ProjectParams, projectId } from '@/app/api/project-id';
import { respond } from '@/app/api/respond';
import { knownServers } from '@/lib/server/known-servers';

/** Answers what is known of the project's MCP servers from their tests. */
export const GET = respond<ProjectParams>(async (_request, params, actor) => {
  return { servers: await knownServers(actor, projectId(params)) };
});
