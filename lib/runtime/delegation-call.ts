import type { StepKey } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import { canonicalJson } from './canonical-json';
import { keepConversation, type Seat, takeSeat } from './child-memory';
import { answerText, parseAnswer } from './child-output';
import type { CommitOrder } from './commit-order';
import { type Admission, admit, type Delegation, instanceOf } from './delegation';
import { queueInstance } from './instance-queue';
import { noUsage, type ToolResult } from './messages';
import type { Instance, InstanceOutcome, InstanceSpec } from './run-state';
import { stateRefusal, stateUp } from './state';
import { errorResult } from './tool-error';

/** The place of one call in its batch. */
export interface CallSlot {
  readonly index: number;
  readonly order: CommitOrder;
  /** The caller's state when the call could begin. */
  readonly stateBefore: JsonObject;
  /** Calls of this batch that work out an answer others may share, by key. */
  readonly owners: Map<string, number>;
  /** Instances tried so far. */
  attempts: number;
  /** Set when the result is that of an equal call. */
  cached: boolean;
}

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
      const committed = withArtifacts(instance, spec, await commit(instance, delegation, spec, outcome, slot, result));
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

/** R-54: what the model needs to go on with the session. */
function withSessionId(result: ToolResult, { session }: Seat): ToolResult {
  if (session?.mode !== 'addressed') return result;
  const unknown =
    session.asked === undefined ? '' : `(There is no session '${session.asked}' here: this is a new one.)\n`;
  const header = { type: 'text' as const, text: `session_id: ${session.id}\n${unknown}` };
  return { ...result, content: [header, ...result.content] };
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

/** Names the versions that the child, and those below it, left where its parent sees them (R-27). */
function withArtifacts({ run, spec: parent }: Instance, spec: InstanceSpec, result: ToolResult): ToolResult {
  if (spec.artifacts.space !== parent.artifacts.space) return result;
  const artifacts = run.artifacts.savedBelow(spec.path, spec.artifacts.space);
  return Object.keys(artifacts).length > 0 ? { ...result, meta: { ...result.meta, artifacts } } : result;
}

/** What the parent's model reads of a finished child (R-50, R-52). */
export function childResult(spec: InstanceSpec, outcome: InstanceOutcome): ToolResult {
  const text = `Error: ${outcome.error?.message ?? `Agent '${spec.card.name}' failed.`}`;
  switch (outcome.status) {
    case 'completed':
      return answerResult(spec, outcome.answer ?? '');
    case 'timeout':
      return errorResult('AGENT_TIMEOUT', text);
    case 'cancelled':
      return errorResult('AGENT_CANCELLED', text);
    case 'failed':
      return errorResult(spec.refusal?.code ?? 'AGENT_FAILED', text);
  }
}

function answerResult(spec: InstanceSpec, answer: string): ToolResult {
  if (!spec.outputSchema) return { content: [{ type: 'text', text: answer }], isError: false };
  const parsed = parseAnswer(spec.outputSchema, answer);
  if (!parsed.ok) {
    const message = `Error: The answer of agent '${spec.card.name}' is not valid: ${parsed.error}.`;
    return errorResult('OUTPUT_VALIDATION', message);
  }
  const content = [{ type: 'text' as const, text: answerText(parsed.value) }];
  return { content, isError: false, structuredContent: parsed.value };
}

/** What was refused would be refused again, and what was cancelled is not wanted any more. */
function isWorthAnother(result: ToolResult, admission: Admission): boolean {
  return admission.ok && result.errorCode !== 'AGENT_CANCELLED';
}

/**
 * The answer of an equal call (R-123): one that ended, anywhere in the run, or one of this batch that is under way and then
 * succeeds. An instance that the log says has begun goes on by itself.
 */
async function cachedOutcome(
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
    // When the owner fails, the first that waits becomes the owner and the others wait for it.
    await slot.order.turnOf(owner + 1);
    if (scope.reason) return undefined;
  }
  slot.owners.set(key, slot.index);
  return undefined;
}

function keepAnswer({ run }: Instance, spec: InstanceSpec, answer: string): void {
  if (spec.cacheKey !== undefined && !run.answers.has(spec.cacheKey)) run.answers.set(spec.cacheKey, answer);
}

/** Takes over what the child wrote, in the order the calls were asked, or refuses the call because of it (R-24, R-25). */
async function commit(
  instance: Instance,
  { route, step }: Delegation,
  spec: InstanceSpec,
  outcome: InstanceOutcome,
  slot: CallSlot,
  result: ToolResult,
): Promise<ToolResult> {
  const delta = stateUp(outcome.written);
  if (Object.keys(delta).length === 0) return result;
  await slot.order.turnOf(slot.index);
  const options = route.options.state ?? {};
  if (options.isolate) {
    note(instance, step, delta, 'discarded', { from: spec.path });
    return result;
  }
  const refusal = stateRefusal(route.child.name, delta, slot.stateBefore, instance.state.values, options);
  if (refusal) {
    note(instance, step, delta, 'refused', { from: spec.path, reason: refusal.message });
    return errorResult(refusal.code, `Error: ${refusal.message}`);
  }
  commitState(instance, step, delta, spec.path);
  return result;
}

/** Changes the state of an instance, on record. */
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
