import { randomUUID } from 'node:crypto';
import { whyNotEmail } from '@/lib/base/account-rules';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId } from '@/lib/base/ids';
import { type Role, rightsIn } from '@/lib/base/rights';
import { placeIn } from '@/lib/server/authorize';
import { withStore, withStoreOnce } from '@/lib/server/services';
import { appendAudit } from '@/lib/store/audit';
import { removeSessions } from '@/lib/store/auth-sessions';
import type { Store } from '@/lib/store/database';
import { type Invitation, insertInvitation, listInvitations, revokeInvitation } from '@/lib/store/invitations';
import { deleteMember, lockMember, putMember } from '@/lib/store/members';
import { findPerson, listPeople, lockAdministrators, type PersonRow } from '@/lib/store/people';
import { isMakingRestricted, restrictMaking } from '@/lib/store/project-makers';
import { isSecondFactorRequired, requireSecondFactor } from '@/lib/store/second-factors';
import { transaction } from '@/lib/store/transaction';
import { forgetIdentity } from './provider-people';
import { storeResetLink } from './reset-links';
import { takeSecondFactor } from './take-second-factor';

/** How long an invitation can be accepted. */
const invitationDays = 7;

export interface PeopleView {
  /** Whether everybody who has a password needs a second factor. */
  readonly needsSecondFactor: boolean;
  readonly people: readonly PersonRow[];
  readonly invitations: readonly Invitation[];
  /** Whether only administrators make projects. */
  readonly onlyAdministratorsMake: boolean;
}

/** Lists everybody, and the open invitations. */
export async function readPeople(actor: Actor): Promise<PeopleView> {
  return await withStore(actor, 'installation.people', 'installation', async (store) => ({
    onlyAdministratorsMake: await isMakingRestricted(store),
    needsSecondFactor: await isSecondFactorRequired(store),
    people: await listPeople(store),
    invitations: await listInvitations(store, 'all'),
  }));
}

export interface InvitationRequest {
  readonly email: string;
  /** Null: an account alone. */
  readonly project: ProjectId | null;
  readonly role: Role | null;
  readonly answers: boolean;
  readonly administrator: boolean;
}

/**
 * Invites somebody, in place of an open invitation of the address to the same place. Returns the path of the link, which is shown once.
 * Throws AppError `bad_request` for the address, and `not_allowed` for more than the actor has.
 */
export async function invite(actor: Actor, request: InvitationRequest): Promise<string> {
  const email = request.email.trim().toLowerCase();
  const problem = whyNotEmail(email);
  if (problem !== undefined) throw new AppError('bad_request', problem);
  const { project, administrator } = request;
  const [role, answers] = project === null ? [null, false] : [request.role ?? 'viewer', request.answers];
  const action = project === null ? 'installation.people' : 'project.members';
  return await withStoreOnce(actor, action, placeIn(project), async ({ store }) => {
    refuseMoreThanOwn(actor, project, { answers, administrator });
    const token = await transaction(store, async (connection) => {
      const body = { id: randomUUID(), email, project, role, answers, administrator, invitedBy: actor.by };
      const made = await insertInvitation(connection, { ...body, days: invitationDays });
      const entry = { email, role, answers, administrator };
      const object = { actor, action: 'invitation.made', object: email, project: project ?? undefined } as const;
      await appendAudit(connection, { ...object, body: entry });
      return made;
    });
    return `/invite?token=${token}`;
  });
}

/** An admin of a project gives no more than the own rights there. Only administrators make administrators. */
function refuseMoreThanOwn(
  { reach }: Actor,
  project: ProjectId | null,
  given: { readonly answers: boolean; readonly administrator: boolean },
): void {
  if (reach === 'all') return;
  if (given.administrator && !(reach.kind === 'person' && reach.isAdministrator)) {
    throw new AppError('not_allowed', 'Only an administrator of this installation can make an administrator.');
  }
  if (project !== null && given.answers && !rightsIn(reach, project).has('answer')) {
    throw new AppError('not_allowed', 'You may not answer questions in this project, so you cannot let others do it.');
  }
}

/** Takes an invitation back. Throws AppError `conflict` for one that is not open. */
export async function takeBackInvitation(actor: Actor, project: ProjectId | null, id: string): Promise<void> {
  const action = project === null ? 'installation.people' : 'project.members';
  await withStoreOnce(actor, action, placeIn(project), async ({ store }) => {
    await transaction(store, async (connection) => {
      const gone = await revokeInvitation(connection, id, project ?? 'all');
      if (gone === undefined) throw new AppError('conflict', 'This invitation was accepted or taken back already.');
      const object = { actor, action: 'invitation.revoked', object: gone.email } as const;
      await appendAudit(connection, { ...object, project: gone.project ?? undefined, body: { email: gone.email } });
    });
  });
}

/** Gives a person a role in a project, or changes it. The rights hold from the next request. Throws AppError `conflict` for somebody unknown. */
export async function setMember(
  actor: Actor,
  project: ProjectId,
  member: { readonly userId: string; readonly role: Role; readonly answers: boolean },
): Promise<void> {
  await withStoreOnce(actor, 'project.members', { project }, async ({ store }) => {
    refuseMoreThanOwn(actor, project, { answers: member.answers, administrator: false });
    const { userId, role, answers } = member;
    const { email } = await personFor(store, actor, userId);
    await transaction(store, async (connection) => {
      const before = await lockMember(connection, project, userId);
      if (before === undefined && !isAdministrator(actor)) throw noMember();
      await putMember(connection, { project, userId, role, answers, addedBy: actor.by });
      const body = { email, role, answers, before: before?.role ?? null };
      await appendAudit(connection, { actor, action: 'member.set', object: email, project, body });
    });
  });
}

/** Takes a person out of a project. The last admin may go, because administrators of the installation are there. Throws AppError `conflict` for somebody else. */
export async function removeMember(actor: Actor, project: ProjectId, userId: string): Promise<void> {
  await withStoreOnce(actor, 'project.members', { project }, async ({ store }) => {
    const { email } = await personFor(store, actor, userId);
    await transaction(store, async (connection) => {
      const before = await lockMember(connection, project, userId);
      if (before === undefined) throw noMember();
      await deleteMember(connection, project, userId);
      const body = { email, role: before.role };
      await appendAudit(connection, { actor, action: 'member.removed', object: email, project, body });
    });
  });
}

/** Deactivates a person, which ends all sessions, or activates the person again. Throws AppError `conflict` for the last administrator. */
export async function setActive(actor: Actor, userId: string, active: boolean): Promise<void> {
  await withStoreOnce(actor, 'installation.people', 'installation', async ({ store }) => {
    const { email } = await knownPerson(store, userId);
    await transaction(store, async (connection) => {
      if (!active) refuseLast(await lockAdministrators(connection), userId);
      await connection.query('UPDATE auth_user SET "deactivatedAt" = $2 WHERE id = $1', [
        userId,
        active ? null : new Date(),
      ]);
      if (!active) await removeSessions(connection, userId, 'all');
      const action = active ? 'person.activated' : 'person.deactivated';
      await appendAudit(connection, { actor, action, object: email, body: { email } });
    });
  });
}

/** Makes a person an administrator, or takes that right. Throws AppError `conflict` for the last administrator. */
export async function setAdministrator(actor: Actor, userId: string, administrator: boolean): Promise<void> {
  await withStoreOnce(actor, 'installation.people', 'installation', async ({ store }) => {
    const { email } = await knownPerson(store, userId);
    await transaction(store, async (connection) => {
      if (!administrator) refuseLast(await lockAdministrators(connection), userId);
      await connection.query('UPDATE auth_user SET administrator = $2 WHERE id = $1', [userId, administrator]);
      const body = { email, administrator };
      await appendAudit(connection, { actor, action: 'person.administrator_changed', object: email, body });
    });
  });
}

/** Makes a link that sets a new password, in place of an older one. Returns its path, which is shown once. */
export async function makeResetLink(actor: Actor, userId: string): Promise<string> {
  return await withStoreOnce(actor, 'installation.people', 'installation', async ({ store }) => {
    return await storeResetLink(store, actor, await knownPerson(store, userId));
  });
}

/** Removes the second factor of a person, who has lost it. The sessions of the person end. Throws AppError `conflict` if none is on. */
export async function resetSecondFactor(actor: Actor, userId: string): Promise<void> {
  await withStoreOnce(actor, 'installation.people', 'installation', async ({ store }) => {
    const { email } = await knownPerson(store, userId);
    await takeSecondFactor(store, actor, { userId, email }, 'reset');
  });
}

/** Unlinks a person from the identity at the provider, so that another one can be linked. Throws AppError `conflict` if none is linked. */
export async function unlinkProvider(actor: Actor, userId: string): Promise<void> {
  await withStoreOnce(actor, 'installation.people', 'installation', async ({ store }) => {
    const { email } = await knownPerson(store, userId);
    await forgetIdentity(store, actor, { userId, email });
  });
}

/**
 * Says whether everybody who has a password needs a second factor. Whoever has none can do nothing else before adding one. Throws AppError
 * `conflict` if the administrator has none.
 */
export async function setSecondFactorRequired(actor: Actor, required: boolean): Promise<void> {
  await withStoreOnce(actor, 'installation.people', 'installation', async ({ store }) => {
    const own = required && actor.reach !== 'all' && actor.reach.kind === 'person' ? actor.reach.userId : undefined;
    const person = own === undefined ? undefined : await findPerson(store, { id: own });
    if (person?.hasPassword === true && !person.secondFactor) {
      throw new AppError('conflict', 'Add a second factor to your own account first. Then require it of everybody.');
    }
    await transaction(store, async (connection) => {
      await requireSecondFactor(connection, required);
      const body = { required };
      await appendAudit(connection, { actor, action: 'installation.second_factor', object: 'installation', body });
    });
  });
}

/** Says whether only administrators make projects. What others made before stays theirs. */
export async function setProjectMakers(actor: Actor, administrators: boolean): Promise<void> {
  await withStoreOnce(actor, 'installation.people', 'installation', async ({ store }) => {
    await transaction(store, async (connection) => {
      await restrictMaking(connection, administrators);
      const entry = { actor, action: 'installation.project_makers', object: 'installation' } as const;
      await appendAudit(connection, { ...entry, body: { administrators } });
    });
  });
}

async function knownPerson(store: Store, id: string): Promise<PersonRow> {
  const person = await findPerson(store, { id });
  if (person === undefined) throw new AppError('conflict', 'There is no such person. Load the page again.');
  return person;
}

/** Works like `knownPerson` for the members of a project, whose admins are not told who else has an account. */
async function personFor(store: Store, actor: Actor, id: string): Promise<PersonRow> {
  if (isAdministrator(actor)) return await knownPerson(store, id);
  const person = await findPerson(store, { id });
  if (person === undefined) throw noMember();
  return person;
}

function refuseLast(administrators: readonly string[], userId: string): void {
  if (administrators.length > 1 || administrators[0] !== userId) return;
  throw new AppError('conflict', 'This is the last administrator. Make somebody else an administrator first.');
}

function isAdministrator({ reach }: Actor): boolean {
  return reach === 'all' || (reach.kind === 'person' && reach.isAdministrator);
}

function noMember(): AppError {
  return new AppError('conflict', 'This person does not work on the project. Invite the person by e-mail.');
}
