import { longestPassword, whyNotPassword } from '@/lib/base/account-rules';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { countTry, forgetTries } from '@/lib/server/limits/tries';
import { appendAudit } from '@/lib/store/audit';
import { claimAuthLink, readAuthLink } from '@/lib/store/auth-links';
import { removeSessions } from '@/lib/store/auth-sessions';
import type { Store } from '@/lib/store/database';
import { findPerson, type PersonRow, readPasswordHash, writePasswordHash } from '@/lib/store/people';
import { transaction } from '@/lib/store/transaction';
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

/** Sets a new password with a link. All sessions of the person end. Returns the id of the person. */
export async function resetPassword(store: Store, token: string, password: string): Promise<string> {
  const person = await readResetLink(store, token);
  const problem = whyNotPassword(password, person);
  if (problem !== undefined) throw new AppError('bad_request', problem);
  const hash = await hashPassword(password);
  await transaction(store, async (connection) => {
    if (!(await claimAuthLink(connection, 'reset', token))) throw new AppError('not_allowed', linkSentences.reset.used);
    await writePasswordHash(connection, person.id, hash);
    await removeSessions(connection, person.id, 'all');
    const actor = { by: person.email, via: 'link' };
    await appendAudit(connection, { actor, action: 'person.password_changed', object: person.email });
  });
  return person.id;
}

/**
 * Changes the password of a person who is signed in. The other sessions end. Somebody who signs in with the provider alone has no password
 * yet, and gives none. Throws AppError `not_allowed` for a wrong present password, and `bad_request` for the new one.
 */
export async function changePassword(
  store: Store,
  actor: Pick<Actor, 'by' | 'via'>,
  own: { readonly userId: string; readonly sessionId: string },
  given: { readonly present: string; readonly next: string },
): Promise<void> {
  const person = await findPerson(store, { id: own.userId });
  if (person === undefined) throw new AppError('not_found', 'There is no such person.');
  if (person.hasPassword) await provePassword(store, own.userId, given.present);
  const problem = whyNotPassword(given.next, person);
  if (problem !== undefined) throw new AppError('bad_request', problem);
  const hash = await hashPassword(given.next);
  await transaction(store, async (connection) => {
    await writePasswordHash(connection, own.userId, hash);
    await removeSessions(connection, own.userId, { but: own.sessionId });
    await appendAudit(connection, { actor, action: 'person.password_changed', object: person.email });
  });
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
