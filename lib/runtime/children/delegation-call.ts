import type { JsonObject } from '@/lib/base/json';
import type { Delegation } from '@/lib/runtime/delegation/delegation';
import { commitChild, mayWrite } from '@/lib/runtime/instance/commit-state';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { InstanceOutcome, InstanceSpec } from '@/lib/runtime/instance/instance-spec';
import { queueInstance } from '@/lib/runtime/instance/queue-instance';
import { type CallSlot, turnToCommit } from '@/lib/runtime/permits/call-slot';
import { type ToolResult, textOf } from '@/lib/runtime/record/messages';
import { mergeConversation, mergesHistory } from '@/lib/runtime/sessions/child-history';
import { keepConversation, type Seat, sessionNotKept, takeSeat } from '@/lib/runtime/sessions/child-memory';
import { childArtifacts } from '@/lib/runtime/state/artifacts';
import { cachedOutcome, keepAnswer } from './answer-cache';
import { childResult } from './child-result';
import { type Admission, admit, instanceOf } from './delegate';

/**
 * Runs a child for one call, from admission to the commit of what it wrote:
 *
 *   admit ▶ cache ▶ seat ▶ instance ▶ output schema ─ok─▶ session saved ▶ seat left ▶ write policies ▶ commit
 *                             ▲             │
 *                             └─ next attempt ◀─ failed, timed out or not valid
 *
 * Whoever waits for its turn to commit has given its seat back: an earlier call may need it to come to its own end.
 */
export async function runDelegation(
  instance: Instance,
  delegation: Delegation,
  args: JsonObject | undefined,
  slot: CallSlot,
): Promise<ToolResult> {
  const admitted = admit(instance, delegation, args);
  const mayReadArtifacts = admitted.ok && admitted.mayCache && instance.run.parsed.settings.runtime_tools.artifacts;
  const admission = mayReadArtifacts ? await withArtifactsSeen(instance, delegation, admitted) : admitted;
  const first = nextInstance(instance, delegation, admission, slot);
  const cached = await cachedOutcome(instance, first, slot);
  if (cached) return childResult(first, cached);
  const seat = admission.ok ? await takeSeat(instance, delegation, args, slot) : undefined;
  if (seat?.ok === false) return runSeated(instance, delegation, first, { ok: false, refusal: seat.error }, slot);
  try {
    return await runSeated(instance, delegation, first, admission, slot, seat?.value);
  } finally {
    seat?.value.leave();
    instance.run.seats.give(slot.permit);
  }
}

/** Of a call whose answer may serve again: the artifacts belong to what its child sees. */
async function withArtifactsSeen(
  { run, spec }: Instance,
  { path, route }: Delegation,
  admission: Extract<Admission, { ok: true }>,
): Promise<Admission> {
  try {
    const { space } = childArtifacts(spec.artifacts, path, route.options.artifacts);
    return { ...admission, artifacts: await run.artifacts.stateOf(space) };
  } catch {
    // What cannot be looked at may have changed.
    return { ...admission, mayCache: false };
  }
}

async function runSeated(
  instance: Instance,
  delegation: Delegation,
  first: InstanceSpec,
  admission: Admission,
  slot: CallSlot,
  seat?: Seat,
): Promise<ToolResult> {
  const { run, scope } = instance;
  let attempt: InstanceSpec = { ...first, refusal: admission.ok ? undefined : admission.refusal };
  for (let left = (delegation.route.options.max_attempts ?? 1) - 1; ; left--) {
    const spec = seated(attempt, delegation, seat);
    const outcome = await run.runInstance(spec);
    const result = childResult(spec, outcome);
    if (!result.isError) return keepSuccess(instance, delegation, spec, outcome, slot, seat);
    const next = instanceOf(instance, delegation, slot.attempts + 1);
    const mayGoOn = !scope.reason || run.journal.isQueued(next.path);
    if (left <= 0 || !isWorthAnother(result, admission) || !mayGoOn) return result;
    attempt = withReason(nextInstance(instance, delegation, admission, slot), result);
  }
}

/** The next instance begins anew: without the reason its model would only repeat an answer that was not accepted. */
function withReason(next: InstanceSpec, { errorCode, content }: ToolResult): InstanceSpec {
  if (errorCode !== 'OUTPUT_VALIDATION') return next;
  const why = textOf(content).replace(/^Error: /, '');
  return { ...next, input: `${next.input}\n\n(An earlier attempt was not accepted. ${why} Answer so that it fits.)` };
}

function nextInstance(instance: Instance, delegation: Delegation, admission: Admission, slot: CallSlot): InstanceSpec {
  slot.attempts += 1;
  const spec = instanceOf(instance, delegation, slot.attempts, admission, slot.stateBefore);
  // The first one was queued with its siblings.
  if (slot.attempts > 1) queueInstance(instance.run, spec);
  return spec;
}

/** What a success leaves behind: in its session, in the parent's state, in the cache. A write that is refused fails the call. */
async function keepSuccess(
  instance: Instance,
  delegation: Delegation,
  spec: InstanceSpec,
  outcome: InstanceOutcome,
  slot: CallSlot,
  seat: Seat | undefined,
): Promise<ToolResult> {
  const isKept =
    !seat || !mayWrite(delegation, outcome) || (await keepConversation(instance, delegation, seat, spec, outcome));
  seat?.leave();
  const committed = await commitChild(instance, delegation, spec, outcome, slot, childResult(spec, outcome));
  if (committed.isError) return committed;
  await mergeInOrder(instance, delegation, spec, outcome, slot);
  if (outcome.answer !== undefined) keepAnswer(instance, spec, outcome.answer);
  const result = withArtifacts(instance, spec, committed);
  const told = isKept
    ? result
    : { ...result, content: [{ type: 'text' as const, text: sessionNotKept }, ...result.content] };
  return seat ? withSessionId(told, seat) : told;
}

/** Histories are merged in the order the calls were asked, as state is, so that they are the same however long each takes. */
async function mergeInOrder(
  instance: Instance,
  delegation: Delegation,
  spec: InstanceSpec,
  { conversation }: InstanceOutcome,
  slot: CallSlot,
): Promise<void> {
  if (!conversation || !mergesHistory(instance)) return;
  await turnToCommit(instance.run.seats, slot);
  mergeConversation(instance, delegation, spec, conversation.messages.slice(spec.history.length));
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
    mayCache: false,
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
