import type { JsonObject } from '@/lib/base/json';
import type { Delegation } from '@/lib/runtime/delegation/delegation';
import { commitChild, mayWrite } from '@/lib/runtime/instance/commit-state';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { InstanceOutcome, InstanceSpec } from '@/lib/runtime/instance/instance-spec';
import { queueInstance } from '@/lib/runtime/instance/queue-instance';
import { type CallSlot, turnToCommit } from '@/lib/runtime/permits/call-slot';
import { type ToolResult, textOf } from '@/lib/runtime/record/messages';
import { acquireAccess, type ChildAccess, keepConversation, sessionNotKept } from '@/lib/runtime/sessions/child-access';
import { mergeConversation, mergesHistory } from '@/lib/runtime/sessions/child-history';
import { childArtifacts } from '@/lib/runtime/state/artifacts';
import { cachedOutcome, keepAnswer } from './answer-cache';
import { childResult } from './child-result';
import { type Admission, admit, instanceOf } from './delegate';
import { gatedDelegation } from './gated-delegation';

/**
 * Runs a child for one call, from admission to the commit of what it wrote:
 *
 *   admit ▶ gate ▶ cache ▶ acquire ▶ instance ▶ output schema ─ok─▶ session saved ▶ release ▶ write policies ▶ commit
 *                                       ▲             │
 *                                       └─ next attempt ◀─ failed, timed out or not valid
 *
 * A call releases its resources before it waits for its turn to commit: an earlier call may need them in order to end.
 */
export async function runDelegation(
  instance: Instance,
  delegation: Delegation,
  given: JsonObject | undefined,
  slot: CallSlot,
): Promise<ToolResult> {
  const asked = admit(instance, delegation, given);
  const gate = gatedDelegation(instance, delegation, given, asked, slot);
  if (!gate) return runAdmitted(instance, delegation, given, asked, slot);
  const { admission, args, told } = await gate;
  return told(await runAdmitted(instance, delegation, args, admission, slot));
}

async function runAdmitted(
  instance: Instance,
  delegation: Delegation,
  args: JsonObject | undefined,
  admitted: Admission,
  slot: CallSlot,
): Promise<ToolResult> {
  const mayReadArtifacts = admitted.ok && admitted.mayCache && instance.run.parsed.settings.runtime_tools.artifacts;
  const admission = mayReadArtifacts ? await withArtifactsSeen(instance, delegation, admitted) : admitted;
  const first = nextInstance(instance, delegation, admission, slot);
  const cached = await cachedOutcome(instance, first, slot);
  if (cached) return childResult(first, cached);
  const access = admission.ok ? await acquireAccess(instance, delegation, args, slot) : undefined;
  if (access?.ok === false) return runAttempts(instance, delegation, first, { ok: false, refusal: access.error }, slot);
  try {
    return await runAttempts(instance, delegation, first, admission, slot, access?.value);
  } finally {
    access?.value.release();
    instance.run.scheduler.release(slot.permit);
  }
}

/** Adds the state of the artifacts that the child may read, which is part of the cache key. */
async function withArtifactsSeen(
  { run, spec }: Instance,
  { path, route }: Delegation,
  admission: Extract<Admission, { ok: true }>,
): Promise<Admission> {
  try {
    const { space } = childArtifacts(spec.artifacts, path, route.options.artifacts);
    return { ...admission, artifacts: await run.artifacts.stateOf(space) };
  } catch {
    // The artifacts cannot be read and may have changed, so the answer is not cached.
    return { ...admission, mayCache: false };
  }
}

async function runAttempts(
  instance: Instance,
  delegation: Delegation,
  first: InstanceSpec,
  admission: Admission,
  slot: CallSlot,
  access?: ChildAccess,
): Promise<ToolResult> {
  const { run, scope } = instance;
  let attempt: InstanceSpec = { ...first, refusal: admission.ok ? undefined : admission.refusal };
  for (let left = (delegation.route.options.max_attempts ?? 1) - 1; ; left--) {
    const spec = withAccess(attempt, delegation, access);
    const outcome = await run.runInstance(spec);
    const result = childResult(spec, outcome);
    if (!result.isError) return keepSuccess(instance, delegation, spec, outcome, slot, access);
    const next = instanceOf(instance, delegation, slot.attempts + 1);
    const mayGoOn = !scope.reason || run.journal.isQueued(next.path);
    if (left <= 0 || !isWorthAnother(result, admission) || !mayGoOn) return result;
    attempt = withReason(nextInstance(instance, delegation, admission, slot), result);
  }
}

/** Tells the next instance why the last answer was not accepted, because its model knows nothing of that attempt. */
function withReason(next: InstanceSpec, { errorCode, content }: ToolResult): InstanceSpec {
  if (errorCode !== 'OUTPUT_VALIDATION') return next;
  const why = textOf(content).replace(/^Error: /, '');
  return { ...next, input: `${next.input}\n\n(An earlier attempt was not accepted. ${why} Answer so that it fits.)` };
}

function nextInstance(instance: Instance, delegation: Delegation, admission: Admission, slot: CallSlot): InstanceSpec {
  slot.attempts += 1;
  const spec = instanceOf(instance, delegation, slot.attempts, admission, slot.stateBefore);
  // The first instance was queued with its siblings.
  if (slot.attempts > 1) queueInstance(instance.run, spec);
  return spec;
}

/** Keeps a successful answer in the session, in the parent's state and in the cache. A refused write fails the call. */
async function keepSuccess(
  instance: Instance,
  delegation: Delegation,
  spec: InstanceSpec,
  outcome: InstanceOutcome,
  slot: CallSlot,
  access: ChildAccess | undefined,
): Promise<ToolResult> {
  const isKept =
    !access || !mayWrite(delegation, outcome) || (await keepConversation(instance, delegation, access, outcome));
  access?.release();
  const committed = await commitChild(instance, delegation, spec, outcome, slot, childResult(spec, outcome));
  if (committed.isError) return committed;
  await mergeInOrder(instance, delegation, spec, outcome, slot);
  if (outcome.answer !== undefined) keepAnswer(instance, spec, outcome.answer);
  const result = withArtifacts(instance, spec, committed);
  const told = isKept
    ? result
    : { ...result, content: [{ type: 'text' as const, text: sessionNotKept }, ...result.content] };
  return access ? withSessionId(told, access) : told;
}

/** Merges histories in call order, as state is committed, so that the result does not depend on timing. */
async function mergeInOrder(
  instance: Instance,
  delegation: Delegation,
  spec: InstanceSpec,
  { conversation }: InstanceOutcome,
  slot: CallSlot,
): Promise<void> {
  if (!conversation || !mergesHistory(instance)) return;
  await turnToCommit(instance.run.scheduler, slot);
  mergeConversation(instance, delegation, spec, conversation.messages.slice(spec.history.length));
}

/** Adds the fields of the access to an instance. State that the parent hands down overwrites state kept in the session. */
function withAccess(spec: InstanceSpec, { route }: Delegation, access: ChildAccess | undefined): InstanceSpec {
  if (!access) return spec;
  const { remembered, ...start } = access.start;
  const state = route.options.state?.isolate ? { ...spec.state, ...remembered } : { ...remembered, ...spec.state };
  return { ...spec, ...start, state };
}

/** Adds the session id, with which the model can continue the session. */
function withSessionId(result: ToolResult, { session }: ChildAccess): ToolResult {
  if (session?.mode !== 'addressed') return result;
  const unknown =
    session.asked === undefined ? '' : `(There is no session '${session.asked}' here: this is a new one.)\n`;
  const header = { type: 'text' as const, text: `session_id: ${session.id}\n${unknown}` };
  return { ...result, content: [header, ...result.content], meta: { ...result.meta, sessionId: session.id } };
}

/** Closes the instances of a call that must not continue, if they have no end in the log. */
export async function closeDelegation(instance: Instance, delegation: Delegation): Promise<void> {
  const admission: Admission = {
    ok: true,
    input: '',
    attachments: [],
    mayCache: false,
    resultMode: 'postprocess',
  };
  instance.run.scheduler.dropReserved(delegation.step);
  for (let attempt = 1; ; attempt++) {
    const spec = instanceOf(instance, delegation, attempt, admission, instance.state.values);
    if (attempt > 1 && !instance.run.journal.isQueued(spec.path)) return;
    await instance.run.runInstance(spec);
  }
}

/** Adds the versions of artifacts that the child and its descendants saved in the space its parent reads. */
function withArtifacts({ run, spec: parent }: Instance, spec: InstanceSpec, result: ToolResult): ToolResult {
  if (spec.artifacts.space !== parent.artifacts.space) return result;
  const artifacts = run.artifacts.savedBelow(spec.path, spec.artifacts.space);
  return Object.keys(artifacts).length > 0 ? { ...result, meta: { ...result.meta, artifacts } } : result;
}

/** Codes of results after which a child is not tried again: it was stopped, or a person or a setting refused a call. */
const isFinal: ReadonlySet<string | undefined> = new Set(['AGENT_CANCELLED', 'APPROVAL_DENIED', 'APPROVAL_BLOCKED']);

/** False also for a refused call, which would be refused again. */
function isWorthAnother(result: ToolResult, admission: Admission): boolean {
  return admission.ok && !isFinal.has(result.errorCode);
}
