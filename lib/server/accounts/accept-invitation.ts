import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { whyNotPassword } from '@/lib/base/account-rules';
import { AppError } from '@/lib/base/app-error';
import { readName } from '@/lib/base/display-name';
import { roles } from '@/lib/base/rights';
import { appendAudit } from '@/lib/store/audit';
import type { Store } from '@/lib/store/database';
import { claimInvitation, type Invitation, openInvitationsOf, readInvitation } from '@/lib/store/invitations';
import { lockMember, putMember } from '@/lib/store/members';
import { findPerson, insertPerson } from '@/lib/store/people';
import { transaction } from '@/lib/store/transaction';
import { linkSentences } from './link-sentences';
import { hashPassword } from './password-hash';

/** What somebody with the link of an invitation sees: who invites whom to what, and whether the address has an account. */
export interface ShownInvitation extends Invitation {
  readonly hasAccount: boolean;
}

/** Reads an invitation by the token of its link. Throws AppError `not_allowed` with what to do about one that is not valid. */
export async function readInvitationLink(store: Store, token: string): Promise<ShownInvitation> {
  const found = await readInvitation(store.pool, token);
  if (typeof found === 'string') throw new AppError('not_allowed', linkSentences.invitation[found]);
  return { ...found, hasAccount: (await findPerson(store, { email: found.email })) !== undefined };
}

/**
 * Makes an account with an invitation, and accepts it. Two at the same time: one wins. Returns the id of the person. Throws AppError
 * `not_allowed` for an invitation that is not valid, `conflict` if the address has an account, and `bad_request` for a password.
 */
export async function acceptWithNewAccount(
  store: Store,
  token: string,
  given: { readonly name: string; readonly password: string },
): Promise<string> {
  const invitation = await readInvitationLink(store, token);
  const name = readName(given.name).slice(0, 100) || invitation.email;
  const problem = whyNotPassword(given.password, { name, email: invitation.email });
  if (problem !== undefined) throw new AppError('bad_request', problem);
  if (invitation.hasAccount) throw new AppError('conflict', hasAccount);
  const passwordHash = await hashPassword(given.password);
  const id = randomUUID();
  await transaction(store, async (connection) => {
    if (!(await claimInvitation(connection, invitation.id))) {
      throw new AppError('not_allowed', linkSentences.invitation.used);
    }
    const { email, administrator: isAdministrator } = invitation;
    if (!(await insertPerson(connection, { id, name, email, passwordHash, isAdministrator }))) {
      throw new AppError('conflict', hasAccount);
    }
    await join(connection, invitation, { id, email, isNew: true });
  });
  return id;
}

const hasAccount = 'There is an account with this e-mail address. Sign in, and open the link again.';

/** Accepts an invitation for somebody who is signed in. It must be for the address of that person. */
export async function acceptWithAccount(
  store: Store,
  token: string,
  person: { readonly id: string; readonly email: string },
): Promise<Invitation> {
  const invitation = await readInvitationLink(store, token);
  if (invitation.email !== person.email) {
    const words = `This invitation is for ${invitation.email}, and you are signed in as ${person.email}. Sign out, and open the link again.`;
    throw new AppError('not_allowed', words);
  }
  await transaction(store, async (connection) => {
    if (!(await claimInvitation(connection, invitation.id))) {
      throw new AppError('not_allowed', linkSentences.invitation.used);
    }
    await join(connection, invitation, { ...person, isNew: false });
  });
  return invitation;
}

/** Accepts every open invitation of a person whom the provider of sign-ins has brought. */
export async function acceptOpenInvitations(
  store: Store,
  person: { readonly id: string; readonly email: string },
): Promise<void> {
  await transaction(store, async (connection) => {
    const open = await openInvitationsOf(connection, person.email);
    for (const invitation of open) {
      if (await claimInvitation(connection, invitation.id)) {
        await join(connection, invitation, { ...person, isNew: invitation === open[0] }, false);
      }
    }
    const actor = { by: person.email, via: 'web' };
    for (const { project, role, administrator, invitedBy } of open) {
      const body = { role, administrator, invitedBy };
      await appendAudit(connection, {
        actor,
        action: 'invitation.accepted',
        object: person.email,
        project: project ?? undefined,
        body,
      });
    }
    if (open.length === 0) await appendAudit(connection, { actor, action: 'person.added', object: person.email });
  });
}

interface Joining {
  readonly id: string;
  readonly email: string;
  readonly isNew: boolean;
}

/** Gives what the invitation promises. Nobody loses a higher right by accepting a lower one. The audit entry is the last statement. */
async function join(
  connection: PoolClient,
  { project, role, answers, administrator, invitedBy }: Invitation,
  { id, email }: Joining,
  withEntry = true,
): Promise<void> {
  if (administrator) await connection.query('UPDATE auth_user SET administrator = true WHERE id = $1', [id]);
  if (project !== null && role !== null) {
    const before = await lockMember(connection, project, id);
    const given = { role: higherRole(before?.role, role), answers: answers || before?.answers === true };
    await putMember(connection, { project, userId: id, ...given, addedBy: invitedBy });
  }
  if (!withEntry) return;
  const actor = { by: email, via: 'web' };
  const body = { role, administrator, invitedBy };
  await appendAudit(connection, {
    actor,
    action: 'invitation.accepted',
    object: email,
    project: project ?? undefined,
    body,
  });
}

function higherRole(before: string | undefined, invited: string): string {
  const order: readonly string[] = roles;
  return before !== undefined && order.indexOf(before) > order.indexOf(invited) ? before : invited;
}
