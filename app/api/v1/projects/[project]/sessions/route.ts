import { type ProjectParams, projectId } from '@/app/api/project-id';
import { respond } from '@/app/api/respond';
import { exportSession, listSessions } from '@/lib/server/sessions';

/** The sessions of a project; with `?session=ID` that one, whole. Ids may have slashes, so they are no part of the path. */
export const GET = respond<ProjectParams>(async (request, params) => {
  const id = new URL(request.url).searchParams.get('session');
  if (id !== null) return await exportSession(projectId(params), id);
  return { sessions: await listSessions(projectId(params)) };
});
