import { randomUUID } from 'node:crypto';
import { whyNotEmail, whyNotPassword } from '@/lib/base/account-rules';
import { AppError } from '@/lib/base/app-error';
import { readName } from '@/lib/base/display-name';
import { appendAudit } from '@/lib/store/audit';
import { claimAuthLink, readAuthLink } from '@/lib/store/auth-links';
import type { Store } from '@/lib/store/database';
import { insertPerson } from '@/lib/store/people';
import { transaction } from '@/lib/store/transaction';
import { linkSentences } from './link-sentences';
import { hashPassword } from './password-hash';

/** Throws AppError `not_allowed` for the token of a link with which nothing can be set up, with what to do. */
export async function checkSetupLink(store: Store, token: string): Promise<void> {
  const found = await readAuthLink(store.pool, 'setup', token);
  if (typeof found === 'string') throw new AppError('not_allowed', linkSentences.setup[found]);
}

/**
 * Makes an administrator with the printed link. Two at the same time: one wins. Returns the id of the person. Throws AppError
 * `not_allowed` for the link, `conflict` if the address has an account, and `bad_request` for what was typed.
 */
export async function setUp(
  store: Store,
  token: string,
  given: { readonly name: string; readonly email: string; readonly password: string },
): Promise<string> {
  await checkSetupLink(store, token);
  const email = given.email.trim().toLowerCase();
  const name = readName(given.name).slice(0, 100) || email;
  const problem = whyNotEmail(email) ?? whyNotPassword(given.password, { name, email });
  if (problem !== undefined) throw new AppError('bad_request', problem);
  const passwordHash = await hashPassword(given.password);
  const id = randomUUID();
  await transaction(store, async (connection) => {
    if (!(await claimAuthLink(connection, 'setup', token))) throw new AppError('not_allowed', linkSentences.setup.used);
    if (!(await insertPerson(connection, { id, name, email, passwordHash, isAdministrator: true }))) {
      throw new AppError('conflict', 'There is an account with this e-mail address. Use another one.');
    }
    const actor = { by: email, via: 'web' };
    await appendAudit(connection, { actor, action: 'person.added', object: email, body: { administrator: true } });
  });
  return id;
}
