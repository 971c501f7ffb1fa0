import { type ProjectParams, projectId } from '@/app/api/project-id';
import { respond } from '@/app/api/respond';
import { exportSession, listSessions } from '@/lib/server/sessions';

/**
 * Lists the sessions of a project. With `?session=ID` it answers that whole session. The id is not part of the path,
 * because it may contain slashes.
 */
export const GET = respond<ProjectParams>(async (request, params, actor) => {
  const id = new URL(request.url).searchParams.get('session');
  if (id !== null) return await exportSession(actor, projectId(params), id);
  return { sessions: await listSessions(actor, projectId(params)) };
});
