import type { CapabilityList } from '@/lib/cards/trust/capability';
import type { RunError } from '@/lib/runtime/record/events';
import type { TakenRun } from '@/lib/store/take-run';
import { needsConfirmation } from '@/lib/store/trust';

/**
 * Returns the reason why a worker must not execute a run, or `undefined` if it may. A project may need a confirmation; then
 * the run must have been started with a confirmation of exactly what its tree would start or call. Every attempt checks
 * this, so the rule also holds for resumed runs and for runs that were queued by other means.
 */
export function refuseUnconfirmed(
  { origin, confirmedHash }: Pick<TakenRun, 'origin' | 'confirmedHash'>,
  list: CapabilityList,
): RunError | undefined {
  if (!needsConfirmation(origin)) return undefined;
  if (list.items.length === 0 || list.hash === confirmedHash) return undefined;
  const message =
    'Nobody has confirmed what this folder would start or call, so nothing was started. Open the project, press Run and read the list.';
  return { code: 'not_trusted', message };
}
