import type { ProjectId } from '@/lib/base/ids';
import type { SessionContent } from '@/lib/runtime/record/events';
import { findProject } from '@/lib/store/projects';
import { findSession, findSessions, type SessionRow } from '@/lib/store/sessions';
import { withStore } from './services';

const mostListed = 1_000;

/** Lists sessions, last saved first, at most 1,000. Both functions throw AppError `not_found`. */
export async function listSessions(projectId: ProjectId): Promise<readonly SessionRow[]> {
  return await withStore(async (store) => {
    await findProject(store, projectId);
    return await findSessions(store, projectId, mostListed);
  });
}

/** Returns a session as one JSON document: its owner and its messages. */
export async function exportSession(projectId: ProjectId, id: string): Promise<SessionRow & SessionContent> {
  return await withStore((store) => findSession(store, projectId, id));
}
