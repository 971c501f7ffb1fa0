import type { JsonObject } from '@/lib/base/json';
import { cachedOutcome, keepAnswer } from './answer-cache';
import type { CallSlot } from './call-slot';
import { keepConversation, type Seat, takeSeat } from './child-memory';
import { childResult } from './child-result';
import { commitChild } from './commit-state';
import { type Admission, admit, type Delegation, instanceOf } from './delegation';
import { queueInstance } from './instance-queue';
import type { ToolResult } from './messages';
import type { Instance, InstanceSpec } from './run-state';

/**
 * Runs a child for one call, from admission to the commit of what it wrote:
 *
 *   admit ▶ cache ▶ instance ▶ output schema ─ok─▶ write policies ▶ commit
 *                      ▲             │
 *                      └─ next attempt ◀─ failed, timed out or not valid
 */
export async function runDelegation(
  instance: Instance,
  delegation: Delegation,
  args: JsonObject | undefined,
  slot: CallSlot,
): Promise<ToolResult> {
  const admission = admit(instance, delegation, args);
  const seat = admission.ok ? await takeSeat(instance, delegation, args) : undefined;
  if (seat?.ok === false) return runSeated(instance, delegation, { ok: false, refusal: seat.error }, undefined, slot);
  try {
    return await runSeated(instance, delegation, admission, seat?.value, slot);
  } finally {
    seat?.value.leave();
  }
}

async function runSeated(
  instance: Instance,
  delegation: Delegation,
  admission: Admission,
  seat: Seat | undefined,
  slot: CallSlot,
): Promise<ToolResult> {
  const { run, scope } = instance;
  const attempts = delegation.route.options.max_attempts ?? 1;
  for (let left = attempts - 1; ; left--) {
    slot.attempts += 1;
    const spec = seated(instanceOf(instance, delegation, slot.attempts, admission, slot.stateBefore), delegation, seat);
    // The first one was queued with its siblings.
    if (slot.attempts > 1) queueInstance(run, spec);
    const outcome = (await cachedOutcome(instance, spec, slot)) ?? (await run.runInstance(spec));
    const result = childResult(spec, outcome);
    if (!result.isError) {
      if (spec.cacheKey !== undefined && outcome.answer !== undefined) keepAnswer(instance, spec, outcome.answer);
      const committed = withArtifacts(
        instance,
        spec,
        await commitChild(instance, delegation, spec, outcome, slot, result),
      );
      if (!seat || committed.isError) return committed;
      await keepConversation(instance, delegation, seat, spec, outcome);
      return withSessionId(committed, seat);
    }
    const next = instanceOf(instance, delegation, slot.attempts + 1);
    const mayGoOn = !scope.reason || run.journal.isQueued(next.path);
    if (left <= 0 || !isWorthAnother(result, admission) || !mayGoOn) return result;
  }
}

/** The instance with what its seat gives it. What a session remembers of state yields to what the parent hands down. */
function seated(spec: InstanceSpec, { route }: Delegation, seat: Seat | undefined): InstanceSpec {
  if (!seat) return spec;
  const { remembered, ...start } = seat.start;
  const state = route.options.state?.isolate ? { ...spec.state, ...remembered } : { ...remembered, ...spec.state };
  return { ...spec, ...start, state };
}

/** what the model needs to go on with the session. */
function withSessionId(result: ToolResult, { session }: Seat): ToolResult {
  if (session?.mode !== 'addressed') return result;
  const unknown =
    session.asked === undefined ? '' : `(There is no session '${session.asked}' here: this is a new one.)\n`;
  const header = { type: 'text' as const, text: `session_id: ${session.id}\n${unknown}` };
  return { ...result, content: [header, ...result.content], meta: { ...result.meta, sessionId: session.id } };
}

/** Closes what the log left open of a call that may not go on. */
export async function closeDelegation(instance: Instance, delegation: Delegation): Promise<void> {
  const admission: Admission = {
    ok: true,
    input: '',
    attachments: [],
    cacheKey: undefined,
    resultMode: 'postprocess',
  };
  instance.run.seats.forgo(delegation.step);
  for (let attempt = 1; ; attempt++) {
    const spec = instanceOf(instance, delegation, attempt, admission, instance.state.values);
    if (attempt > 1 && !instance.run.journal.isQueued(spec.path)) return;
    await instance.run.runInstance(spec);
  }
}

/** Names the versions that the child, and those below it, left where its parent sees them. */
function withArtifacts({ run, spec: parent }: Instance, spec: InstanceSpec, result: ToolResult): ToolResult {
  if (spec.artifacts.space !== parent.artifacts.space) return result;
  const artifacts = run.artifacts.savedBelow(spec.path, spec.artifacts.space);
  return Object.keys(artifacts).length > 0 ? { ...result, meta: { ...result.meta, artifacts } } : result;
}

/** What was refused would be refused again, and what was cancelled is not wanted any more. */
function isWorthAnother(result: ToolResult, admission: Admission): boolean {
  return admission.ok && result.errorCode !== 'AGENT_CANCELLED';
}
