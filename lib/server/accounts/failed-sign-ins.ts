import type { HeaderReader } from '@/lib/server/access';
import { clientAddress } from '@/lib/server/client-address';
import { createLog } from '@/lib/server/log';
import { appendAudits } from '@/lib/store/audit';
import type { Store } from '@/lib/store/database';
import { findPerson } from '@/lib/store/people';
import { type FailureEntry, FailureGroups } from './failure-groups';

// Next evaluates modules more than once.
const holder: { callboardFailedSignIns?: { groups: FailureGroups; isTimed: boolean } } = globalThis as never;

const log = createLog('web');
const flushMs = 15_000;

/**
 * Records a failed sign-in, grouped as ./failure-groups says. The address that was typed is recorded only if it is that of a person: people
 * also type passwords into that field.
 */
export async function recordFailedSignIn(
  store: Store,
  request: { readonly headers: HeaderReader },
  { email, way }: { readonly email: string | undefined; readonly way: string },
  nowMs: number,
): Promise<void> {
  const person = email === undefined ? undefined : await findPerson(store, { email });
  holder.callboardFailedSignIns ??= { groups: new FailureGroups(), isTimed: false };
  const { groups } = holder.callboardFailedSignIns;
  const address = clientAddress(request);
  const entry = groups.note({ account: person?.email ?? 'unknown', address, way }, nowMs);
  writeLater(store);
  // The answer does not wait for the entry: its time would tell whether the address that was typed is known.
  if (entry !== undefined) void append(store, [entry]);
}

/** Writes what was counted, at the end of its minute. A process that ends before that loses these counts. */
function writeLater(store: Store): void {
  const state = holder.callboardFailedSignIns;
  if (state === undefined || state.isTimed || state.groups.isEmpty) return;
  state.isTimed = true;
  setTimeout(() => {
    state.isTimed = false;
    void append(store, state.groups.due(Date.now())).then(() => writeLater(store));
  }, flushMs).unref();
}

async function append(store: Store, entries: readonly FailureEntry[]): Promise<void> {
  const rows = entries.map(({ account, address, way, more }) => ({
    actor: { by: account, via: 'web' as const },
    action: 'person.sign_in_failed' as const,
    object: account,
    body: { with: way, address, ...(more > 0 && { more }) },
  }));
  try {
    await appendAudits(store.pool, rows);
  } catch (error) {
    log.error({ err: error, entries: rows.length }, 'failed sign-ins were not recorded');
  }
}
