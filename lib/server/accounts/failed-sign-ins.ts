import { appendAudit } from '@/lib/store/audit';
import type { Store } from '@/lib/store/database';
import { findPerson } from '@/lib/store/people';

const minuteMs = 60_000;
/** The audit log is never shortened, so guessing must not fill it. */
const mostAMinute = 10;

const holder: { callboardFailedSignIns?: number[] } = globalThis as never;

/**
 * Records a failed sign-in, at most ten a minute. The address that was typed is recorded only if it is that of a person: people also type
 * passwords into that field.
 */
export async function recordFailedSignIn(
  store: Store,
  { email, way, address }: { readonly email: string | undefined; readonly way: string; readonly address: string },
  nowMs: number,
): Promise<void> {
  const recent = (holder.callboardFailedSignIns ?? []).filter((at) => nowMs - at < minuteMs);
  holder.callboardFailedSignIns = recent;
  if (recent.length >= mostAMinute) return;
  recent.push(nowMs);
  const person = email === undefined ? undefined : await findPerson(store, { email });
  const by = person?.email ?? 'unknown';
  await appendAudit(store.pool, {
    actor: { by, via: 'web' },
    action: 'person.sign_in_failed',
    object: by,
    body: { with: way, address },
  });
}
