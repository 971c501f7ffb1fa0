import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { appendAudit } from '@/lib/store/audit';
import { removeSessions } from '@/lib/store/auth-sessions';
import type { Store } from '@/lib/store/database';
import { removeSecondFactor } from '@/lib/store/second-factors';
import { transaction } from '@/lib/store/transaction';

/** Who did it. A command is `cli`. */
export interface By {
  readonly by: string;
  readonly via: Actor['via'] | 'cli';
}

export const factorIsOff = 'No second factor is on.';

/** Removes the second factor of somebody. A reset also ends the sessions, as a lost device may have one. Throws AppError `conflict` if none is on. */
export async function takeSecondFactor(
  store: Store,
  actor: By,
  { userId, email }: { readonly userId: string; readonly email: string },
  change: 'off' | 'reset',
): Promise<void> {
  await transaction(store, async (connection) => {
    if (!(await removeSecondFactor(connection, userId))) throw new AppError('conflict', factorIsOff);
    if (change === 'reset') await removeSessions(connection, userId, 'all');
    await appendAudit(connection, { ...secondFactorChanged(actor, email), body: { email, change } });
  });
}

/** The audit entry of a change, without its body. */
export function secondFactorChanged(actor: By, email: string) {
  return { actor, action: 'person.second_factor_changed', object: email } as const;
}
