import type { CapabilityList } from '@/lib/cards/trust/capability';
import type { RunError } from '@/lib/runtime/record/events';
import type { TakenRun } from '@/lib/store/take-run';
import { needsConfirmation } from '@/lib/store/trust';

/**
 * Why a worker must not execute a run: the folder is not the operator's own, and the run was not started under a
 * confirmation of exactly what its frozen tree would start or call. Undefined: it may. Checked on every attempt, so a run
 * that is resumed, or put into the queue by other means, is held to the same rule.
 */
export function refuseUnconfirmed(
  { origin, confirmedHash }: Pick<TakenRun, 'origin' | 'confirmedHash'>,
  list: CapabilityList,
): RunError | undefined {
  if (!needsConfirmation(origin)) return undefined;
  if (list.items.length === 0 || list.hash === confirmedHash) return undefined;
  const message =
    'Nobody has confirmed what this folder would start or call, so nothing was started. Open the project, press Run and look at the list.';
  return { code: 'not_trusted', message };
}
