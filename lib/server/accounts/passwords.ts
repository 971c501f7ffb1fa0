import { longestPassword, whyNotPassword } from '@/lib/base/account-rules';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { countTry, forgetTries } from '@/lib/server/limits/tries';
import { appendAudit } from '@/lib/store/audit';
import { claimAuthLink, readAuthLink } from '@/lib/store/auth-links';
import { isNewSession, removeSessions } from '@/lib/store/auth-sessions';
import type { Store } from '@/lib/store/database';
import { findPerson, type PersonRow, readPasswordHash, writePasswordHash } from '@/lib/store/people';
import { transaction } from '@/lib/store/transaction';
import { endWaysIn } from '@/lib/store/ways-in';
import { linkSentences } from './link-sentences';
import { hashPassword, isPassword } from './password-hash';

/** Returns the person whose password a link sets. Throws AppError `not_allowed` with what to do about a link that is not valid. */
export async function readResetLink(store: Store, token: string): Promise<PersonRow> {
  const found = await readAuthLink(store.pool, 'reset', token);
  if (typeof found === 'string') throw new AppError('not_allowed', linkSentences.reset[found]);
  const person = found.user === null ? undefined : await findPerson(store, { id: found.user });
  if (person === undefined || person.deactivatedAt !== null) {
    throw new AppError('not_allowed', 'This account is deactivated. Ask an administrator.');
  }
  return person;
}

/**
 * Sets a new password with a link. Sessions, passkeys and tokens of the person end, because somebody else may have made them. Returns the
 * id of the person.
 */
export async function resetPassword(store: Store, token: string, password: string): Promise<string> {
  const person = await readResetLink(store, token);
  const problem = whyNotPassword(password, person);
  if (problem !== undefined) throw new AppError('bad_request', problem);
  const hash = await hashPassword(password);
  await transaction(store, async (connection) => {
    if (!(await claimAuthLink(connection, 'reset', token))) throw new AppError('not_allowed', linkSentences.reset.used);
    await writePasswordHash(connection, person.id, hash);
    const body = { ...(await endWaysIn(connection, person.id)) };
    const actor = { by: person.email, via: 'link' };
    await appendAudit(connection, { actor, action: 'person.password_changed', object: person.email, body });
  });
  return person.id;
}

/**
 * Changes the password of a person who is signed in. The other sessions end. Throws the AppErrors of `proveSelf`, and `bad_request` for
 * the new password.
 */
export async function changePassword(
  store: Store,
  actor: Pick<Actor, 'by' | 'via'>,
  own: OwnSession,
  given: { readonly present: string; readonly next: string },
): Promise<void> {
  const person = await findPerson(store, { id: own.userId });
  if (person === undefined) throw new AppError('not_found', 'There is no such person.');
  await proveSelf(store, own, given.present);
  const problem = whyNotPassword(given.next, person);
  if (problem !== undefined) throw new AppError('bad_request', problem);
  const hash = await hashPassword(given.next);
  await transaction(store, async (connection) => {
    await writePasswordHash(connection, own.userId, hash);
    await removeSessions(connection, own.userId, { but: own.sessionId });
    await appendAudit(connection, { actor, action: 'person.password_changed', object: person.email });
  });
}

/** A person who is signed in, and the session that asks. */
export interface OwnSession {
  readonly userId: string;
  readonly sessionId: string;
}

/** For so long after a sign-in somebody without a password counts as the person who signed in. */
const newSessionMinutes = 10;

/**
 * Makes sure that the person asks, and not somebody who found the browser open: by the password, or, for a person without one, by a session
 * that has just begun. Throws AppError `not_allowed` and `too_many`.
 */
export async function proveSelf(store: Store, own: OwnSession, password: string): Promise<void> {
  if ((await readPasswordHash(store, own.userId)) !== undefined)
    return await provePassword(store, own.userId, password);
  if (await isNewSession(store, own.sessionId, newSessionMinutes)) return;
  throw new AppError(
    'not_allowed',
    `You have no password, so this needs a sign-in of the last ${newSessionMinutes} minutes. Sign out, sign in again, and try again.`,
  );
}

/**
 * Checks the password of somebody who is signed in, because a browser may have been left open. Throws AppError `not_allowed` for a wrong one,
 * `conflict` for a person without one, and `too_many` after ten.
 */
export async function provePassword(store: Store, userId: string, password: string): Promise<void> {
  const stored = await readPasswordHash(store, userId);
  if (stored === undefined) throw new AppError('conflict', 'You have no password yet. Set one first.');
  await countTry(store, 'own password', userId);
  if (!(await isPassword(password.slice(0, longestPassword), stored))) {
    throw new AppError('not_allowed', 'The present password is not right.');
  }
  await forgetTries(store, 'own password', userId);
}
