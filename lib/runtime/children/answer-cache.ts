import type { Instance } from '@/lib/runtime/instance/instance';
import type { InstanceOutcome, InstanceSpec } from '@/lib/runtime/instance/instance-spec';
import { AnswerOwner, type CallSlot } from '@/lib/runtime/permits/call-slot';
import { noUsage } from '@/lib/runtime/record/messages';
import { answerResult } from './child-result';

/**
 * Looks for the answer of an equal call. It may have ended anywhere in the run, or may be a call of this batch that still
 * runs; then this call waits for it. An instance that had started before a crash does not use the cache but continues.
 */
export async function cachedOutcome(
  instance: Instance,
  spec: InstanceSpec,
  slot: CallSlot,
): Promise<InstanceOutcome | undefined> {
  const { run, scope } = instance;
  const { cacheKey: key } = spec;
  if (key === undefined || spec.refusal || scope.reason) return undefined;
  const recorded = run.journal.instanceEnd(spec.path);
  if (recorded?.cached) slot.cached = true;
  if (recorded || run.journal.isStarted(spec.path)) {
    own(slot, key);
    return undefined;
  }
  for (;;) {
    const answer = run.answers.get(key);
    if (answer !== undefined && !answerResult(spec, answer).isError) {
      slot.cached = true;
      const outcome: InstanceOutcome = { status: 'completed', answer, error: undefined, written: {} };
      run.ports.events.append({
        kind: 'instance.ended',
        path: spec.path,
        status: 'completed',
        answer,
        usage: noUsage,
        cached: true,
      });
      return outcome;
    }
    const owner = slot.owners.get(key);
    if (owner === undefined || owner.index === slot.index || slot.order.hasEnded(owner.index)) break;
    // Hooks may bring a later call here first. Once it waits for its turn to commit, an earlier one must not wait for it.
    const isLater = owner.index > slot.index;
    if (isLater && owner.isWaiting) break;
    // The permit is released because the owner may need it. The turn is given up because later calls of this child wait for
    // it.
    run.scheduler.release(slot.permit);
    slot.childTurn?.order.settle(slot.childTurn.index);
    // If the owner fails, the first waiting call becomes the owner, and the others wait for that one.
    const ended = slot.order.endOf(owner.index);
    await (isLater ? Promise.race([ended, owner.untilWaiting]) : ended);
    if (scope.reason) return undefined;
  }
  own(slot, key);
  return undefined;
}

function own(slot: CallSlot, key: string): void {
  slot.owned = new AnswerOwner(slot.index);
  slot.owners.set(key, slot.owned);
}

/** Keeps an answer for equal calls. The first answer counts. */
export function keepAnswer({ run }: Instance, spec: InstanceSpec, answer: string): void {
  if (spec.cacheKey !== undefined && !run.answers.has(spec.cacheKey)) run.answers.set(spec.cacheKey, answer);
}
