import type { CallId } from '@/lib/base/ids';
import { err, ok, type Result } from '@/lib/base/result';

import type { RunError } from '@/lib/runtime/record/events';
import {
  type AssistantMessage,
  type Message,
  orNoResponse,
  type ToolResult,
  textOf,
} from '@/lib/runtime/record/messages';
import { withEditedText } from '@/lib/runtime/record/result-text';
import type { HookedInstance } from './hooked-instance';
import { editedAnswer, type PhaseChanges } from './phase-changes';
import { type HookStop, hasPhase, runPhase, stopOf } from './phase-hooks';
import { withProviderData } from './provider-data';
import { trimToolHistory } from './trim-tool-history';
import { noteSent, pendingOf } from './turn-view';

/**
 * The five phases of a turn, and what a failing hook does in each, as in fast-agent (docs/hooks.md):
 *
 *   before_llm ▶ model ▶ after_llm ▶ before_tool ▶ tools ▶ after_tool ▶ before_llm … ▶ after_turn_complete
 *     raises: turn fails   turn fails   turn ends in error   noted, ignored               turn fails
 *
 * A hook may return a history, which replaces what the model has read before; a message, which replaces the current one; and
 * messages to append. Before a model call and after the tools these are appended at once, otherwise after the results of the
 * batch.
 */

/** Runs before a model call; the current message is the last one. */
export async function beforeModel(instance: HookedInstance): Promise<Result<null, RunError>> {
  if (hasPhase(instance, 'before_llm_call')) {
    const done = await runPhase(instance, 'before_llm_call', { message: instance.messages.at(-1) });
    if (!done.ok) return done;
    applyHistory(instance, done.value);
    if (done.value.message) replaceLast(instance, done.value.message);
    append(instance, done.value.appendMessages ?? []);
  }
  noteSent(instance);
  return ok(null);
}

/** Adds messages that the model is to read next. */
export function append({ messages, turn }: HookedInstance, more: readonly Message[]): void {
  messages.push(...more);
  turn.pending += more.length;
}

export interface HookedAnswer {
  readonly message: AssistantMessage;
  /** Messages to append after the tools' results, because no message may come between a call and its result. */
  readonly appended: readonly Message[];
  /** Set if a hook stopped the turn. */
  readonly stop?: HookStop | undefined;
}

/** Runs after the model's message was added. */
export async function afterModel(
  instance: HookedInstance,
  message: AssistantMessage,
): Promise<Result<HookedAnswer, RunError>> {
  return editAnswer(instance, 'after_llm_call', message);
}

/** Runs before the calls of a message. The hook may change or remove them. */
export async function beforeTools(
  instance: HookedInstance,
  message: AssistantMessage,
): Promise<Result<HookedAnswer, RunError>> {
  return editAnswer(instance, 'before_tool_call', message);
}

async function editAnswer(
  instance: HookedInstance,
  phase: 'after_llm_call' | 'before_tool_call',
  message: AssistantMessage,
): Promise<Result<HookedAnswer, RunError>> {
  if (!hasPhase(instance, phase)) return ok({ message, appended: [] });
  const isTurnComplete = message.toolCalls.length === 0;
  const done = await runPhase(instance, phase, { message, isTurnComplete });
  if (!done.ok) return done;
  applyHistory(instance, done.value);
  const edited = editedAnswer(message, done.value.message);
  if (edited !== message) replaceLast(instance, edited);
  const stop = phase === 'after_llm_call' ? stopOf(instance, phase, done.value) : undefined;
  return ok({ message: edited, appended: done.value.appendMessages ?? [], ...(stop && { stop }) });
}

export interface NamedResult {
  readonly callId: CallId;
  readonly result: ToolResult;
}

/**
 * Runs after the results of a batch were added. A failure is logged and changes nothing. Returns the stop if the hook stopped the
 * turn.
 */
export async function afterTools(
  instance: HookedInstance,
  results: readonly NamedResult[],
): Promise<HookStop | undefined> {
  if (!hasPhase(instance, 'after_tool_call')) return undefined;
  const { run, spec, scope } = instance;
  const done = await runPhase(instance, 'after_tool_call', { message: { role: 'tool', results } });
  if (!done.ok) {
    if (!scope.reason)
      run.log({ level: 'warning', code: 'hook_failed', message: `${done.error.message} Ignored.` }, spec.path);
    return undefined;
  }
  applyHistory(instance, done.value);
  const { message } = done.value;
  if (message?.role === 'tool') {
    const edited = new Map(message.results.map(({ callId, result }) => [callId, result]));
    const kept = results.map(({ callId, result }) => {
      const changed = edited.get(callId);
      if (!changed) return { callId, result };
      return { callId, result: { ...withEditedText(result, changed), ...(result.meta && { meta: result.meta }) } };
    });
    replaceLast(instance, { role: 'tool', results: kept });
  }
  append(instance, done.value.appendMessages ?? []);
  return stopOf(instance, 'after_tool_call', done.value);
}

/** Runs once when the turn has ended, also after an error, but not when the instance was cancelled. */
export async function afterTurn(
  instance: HookedInstance,
  outcome: Result<string, RunError>,
): Promise<Result<string, RunError>> {
  const { messages, scope, spec } = instance;
  if (scope.reason) return outcome;
  if (!hasPhase(instance, 'after_turn_complete')) {
    if (spec.card.trimToolHistory) replaceAll(instance, trimToolHistory(messages));
    return outcome;
  }
  const last = messages.at(-1);
  const done = await runPhase(instance, 'after_turn_complete', { message: last, isTurnComplete: true });
  if (!done.ok) return outcome.ok ? done : outcome;
  applyHistory(instance, done.value);
  const { message } = done.value;
  if (message?.role !== 'assistant' || last?.role !== 'assistant') return outcome;
  replaceLast(instance, editedAnswer(last, message));
  return outcome.ok ? ok(orNoResponse(textOf(message.content))) : outcome;
}

/** Runs `on_start`, the work, `on_shutdown`. A failure of `on_start` fails the instance; one of `on_shutdown` is logged. */
export async function withLifecycle(
  instance: HookedInstance,
  work: () => Promise<Result<string, RunError>>,
): Promise<Result<string, RunError>> {
  const { run, spec, scope } = instance;
  const begun = await runPhase(instance, 'on_start');
  if (!begun.ok) return err(begun.error);
  const outcome = await work();
  if (scope.reason) return outcome;
  const ended = await runPhase(instance, 'on_shutdown');
  if (!ended.ok && !scope.reason) {
    run.log({ level: 'warning', code: 'hook_failed', message: `${ended.error.message} Ignored.` }, spec.path);
  }
  return outcome;
}

/** Replaces the history. Pending messages stay. */
function applyHistory(instance: HookedInstance, { conversation, messageHistory }: PhaseChanges): void {
  const before = [...instance.messages];
  if (conversation) replaceAll(instance, withProviderData(conversation, before));
  if (messageHistory) {
    replaceAll(instance, [...withProviderData(messageHistory, before), ...pendingOf(instance)]);
  }
}

/** Changes the list in place, because the loop and the model's request refer to it. */
function replaceAll({ messages }: HookedInstance, next: readonly Message[]): void {
  if (next !== messages) messages.splice(0, messages.length, ...next);
}

/** Replaces the last message by one of the same role. */
export function replaceLast({ messages }: HookedInstance, message: Message): void {
  if (messages.at(-1)?.role === message.role) messages[messages.length - 1] = message;
}
