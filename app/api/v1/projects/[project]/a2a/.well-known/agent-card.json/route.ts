import { type ProjectParams, projectId } from '@/app/api/project-id';
import { respond } from '@/app/api/respond';
import { readAgentCard } from '@/lib/server/a2a/endpoint';

/** Answers the agent card of the project: version 1.0 for clients that name it, otherwise 0.3. */
export const GET = respond<ProjectParams>(async (request, params, actor) => {
  const json = await readAgentCard(actor, projectId(params), request);
  return Response.json(json, { headers: { Vary: 'A2A-Version' } });
});
