import type { StepKey } from '@/lib/base/ids';
import { delegationOptions } from '@/lib/cards/delegation-settings';
import type { DelegationSettings } from '@/lib/runtime/delegation/child-route';
import type { CreatedAgents } from '@/lib/runtime/delegation/created-agents';
import { poolResource, sessionKeyOf } from '@/lib/runtime/permits/call-scheduler';
import type { Journal } from '@/lib/runtime/record/journal';

/** Returns the resources that calls held when the log ended, by step. */
export function recordedResources(
  journal: Journal,
  settings: DelegationSettings,
  createdAgents: CreatedAgents,
): ReadonlyMap<StepKey, readonly string[]> {
  const held = new Map<StepKey, string[]>();
  for (const [step, session] of journal.heldSessions) held.set(step, [sessionKeyOf(session)]);
  for (const [step, child] of journal.openChildren) {
    const caller = child.parent === undefined ? undefined : journal.agentOf(child.parent);
    if (caller === undefined) continue;
    // A created agent calls children by the delegations of its creator.
    const parent = createdAgents.get(caller)?.creator.name ?? caller;
    const pool = poolResource(child.agentName, delegationOptions(settings, parent, child.agentName));
    if (pool) held.set(step, [...(held.get(step) ?? []), pool.key]);
  }
  return held;
}
