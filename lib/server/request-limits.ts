import type { Actor } from '@/lib/base/actor';
import { countTry, refuseKnown } from './limits/tries';
import { withStoreOnce } from './services';

/**
 * Counts a request of a program against the limit of its sender, before the work that it asks for. Throws AppError `too_many`. One person
 * without accounts has no such limit.
 */
export async function countRequest(actor: Actor, name: 'traces' | 'a2a' | 'mcp'): Promise<void> {
  const { reach } = actor;
  if (reach === 'all' || reach.kind === 'share') return;
  const sender = reach.token?.id ?? reach.userId;
  await withStoreOnce(actor, 'installation.use', 'installation', async ({ store }) => {
    refuseKnown(store, name, sender);
    await countTry(store, name, sender);
  });
}
