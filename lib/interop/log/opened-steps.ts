/** Makes the events of each kind of step: those of its start at once, and the one of its end when all inside has ended. */

import { brandAs, type CallId, type PendingId } from '@/lib/base/ids';
import type { EventBody } from '@/lib/runtime/record/events';
import { addUsage, noUsage, textOf, type Usage, withRecordedCost } from '@/lib/runtime/record/messages';
import { keyInCall, sampleKey, stepKey } from '@/lib/runtime/record/step-key';
import { type Around, decodedName, type ImportedLanes, type Lane } from './imported-lanes';
import type { ImportedStep } from './imported-step';
import type { PlacedStep } from './place-steps';
import { toolResultOf } from './tool-result';

/** A step that has begun. */
export interface OpenedStep {
  readonly began: readonly { readonly at: number; readonly body: EventBody }[];
  readonly end: () => EventBody;
  /** The instance and the call that the steps inside belong to. */
  readonly lane: Lane;
  readonly around: Around | undefined;
}

/** Opens an instance. `above` is the one that it is inside of. */
export function openInstance(
  lanes: ImportedLanes,
  place: PlacedStep,
  above: Lane | undefined,
  around: Around | undefined,
): OpenedStep {
  const { step } = place;
  const lane = lanes.laneFor(step, above, around);
  const queued: EventBody = {
    kind: 'instance.queued',
    path: lane.path,
    agentName: step.name,
    instanceName: decodedName(lane.path),
    correlationId: lane.correlationId,
    depth: lane.depth,
    ...(above !== undefined && { parent: above.path, parentCorrelationId: above.correlationId }),
    ...(around !== undefined && { callId: around.callId, parentStep: around.step }),
  };
  const asked = place.children.find((child) => child.step.kind === 'model' && child.step.input !== undefined);
  const { input = asked?.step.input ?? '', model } = step;
  const started: EventBody = {
    ...{ kind: 'instance.started', path: lane.path, input },
    ...(model !== undefined && { model }),
  };
  const startedAt = Math.min(place.start + (step.queuedMs ?? 0), place.end);
  const began = [
    { at: place.start, body: queued },
    { at: startedAt, body: started },
  ];
  return { began, end: () => instanceEnd(place, lane), lane, around: undefined };
}

function instanceEnd(place: PlacedStep, lane: Lane): EventBody {
  const { outcome, error, message } = place.step;
  const output = place.step.output ?? (message && textOf(message.content));
  const counted = lane.usage.inputTokens + lane.usage.outputTokens;
  lane.usage = ownUsage(lane, place.step);
  lane.isReported = counted === 0 && lane.usage.inputTokens + lane.usage.outputTokens > 0;
  if (lane.above !== undefined) lane.above.below = [lane.usage, lane.below].reduce(addUsage, lane.above.below);
  const answer = output ?? (outcome === 'ok' ? lane.lastAnswer : undefined);
  return {
    kind: 'instance.ended',
    path: lane.path,
    status: outcome === 'ok' ? 'completed' : outcome,
    usage: lane.usage,
    ...(answer !== undefined && { answer }),
    ...(error !== undefined && { error }),
  };
}

/**
 * Returns what an instance used itself. What it reports repeats its model calls and those below, unless its own calls are not in the
 * trace: then the rest is its own. An agent that reports less than those below reports itself alone. Its cost is left out where calls or
 * agents below have costs, which would count twice.
 */
function ownUsage({ usage, below }: Lane, { usage: given = noUsage, costUsd, isOwnCost }: ImportedStep): Usage {
  const reported = withRecordedCost(given, costUsd);
  if (usage.inputTokens + usage.outputTokens > 0) return usage;
  const { modelCalls } = usage;
  const own = { ...withoutBelow(reported, below), modelCalls };
  if (isOwnCost === true) return withRecordedCost(own, costUsd);
  const ofCalls = usage.recorded?.usd ?? 0;
  if (ofCalls > 0) return withRecordedCost(own, ofCalls);
  const isBeside = (reported.recorded?.usd ?? 0) > 0 && (below.recorded?.usd ?? 0) > 0;
  return isBeside ? own : withRecordedCost(own, reported.recorded?.usd);
}

/** Returns the tokens that remain without those below. */
function withoutBelow({ recorded: _, ...reported }: Usage, below: Usage): Usage {
  const input = reported.inputTokens - below.inputTokens;
  const output = reported.outputTokens - below.outputTokens;
  if (input < 0 || output < 0 || below.inputTokens + below.outputTokens === 0) return reported;
  const cached = Math.min(input, Math.max(0, reported.cachedInputTokens - below.cachedInputTokens));
  const { cacheWriteTokens: written = 0, ...others } = reported;
  const left = Math.min(input - cached, Math.max(0, written - (below.cacheWriteTokens ?? 0)));
  return {
    ...others,
    inputTokens: input,
    outputTokens: output,
    cachedInputTokens: cached,
    reasoningTokens: Math.max(0, reported.reasoningTokens - below.reasoningTokens),
    ...(left > 0 && { cacheWriteTokens: left }),
  };
}

export function openModel(place: PlacedStep, lane: Lane, around: Around | undefined): OpenedStep {
  const { step: from } = place;
  if (around !== undefined) around.samples += 1;
  else lane.numbers.m += 1;
  const step = around === undefined ? stepKey(lane.path, 'm', lane.numbers.m) : sampleKey(around.step, around.samples);
  const model = from.model ?? from.name;
  const { provider, messageCount = 0, tools = [], request } = from;
  const named = provider === undefined ? {} : { provider, modelName: model };
  const body: EventBody = {
    ...{ kind: 'model.started', path: lane.path, step, attempt: 1, model, messageCount, tools },
    ...named,
    ...(request !== undefined && { request }),
  };
  const usage = { ...withRecordedCost(from.usage ?? noUsage, from.costUsd), modelCalls: 1 };
  lane.usage = addUsage(lane.usage, usage);
  const end = (): EventBody => {
    const { message, costUsd, firstTokenMs, error, outcome } = from;
    if (message !== undefined && around === undefined) lane.lastAnswer = textOf(message.content) || lane.lastAnswer;
    const failure = outcome === 'ok' ? undefined : (error ?? { code: outcome, message: 'The call did not succeed.' });
    return {
      ...{ kind: 'model.ended', path: lane.path, step, usage, requests: 1 },
      ...(message !== undefined && { message }),
      ...(failure !== undefined && { error: outcome === 'cancelled' ? { ...failure, code: 'cancelled' } : failure }),
      ...(costUsd !== undefined && { costUsd }),
      ...(firstTokenMs !== undefined && { firstTokenMs }),
    };
  };
  return { began: [{ at: place.start, body }], end, lane, around };
}

/** Opens a tool call, or any other step, which is shown as a call. */
export function openTool(lanes: ImportedLanes, place: PlacedStep, lane: Lane): OpenedStep {
  const { step: from } = place;
  lane.numbers.t += 1;
  const step = stepKey(lane.path, 't', lane.numbers.t);
  const callId = brandAs<CallId>(from.callId ?? from.id);
  const correlationId = lanes.correlationOf(from.id);
  const isTool = from.kind === 'tool' && !place.isWrapper;
  const body: EventBody = {
    ...{ kind: 'tool.started', path: lane.path, step, attempt: 1, callId, correlationId, toolName: from.name },
    source: place.makesInstance ? 'agent' : isTool ? (from.source ?? 'function') : 'runtime',
    ...(from.serverName !== undefined && { serverName: from.serverName }),
    arguments: from.arguments ?? (isTool || from.input === undefined ? {} : from.input),
  };
  const failure = from.outcome === 'ok' ? undefined : (from.error?.message ?? `The call ended as ${from.outcome}.`);
  const whole = from.result ?? toolResultOf(from.output, failure, from.outcome);
  const result =
    from.outcome === 'cancelled' ? ({ ...whole, isError: true, errorCode: 'AGENT_CANCELLED' } as const) : whole;
  const end = (): EventBody => ({ kind: 'tool.ended', path: lane.path, step, callId, result });
  const around: Around = { step, callId, correlationId, samples: 0, hooks: 0 };
  return { began: [{ at: place.start, body }], end, lane, around };
}

export function openHook(place: PlacedStep, lane: Lane, around: Around | undefined): OpenedStep {
  const { name, phase = 'guardrail', error, outcome } = place.step;
  if (around !== undefined) around.hooks += 1;
  else lane.numbers.h += 1;
  const step =
    around === undefined ? stepKey(lane.path, 'h', lane.numbers.h) : keyInCall(around.step, '', around.hooks);
  const body: EventBody = {
    ...{ kind: 'hook.started', path: lane.path, step, attempt: 1, hook: name, phase },
    ...(around !== undefined && { around: around.step }),
  };
  const end = (): EventBody => ({
    ...{ kind: 'hook.ended', path: lane.path, step, calledNext: outcome === 'ok', changes: [] },
    ...(outcome !== 'ok' && { error: error?.message ?? `It ended as ${outcome}.` }),
  });
  return { began: [{ at: place.start, body }], end, lane, around };
}

/** Opens the time in which a call waits for a person. */
export function openWait({ step: from, start }: PlacedStep, lane: Lane, around: Around): OpenedStep {
  const item = brandAs<PendingId>(from.id);
  const asked: EventBody = {
    ...{ kind: 'person.asked', path: lane.path, step: around.step, item, what: 'approval' },
    sentence: 'The call waits for a person.',
  };
  const decision = from.output === 'deny' ? 'deny' : 'approve';
  const end = (): EventBody => ({
    ...{ kind: 'person.answered', path: lane.path, step: around.step, item, outcome: 'answered' },
    answer: { decision, by: from.input ?? 'a person', via: 'terminal' },
  });
  return { began: [{ at: start, body: asked }], end, lane, around };
}

export function openSetup(place: PlacedStep, lane: Lane, around: Around | undefined): OpenedStep {
  const { name, phase, error } = place.step;
  lane.numbers.s += 1;
  const step = stepKey(lane.path, 's', lane.numbers.s);
  const what = phase === 'server' ? 'server' : 'code';
  const body: EventBody = { kind: 'setup.started', path: lane.path, step, what, name };
  const end = (): EventBody => ({
    ...{ kind: 'setup.ended', path: lane.path, step },
    ...(error !== undefined && { error }),
  });
  return { began: [{ at: place.start, body }], end, lane, around };
}
