import type { RunId } from '@/lib/base/ids';
import { handBackRun, takeRun } from '@/lib/store/take-run';
import type { LastChance } from './last-chances';
import { outageRetryMs, retryDuringOutage } from './retry-outage';
import { attemptRun, maxAttempts } from './run-attempt';
import type { RunContext } from './run-context';

/**
 * Executes a run, or the rest of it, until it ends or is suspended. Resolves then, or when another worker has taken it. Rejects
 * only for a bug. After a long outage of the database, or a full disk, the run continues from its log.
 */
export async function runStint(context: RunContext, runId: RunId, workflowId: string): Promise<void> {
  const { store, clock } = context;
  const log = context.log.child({ run_id: runId });
  let chance: LastChance | undefined;
  for (;;) {
    const taken = await retryDuringOutage(clock, () => takeRun(store, runId, context.worker, { workflowId }));
    if (taken === undefined) return chance?.end();
    if (taken.attempts === maxAttempts && chance === undefined) {
      await retryDuringOutage(clock, () => handBackRun(store, runId, taken.epoch));
      chance = await context.lastChances.enter();
      continue;
    }
    // The run survived the critical time. If the worker dies later because of another run, this attempt does not count.
    chance?.begin(() => void handBackRun(store, runId, taken.epoch).catch(() => undefined));
    const result = await attemptRun(context, taken, log, chance).finally(() => chance?.end());
    log.info({ correlation_id: taken.request.correlationId, result }, 'run left this worker');
    if (result !== 'interrupted') return;
    // The worker is alive, so an outage of the database or a full disk does not count as an attempt.
    await retryDuringOutage(clock, () => handBackRun(store, runId, taken.epoch));
    await clock.sleep(outageRetryMs);
  }
}
