import { appendAudit } from '@/lib/store/audit';
import { linkHours, makeAuthLink } from '@/lib/store/auth-links';
import type { Store } from '@/lib/store/database';
import { transaction } from '@/lib/store/transaction';
import type { By } from './take-second-factor';

/** Makes a link that sets a new password, in place of an older one of the person. Returns its path, which is shown once. */
export async function storeResetLink(
  store: Store,
  actor: By,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<string> {
  const token = await transaction(store, async (connection) => {
    const made = await makeAuthLink(connection, { kind: 'reset', user: id, madeBy: actor.by });
    const body = { email, hours: linkHours };
    await appendAudit(connection, { actor, action: 'person.reset_link_made', object: email, body });
    return made;
  });
  return `/reset?token=${token}`;
}
