import type { Instance } from '@/lib/runtime/instance/instance';
import type { InstanceOutcome, InstanceSpec } from '@/lib/runtime/instance/instance-spec';
import type { CallSlot } from '@/lib/runtime/permits/call-slot';
import { noUsage } from '@/lib/runtime/record/messages';
import { answerResult } from './child-result';

/**
 * The answer of an equal call: one that ended, anywhere in the run, or one of this batch that is under way and then
 * succeeds. An instance that the log says has begun goes on by itself.
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
    slot.owners.set(key, slot.index);
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
    if (owner === undefined || owner >= slot.index || slot.order.hasEnded(owner)) break;
    // The owner may wait for a permit itself, and others need not wait until this call asks for its place in a pool.
    run.seats.give(slot.permit);
    slot.seating?.order.settle(slot.seating.index);
    // When the owner fails, the first that waits becomes the owner and the others wait for it.
    await slot.order.endOf(owner);
    if (scope.reason) return undefined;
  }
  slot.owners.set(key, slot.index);
  return undefined;
}

/** The first answer counts. */
export function keepAnswer({ run }: Instance, spec: InstanceSpec, answer: string): void {
  if (spec.cacheKey !== undefined && !run.answers.has(spec.cacheKey)) run.answers.set(spec.cacheKey, answer);
}
