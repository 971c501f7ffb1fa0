import type { Actor } from '@/lib/base/actor';
import type { ProjectId } from '@/lib/base/ids';
import type { SessionContent } from '@/lib/runtime/record/events';
import { appendAudit } from '@/lib/store/audit';
import { findProject } from '@/lib/store/projects';
import { findSession, findSessions, type SessionRow } from '@/lib/store/sessions';
import { withStore, withStoreOnce } from './services';

const mostListed = 1_000;

/** Lists sessions, last saved first, at most 1,000. Both functions throw AppError `not_found`. */
export async function listSessions(actor: Actor, projectId: ProjectId): Promise<readonly SessionRow[]> {
  return await withStore(actor, 'project.read', { project: projectId }, async (store) => {
    await findProject(store, projectId);
    return await findSessions(store, projectId, mostListed);
  });
}

/** Returns a session as one JSON document: its owner and its messages. */
export async function exportSession(
  actor: Actor,
  projectId: ProjectId,
  id: string,
): Promise<SessionRow & SessionContent> {
  return await withStoreOnce(actor, 'project.export', { project: projectId }, async ({ store }) => {
    const session = await findSession(store, projectId, id);
    await appendAudit(store.pool, { actor, action: 'session.exported', object: id, project: projectId });
    return session;
  });
}
