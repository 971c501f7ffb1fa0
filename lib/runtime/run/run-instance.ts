import { ok, type Result } from '@/lib/base/result';
import { agentView, asksModel } from '@/lib/cards/agent-view';
import type { Card } from '@/lib/cards/card';
import { answerRefusal } from '@/lib/runtime/children/child-result';
import { withLifecycle } from '@/lib/runtime/hooks/turn-hooks';
import type { AgentSpec, Instance } from '@/lib/runtime/instance/instance';
import type { InstanceOutcome, InstanceSpec, Refusal } from '@/lib/runtime/instance/instance-spec';
import {
  maxCostMessage,
  maxTokensMessage,
  runTimeoutMessage,
  timeoutMessage,
} from '@/lib/runtime/instance/limit-messages';
import type { Run } from '@/lib/runtime/instance/run';
import { recordedSamples } from '@/lib/runtime/model/budget';
import type { RunError } from '@/lib/runtime/record/events';
import { type Message, textOf } from '@/lib/runtime/record/messages';
import { nothingSpent } from '@/lib/runtime/record/spending';
import { Scope } from '@/lib/runtime/scope';
import { InstanceState } from '@/lib/runtime/state/state';
import { groupsActiveAtFirst } from '@/lib/runtime/surface/tool-groups';
import { type Body, workflowBody } from '@/lib/runtime/workflows/body-of';
import { runLoop } from './run-loop';

/**
 * Runs a queued instance and always records its end; no other function does that. The instance's timeout starts here. An
 * instance whose end is in the log does not run again.
 */
export async function runInstance(run: Run, spec: InstanceSpec): Promise<InstanceOutcome> {
  const { journal } = run;
  const recorded = journal.instanceEnd(spec.path);
  if (recorded) {
    const { status, answer, error } = recorded;
    const outcome: InstanceOutcome = { status, answer, error, written: journal.writtenBy(spec.path) };
    const isNeeded = spec.keepsConversation && status === 'completed' && !recorded.cached;
    return isNeeded ? { ...outcome, conversation: await recordedConversation(run, spec) } : outcome;
  }
  const begun = journal.isStarted(spec.path);
  if (spec.refusal && !begun) return end(run, spec, failed(recordedRefusal(spec.refusal)));

  if (spec.scope.reason && !begun) return end(run, spec, stopped(run, spec, spec.scope));
  const problem = run.hooks.problemOf(agentView(spec.card), spec.runHooks);
  if (problem) return end(run, spec, failed(problem));
  const model = modelOf(run, spec);
  if (!model.ok) return end(run, spec, failed(model.error));
  if (!begun) noteStart(run, spec, asksModel(spec.card) ? model.value : undefined);

  const scope = new Scope(spec.scope);
  if (journal.timedOut(spec.path)) scope.cancel({ kind: 'agent_timeout', path: spec.path });
  measureTime(run, spec, scope);
  const instance = newInstance(run, spec, model.value, scope);
  try {
    const answer = await withLifecycle(instance, () => bodyOf(spec.card)(instance));
    // A cancellation that comes after the last step still counts, because it is recorded and a resumed run would see it
    // too.
    if (scope.reason) return end(run, spec, stopped(run, spec, scope), instance);
    return end(run, spec, answer.ok ? answered(instance, answer.value) : failed(answer.error), instance);
  } finally {
    // The time of the root is that of the run.
    if (spec.parent) run.times.stop(spec.path);
    scope.close();
  }
}

/** Ends a queued instance that cannot start, unless its end is in the log. */
export function failInstance(run: Run, spec: InstanceSpec, error: RunError): InstanceOutcome {
  const outcome = failed(error);
  return run.journal.instanceEnd(spec.path) ? outcome : end(run, spec, outcome);
}

function isOfAgent(spec: InstanceSpec): spec is AgentSpec {
  return spec.card.type === 'agent';
}

/** What an instance of a card does: a model's loop, or a workflow. */
function bodyOf(card: Card): Body {
  return card.type === 'agent' ? runLoop : workflowBody(card, runLoop);
}

/** A workflow that asks no model itself hands on the one that it would have, if there is any. */
function modelOf(run: Run, { card, handedModels }: InstanceSpec): Result<string, RunError> {
  const resolved = run.planOf(agentView(card)).modelOf(handedModels);
  if (resolved.ok) return ok(resolved.value.model);
  return asksModel(card) ? resolved : ok('');
}

function newInstance(run: Run, given: InstanceSpec, model: string, scope: Scope): Instance {
  const spec = isOfAgent(given) ? given : { ...given, card: agentView(given.card) };
  const text = run.journal.inputOf(spec.path) ?? spec.input;
  const request: Message = { role: 'user', content: [{ type: 'text', text }, ...spec.attachments] };
  return {
    run,
    spec,
    plan: run.planOf(spec.card),
    model,
    scope,
    messages: [...spec.history, request],
    state: new InstanceState(spec.state),
    spent: recordedSamples(run.ports, run.journal.sampledCalls(spec.path)),
    modelCalls: 0,
    toolCalls: 0,
    phaseHooks: 0,
    decisions: 0,
    turn: { batches: 0, pending: 1, sent: [], said: [request], kept: {}, requestParams: spec.card.requestParams },
    childCalls: new Map(),
    merges: [],
    activeGroups: new Set([
      ...(spec.activeGroups ?? groupsActiveAtFirst(run.parsed.settings, spec.card)),
      ...run.journal.activatedIn(spec.path),
    ]),
    surface: undefined,
    wholeSurface: undefined,
  };
}

/** Rebuilds the conversation of an instance whose end is in the log, from recorded steps alone. */
async function recordedConversation(run: Run, spec: InstanceSpec): Promise<InstanceOutcome['conversation']> {
  const model = modelOf(run, spec);
  const instance = newInstance(run, spec, model.ok ? model.value : '', spec.scope);
  await withLifecycle(instance, () => bodyOf(spec.card)(instance));
  return conversationOf(instance);
}

function conversationOf({ spec, messages, activeGroups }: Instance): InstanceOutcome['conversation'] {
  return spec.keepsConversation ? { messages, activeGroups: [...activeGroups] } : undefined;
}

function noteStart(run: Run, spec: InstanceSpec, model: string | undefined): void {
  run.ports.events.append({
    kind: 'instance.started',
    path: spec.path,
    input: spec.input,
    model,
    state: Object.keys(spec.state).length > 0 ? spec.state : undefined,
    cacheKey: spec.cacheKey,
    historyCount: spec.history.length > 0 ? spec.history.length : undefined,
    maxDisplayInstances: spec.card.type === 'agent' ? spec.card.maxDisplayInstances : undefined,
  });
}

/** Measures the time that the instance works, and starts its limit. The time of the root is that of the run. */
function measureTime(run: Run, spec: InstanceSpec, scope: Scope): void {
  if (!spec.parent) return;
  const time = run.times.start(spec.path, scope);
  const { timeoutMs } = spec;
  if (timeoutMs === undefined || scope.reason) return;
  time.limitTo(timeoutMs, () => {
    if (scope.reason) return;
    run.log({ level: 'warning', code: 'agent_timeout', message: timeoutMessage(spec) }, spec.path);
    scope.cancel({ kind: 'agent_timeout', path: spec.path });
  });
}

/** Checks the answer. If it does not fit the schema, the instance fails, and its record keeps the answer. */
function answered(instance: Instance, answer: string): InstanceOutcome {
  const { spec, state } = instance;
  const refused = answerRefusal(spec, answer);
  if (refused) return { ...failed(refused), answer };
  return {
    status: 'completed',
    answer,
    error: undefined,
    written: state.written,
    conversation: conversationOf(instance),
  };
}

/** Returns the last text of a child without an answer. Its caller reads it with the error. */
function lastWords({ spec, messages }: Instance): string | undefined {
  if (spec.parent === undefined) return undefined;
  const own = messages.slice(spec.history.length);
  const said = own.findLast((message) => message.role === 'assistant' && textOf(message.content).trim() !== '');
  return said?.role === 'assistant' ? textOf(said.content) : undefined;
}

function end(run: Run, spec: InstanceSpec, ended: InstanceOutcome, instance?: Instance): InstanceOutcome {
  const isUnanswered = ended.status !== 'completed' && ended.answer === undefined;
  const outcome = isUnanswered && instance ? { ...ended, answer: lastWords(instance) } : ended;
  run.questions.withdrawInstance(spec.path);
  run.ports.events.append({
    kind: 'instance.ended',
    path: spec.path,
    status: outcome.status,
    answer: outcome.answer,
    error: outcome.error,
    ...(instance?.spent ?? nothingSpent),
  });
  return outcome;
}

function recordedRefusal({ code, message, advice }: Refusal): RunError {
  return { code, message: advice === undefined ? message : `${message} ${advice}` };
}

function failed(error: RunError): InstanceOutcome {
  return { status: 'failed', answer: undefined, error, written: {} };
}

/** Returns the outcome of a cancelled instance: its own timeout, or the reason of the run. */
function stopped(run: Run, spec: InstanceSpec, scope: Scope): InstanceOutcome {
  const { reason } = scope;
  if (reason?.kind === 'agent_timeout' && reason.path === spec.path) {
    const error: RunError = { code: 'agent_timeout', message: timeoutMessage(spec) };
    return { status: 'timeout', answer: undefined, error, written: {} };
  }
  const isRoot = spec.parent === undefined;
  if (isRoot && reason?.kind === 'run_timeout') {
    const error: RunError = { code: 'run_timeout', message: runTimeoutMessage(run) };
    return { status: 'timeout', answer: undefined, error, written: {} };
  }
  if (isRoot && reason?.kind === 'max_tokens') return failed({ code: 'max_tokens', message: maxTokensMessage(run) });
  if (isRoot && reason?.kind === 'max_cost') return failed({ code: 'max_cost', message: maxCostMessage(run) });
  if (isRoot && reason?.kind === 'over_budget') return failed({ code: reason.kind, message: reason.message });
  const message = `Agent '${spec.card.name}' was cancelled.`;
  return { status: 'cancelled', answer: undefined, error: { code: 'cancelled', message }, written: {} };
}
