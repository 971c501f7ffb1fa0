import { canonicalJson } from '@/lib/base/canonical-json';
import type { StepKey } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import type { Delegation } from '@/lib/runtime/delegation/delegation';
import { type CallSlot, turnToCommit } from '@/lib/runtime/permits/call-slot';
import type { ToolResult } from '@/lib/runtime/record/messages';
import { errorResult } from '@/lib/runtime/record/tool-error';
import { deniedKey, stateRefusal, stateUp } from '@/lib/runtime/state/state';
import type { Instance } from './instance';
import type { InstanceOutcome, InstanceSpec } from './instance-spec';

/** Commits what the child wrote to its parent's state, in call order, or refuses the call. */
export async function commitChild(
  instance: Instance,
  { route, step }: Delegation,
  spec: InstanceSpec,
  outcome: InstanceOutcome,
  slot: CallSlot,
  result: ToolResult,
): Promise<ToolResult> {
  const delta = stateUp(outcome.written);
  if (Object.keys(delta).length === 0) return result;
  await turnToCommit(instance.run.scheduler, slot);
  const options = route.options.state ?? {};
  if (options.isolate) {
    note(instance, step, delta, 'discarded', { from: spec.path });
    return result;
  }
  const refusal = stateRefusal(route.child.name, delta, slot.stateBefore, instance.state.values, options);
  if (refusal) {
    note(instance, step, delta, 'refused', {
      from: spec.path,
      reason: [refusal.message, refusal.advice].filter(Boolean).join(' '),
    });
    return errorResult(refusal.code, `Error: ${refusal.message}`);
  }
  commitState(instance, step, delta, spec.path);
  return result;
}

/**
 * False if the delegation's `write_keys` forbid what the child wrote. The check need not wait for earlier calls, because it
 * does not depend on them.
 */
export function mayWrite({ route }: Delegation, outcome: InstanceOutcome): boolean {
  const options = route.options.state ?? {};
  return options.isolate === true || deniedKey(stateUp(outcome.written), options) === undefined;
}

/** Changes the state of an instance and records the change. */
export function commitState(instance: Instance, step: StepKey, delta: JsonObject, from?: InstanceSpec['path']): void {
  note(instance, step, delta, 'committed', { from });
  instance.state.apply(delta);
}

function note(
  { run, spec }: Instance,
  step: StepKey,
  delta: JsonObject,
  outcome: 'committed' | 'discarded' | 'refused',
  more: { readonly from?: InstanceSpec['path'] | undefined; readonly reason?: string },
): void {
  const recorded = run.journal.stateChange(step);
  if (recorded?.outcome === outcome && canonicalJson(recorded.delta) === canonicalJson(delta)) return;
  run.ports.events.append({ kind: 'state.changed', path: spec.path, step, outcome, delta, ...more });
}
