import type { StepKey } from '@/lib/base/ids';
import { isRecord, type Json, type JsonObject, parseJson } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import type { CodeRef, ToolHookPhase } from '@/lib/cards/card';

import type { PhaseOutcome } from '@/lib/runtime/ports';
import type { EventBody, RunError } from '@/lib/runtime/record/events';
import type { Message } from '@/lib/runtime/record/messages';
import { stepKey } from '@/lib/runtime/record/step-key';
import { thrownMessage } from '@/lib/runtime/record/tool-error';
import type { HookedInstance } from './hooked-instance';
import { type PhaseChanges, readPhaseChanges, readRecordedChanges } from './phase-changes';
import { withoutProviderData } from './provider-data';
import { historyOf, pendingOf } from './turn-view';

type Phase = ToolHookPhase | 'on_start' | 'on_shutdown';
type Change = Extract<EventBody, { kind: 'hook.ended' }>['changes'][number];

const noChanges: PhaseChanges = {};
const cutOff = 'The call was cancelled.';

/**
 * Runs the card's hook for a phase, if there is one, and returns its changes. Each execution is a step `<path>#h<n>`. If
 * its end is in the log, the hook does not run again and the recorded changes apply. With the policy `skip`, a hook that
 * raises changes nothing. A failure has the code `hook_failed`; the caller decides what it means for the turn.
 */
export async function runPhase(
  instance: HookedInstance,
  phase: Phase,
  more: { readonly message?: Message | undefined; readonly isTurnComplete?: boolean } = {},
): Promise<Result<PhaseChanges, RunError>> {
  const hook = hookOf(instance, phase);
  if (!hook) return ok(noChanges);
  const { run, spec, scope } = instance;
  instance.phaseHooks += 1;
  const step = stepKey(spec.path, 'h', instance.phaseHooks);
  const policy = run.hooks.policyOf(hook);
  const isSkipped = policy.on_error === 'skip';

  const recorded = run.journal.hookEnd(step);
  if (recorded) {
    const read =
      recorded.error === undefined ? readRecordedChanges(changesFrom(recorded.changes)) : err(recorded.error);
    if (read.ok) return keep(instance, read);
    return isSkipped && !scope.reason ? ok(noChanges) : err(hookFailed(hook, phase, read.error));
  }
  const port = run.ports.hooks;
  if (scope.reason || !port) return err(hookFailed(hook, phase, cutOff));

  run.ports.events.append({
    kind: 'hook.started',
    path: spec.path,
    step,
    attempt: run.journal.nextAttempt(step),
    hook: hook.spec,
    phase,
  });
  const control = {
    signal: scope.signal,
    timeoutMs: policy.timeout_ms,
    log: (body: Parameters<typeof run.log>[0]) => run.log(body, spec.path, step),
  };
  const context = contextOf(instance, phase, more);
  const outcome = await scope.race<PhaseOutcome>(
    port
      .phase(hook, phase, context, control)
      .catch((error: unknown): PhaseOutcome => ({ ok: false, message: thrownMessage(error) })),
    () => ({ ok: false, message: cutOff }),
  );
  const read = outcome.ok ? readPhaseChanges(outcome.changes) : err(outcome.message);
  run.ports.events.append({
    kind: 'hook.ended',
    path: spec.path,
    step,
    calledNext: false,
    changes: outcome.ok && read.ok ? changesOf(outcome.changes, context) : [],
    error: read.ok ? undefined : read.error,
  });
  if (read.ok) return keep(instance, read);
  const error = hookFailed(hook, phase, read.error);
  if (!isSkipped || scope.reason) return err(error);
  run.log({ level: 'warning', code: 'hook_skipped', message: error.message }, spec.path, step);
  return ok(noChanges);
}

/** Keeps the runner's values and the request parameters for the next hook of the turn. */
function keep(
  { turn, spec }: HookedInstance,
  read: Result<PhaseChanges, RunError> & { ok: true },
): Result<PhaseChanges, RunError> {
  const { runner } = read.value;
  if (!runner) return read;
  turn.kept = runner;
  const changed = runner.request_params;
  if (isJsonObject(changed)) turn.requestParams = { ...spec.card.requestParams, ...changed };
  return read;
}

/** A hook that stopped the turn. */
export interface HookStop {
  /** The step of the hook. */
  readonly step: StepKey;
  /** The hook as written. */
  readonly hook: string;
  /** What the hook says to the person who decides. */
  readonly says: string;
}

/** Returns the stop of the hook that has just run, if it stopped the turn. */
export function stopOf(instance: HookedInstance, phase: Phase, { stop }: PhaseChanges): HookStop | undefined {
  const hook = hookOf(instance, phase);
  if (stop === undefined || !hook) return undefined;
  return { step: stepKey(instance.spec.path, 'h', instance.phaseHooks), hook: hook.spec, says: stop };
}

/** True if the card has a hook for the phase. */
export function hasPhase(instance: HookedInstance, phase: Phase): boolean {
  return hookOf(instance, phase) !== undefined;
}

function hookOf({ spec }: HookedInstance, phase: Phase): CodeRef | undefined {
  const { toolHooks, lifecycleHooks } = spec.card;
  if (phase === 'on_start' || phase === 'on_shutdown') return lifecycleHooks[phase];
  return toolHooks.form === 'phases' ? toolHooks.phases[phase] : undefined;
}

function hookFailed(hook: CodeRef, phase: Phase, message: string): RunError {
  // A message from the code host begins with the hook's name, which is removed here.
  const why = message.replace(`${hook.spec}: `, '');
  return { code: 'hook_failed', message: `Hook '${hook.spec}' failed in ${phase}: ${why}` };
}

/** Builds the context of a phase hook. `HookPort.phase` lists its members. */
function contextOf(
  instance: HookedInstance,
  phase: Phase,
  { message, isTurnComplete }: { readonly message?: Message | undefined; readonly isTurnComplete?: boolean },
): JsonObject {
  const { spec, spent, state, turn } = instance;
  const { card } = spec;
  const context = parseJson(
    JSON.stringify({
      agentName: spec.name,
      agentConfig: { name: card.name, model: instance.model, use_history: card.useHistory, tool_only: card.toolOnly },
      instanceName: spec.name,
      correlationId: spec.correlationId,
      iteration: turn.batches,
      isTurnComplete: isTurnComplete === true,
      message: message && withoutProviderData(message),
      messageHistory: historyOf(instance).map(withoutProviderData),
      deltaMessages: (phase === 'before_llm_call' ? pendingOf(instance) : turn.sent).map(withoutProviderData),
      turnMessages: turn.said.map(withoutProviderData),
      runner: turn.kept,
      usage: spent.usage,
      requestParams: { ...turn.requestParams, use_history: card.useHistory },
      state: state.values,
    }),
  );
  return isJsonObject(context) ? context : {};
}

const recordedAs = {
  message: 'message',
  messageHistory: 'history',
  conversation: 'conversation',
  appendMessages: 'appended',
  runner: 'runner',
  stop: 'stop',
} as const;
const hookKeys = ['messageHistory', 'message', 'appendMessages', 'runner', 'stop'] as const;
const recordedKeys = ['conversation', ...hookKeys] as const;

/** The changes are recorded uncut, because a resumed run applies them. */
function changesOf(changes: JsonObject, context: JsonObject): Change[] {
  const found: Change[] = [];
  for (const key of hookKeys) {
    const after = changes[key];
    if (after === undefined) continue;
    const before = key === 'message' ? (context.message ?? null) : null;
    found.push({ what: recordedAs[key], before, after });
  }
  return found;
}

function changesFrom(changes: readonly Change[]): JsonObject {
  const found: Record<string, Json> = {};
  for (const key of recordedKeys) {
    const change = changes.find(({ what }) => what === recordedAs[key]);
    if (change) found[key] = change.after;
  }
  return found;
}

function isJsonObject(value: Json | undefined): value is JsonObject {
  return isRecord(value);
}
