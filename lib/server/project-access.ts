import type { Actor } from '@/lib/base/actor';
import type { ProjectId } from '@/lib/base/ids';
import { askWords, type ProjectAccess } from '@/lib/base/project-access';
import { rightsIn } from '@/lib/base/rights';
import type { Store } from '@/lib/store/database';
import { findAdmins } from '@/lib/store/owners';
import { withStore } from './services';

/** Returns what the actor may do in a project, so that pages offer no more. Throws AppError `not_found`. */
export async function readAccess(actor: Actor, project: ProjectId): Promise<ProjectAccess> {
  return await withStore(actor, 'project.read', { project }, (store) => accessIn(store, actor, project));
}

/** Returns the same for an actor who may read the project. */
export async function accessIn(store: Store, { reach }: Actor, project: ProjectId): Promise<ProjectAccess> {
  return {
    rights: [...rightsIn(reach, project)],
    role: (reach !== 'all' && reach.kind === 'person' && reach.members.get(project)?.role) || null,
    ask: reach === 'all' ? '' : askWords(await findAdmins(store, project)),
    accounts: reach !== 'all',
  };
}
