import { brandAs, type PendingId, type RunId, type StepKey } from './ids';
import { sha256 } from './sha256';

/** Returns the id of the `ordinal`-th question of a step, counted from 1. The same question has the same id in every stint. */
export function pendingId(runId: RunId, step: StepKey, ordinal = 1): PendingId {
  return brandAs<PendingId>(sha256(new TextEncoder().encode(`${runId} ${step}?${ordinal}`)).slice(0, 32));
}
