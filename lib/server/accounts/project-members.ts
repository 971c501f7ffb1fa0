import type { Actor } from '@/lib/base/actor';
import type { ProjectId } from '@/lib/base/ids';
import { decide } from '@/lib/base/rights';
import { withStore } from '@/lib/server/services';
import { type Invitation, listInvitations } from '@/lib/store/invitations';
import { listMembers, type MemberRow } from '@/lib/store/members';
import { administratorNames } from '@/lib/store/people';
import { findProject } from '@/lib/store/projects';

/** Who works on a project. */
export interface ProjectMembers {
  readonly name: string;
  readonly members: readonly MemberRow[];
  /** The administrators of the installation, who may do everything without being members. */
  readonly administrators: readonly string[];
  /** The open invitations to the project; `undefined` for people who may not change them. */
  readonly invitations: readonly Invitation[] | undefined;
}

/** Lists who works on a project, for everybody who may open it. Throws AppError `not_found`. */
export async function readMembers(actor: Actor, project: ProjectId): Promise<ProjectMembers> {
  return await withStore(actor, 'project.read', { project }, async (store) => {
    const mayChange = decide(actor.reach, 'project.members', project) === 'allowed';
    const [{ name }, members, administrators, invitations] = await Promise.all([
      findProject(store, project),
      listMembers(store, project),
      administratorNames(store),
      mayChange ? listInvitations(store, project) : undefined,
    ]);
    return { name, members, administrators, invitations };
  });
}
