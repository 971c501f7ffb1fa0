import { z } from 'zod';
import { type ProjectParams, projectId } from '@/app/api/project-id';
import { respond } from '@/app/api/respond';
import { exportSession, listSessions } from '@/lib/server/sessions';

const query = z.object({ session: z.string().optional() });

/**
 * Lists the sessions of a project. With `?session=ID` it answers that whole session. The id is not part of the path,
 * because it may contain slashes.
 */
export const GET = respond(query, async (_request, params: ProjectParams, actor, { session }) => {
  if (session !== undefined) return await exportSession(actor, projectId(params), session);
  return { sessions: await listSessions(actor, projectId(params)) };
});
