import { makeAuthLink } from '@/lib/store/auth-links';
import type { Store } from '@/lib/store/database';
import { hasAdministrator } from '@/lib/store/people';

/** Makes the token of a link that sets up the installation, in place of an older one, or returns `undefined` if somebody administers it. */
export async function setupTokenIfNeeded(store: Store): Promise<string | undefined> {
  if (await hasAdministrator(store)) return undefined;
  return await makeAuthLink(store.pool, { kind: 'setup', user: null, madeBy: 'callboard' });
}
