import type { Actor } from '@/lib/base/actor';
import type { RunId } from '@/lib/base/ids';
import { pendingDelegations } from '@/lib/runtime/sub-agents/pending-delegations';
import type { SuspendedResult } from '@/lib/runtime/sub-agents/sub-agent-result';
import { readPendingLog } from '@/lib/store/pending-log';
import { findRun, type RunDetail } from '@/lib/store/runs';
import { withStore } from './services';
import { seenBy, viewOf } from './shared-view';

/** A run; while it is suspended with what it waits for, by call of its root agent. Throws AppError `not_found`. */
export async function getRunWithSuspended(
  actor: Actor,
  runId: RunId,
): Promise<RunDetail & { readonly suspended?: readonly SuspendedResult[] }> {
  return await withStore(actor, 'run.read', { run: runId }, async (store) => {
    const run = seenBy(actor, await findRun(store, runId));
    if (run.status !== 'suspended' || viewOf(actor) !== 'whole') return run;
    const log = await readPendingLog(store, runId);
    return { ...run, suspended: pendingDelegations(log).map(({ result }) => result) };
  });
}
