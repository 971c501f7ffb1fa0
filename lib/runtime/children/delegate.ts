import { canonicalJson } from '@/lib/base/canonical-json';
import { brandAs, type InstancePath, type StepKey } from '@/lib/base/ids';
import { type Json, type JsonObject, parseJson } from '@/lib/base/json';
import { own } from '@/lib/base/own';
import { sha256 } from '@/lib/base/sha256';
import { schemaFault } from '@/lib/runtime/delegation/check-input';
import type { ChildRoute } from '@/lib/runtime/delegation/child-route';
import { childRoute } from '@/lib/runtime/delegation/child-route';
import type { Delegation } from '@/lib/runtime/delegation/delegation';
import { argumentsProblem } from '@/lib/runtime/delegation/odd-arguments';
import { projectHistory } from '@/lib/runtime/delegation/project-history';
import { contractOf, readInput } from '@/lib/runtime/delegation/read-input';
import { type ResultMode, resultModeOf } from '@/lib/runtime/delegation/result-mode';
import { createdRoute, workerCallName, workerRoute } from '@/lib/runtime/delegation/workers';
import { calledWorker } from '@/lib/runtime/instance/called-worker';
import { handDown } from '@/lib/runtime/instance/forwarding';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { InstanceSpec, Refusal } from '@/lib/runtime/instance/instance-spec';
import type { ContentBlock, ToolCall } from '@/lib/runtime/record/messages';
import { initialHistory, messagesBefore } from '@/lib/runtime/sessions/child-history';
import { childArtifacts } from '@/lib/runtime/state/artifacts';
import { stateDown } from '@/lib/runtime/state/state';
import type { Surface } from '@/lib/runtime/surface/route';

/**
 * Makes the delegation of a call. Its instance is `Child[i]`, where i counts all calls of that child by this parent
 * instance. Must be called in the order of the calls and before any await, because the number must not depend on timing.
 */
export function delegate(instance: Instance, call: ToolCall, step: StepKey, route: ChildRoute): Delegation {
  const { run, spec } = instance;
  const { child, options } = route;
  const index = (instance.childCalls.get(child.name) ?? 0) + 1;
  instance.childCalls.set(child.name, index);
  return {
    route,
    call,
    step,
    index,
    path: pathBelow(spec.path, `${child.name}[${index}]`),
    correlationId: run.journal.correlationOf(step) ?? run.ports.newCorrelationId(),
    depth: spec.depth + 1,
    maxDepth: Math.min(options.max_depth ?? spec.maxDepth, spec.maxDepth),
    history: projectHistory(messagesBefore(instance, route), options.history),
  };
}

/** Returns the delegation that the log has for this call, if any. It gets the same number as before. */
export function recordedDelegation(
  instance: Instance,
  call: ToolCall,
  step: StepKey,
  surface: Surface | undefined,
): Delegation | undefined {
  const { run } = instance;
  const queued = run.journal.childOf(step);
  const offered = surface?.routes.get(call.name);
  const asStep = offered?.kind === 'child' && offered.asStep ? offered : undefined;
  const route = queued && (asStep ?? routeOf(instance, call.name, queued.agentName));
  return route && delegate(instance, call, step, route);
}

/**
 * Finds the route that a recorded call took by its tool and its child, because the tools offered at that time are not
 * recorded.
 */
function routeOf(instance: Instance, tool: string, agent: string): ChildRoute | undefined {
  const { run, plan } = instance;
  const { settings } = run.parsed;
  if (tool === workerCallName && plan.policy.hasWorkerCall) {
    const called = calledWorker(instance, agent);
    return called.ok ? called.value : undefined;
  }
  const created = run.createdAgents.get(agent);
  if (created) return createdRoute(plan.card, created, settings);
  const child = run.cards.get(agent);
  // A created agent calls children of its creator, with the settings of its creator's delegations.
  const parent = run.createdAgents.get(plan.card.name)?.creator ?? plan.card;
  if (!child) return undefined;
  if (parent.agents.includes(agent)) return childRoute(parent, child, settings, run.cards);
  return workerRoute(parent, child, settings, run.cards);
}

/**
 * What the child gets from the arguments of a call, or why it must not run. Depth, input and files are checked in this
 * order.
 */
export type Admission =
  | {
      readonly ok: true;
      readonly input: string;
      readonly attachments: readonly ContentBlock[];
      /** True if the answer of an equal call may be used. */
      readonly mayCache: boolean;
      /** Identifies the artifacts that the child may read, as `stateOf` returns it. It is part of the cache key. */
      readonly artifacts?: string;
      readonly resultMode: ResultMode;
    }
  | { readonly ok: false; readonly refusal: Refusal };

export function admit(instance: Instance, delegation: Delegation, given: JsonObject | undefined): Admission {
  const { run } = instance;
  const { route, call, depth, maxDepth } = delegation;
  const { child, options } = route;
  if (depth > maxDepth) return refuse('DEPTH_EXCEEDED', depthMessage(child.name, depth, maxDepth), depthAdvice);
  if (!given) return refuse('INPUT_VALIDATION', argumentsProblem(call));
  const { worker, ...rest } = given;
  if (route.viaWorkerCall && worker !== child.name) {
    return refuse('NOT_ALLOWED', `The call is for worker '${child.name}'; a hook cannot send it to another.`);
  }
  const args = route.viaWorkerCall ? rest : given;
  const mode = resultModeOf(instance, route, args);
  if (!mode.ok) return refuse('INPUT_VALIDATION', mode.error);
  const faulty = unusableSchema(route);
  if (faulty) return { ok: false, refusal: faulty };
  const input = readInput(route, args, call.name, run.folder);
  if (!input.ok) return refuse(input.error.code, input.error.message);
  const mayCache = options.cache === true && mayReuse(route);
  const attachments = [...(route.asStep?.attachments ?? []), ...input.value.attachments];
  return { ok: true, input: input.value.message, attachments, mayCache, resultMode: mode.value };
}

/**
 * Describes the n-th instance tried for a call: `Child[i]`, then `Child[i.2]`, `Child[i.3]`. `parentState` is the caller's
 * state when the delegation began. Without an admission the instance can only be queued.
 */
export function instanceOf(
  instance: Instance,
  delegation: Delegation,
  attempt: number,
  admission?: Admission,
  parentState: JsonObject = {},
): InstanceSpec {
  const { run, spec, plan } = instance;
  const { route, call, step, index, correlationId, depth, maxDepth, history } = delegation;
  const { child, options } = route;
  const name = `${child.name}[${attempt === 1 ? index : `${index}.${attempt}`}]`;
  // A slash in a name is replaced, because it would look like a level of the path.
  const path = brandAs<InstancePath>(`${spec.path}/${name.replaceAll('/', '%2F')}`);
  const admitted = admission?.ok ? admission : undefined;
  const state = stateDown(parentState, options.state?.down);
  return {
    card: child,
    path: pathBelow(spec.path, name),
    name,
    correlationId,
    depth,
    maxDepth,
    history,
    input: admitted?.input ?? '',
    attachments: admitted?.attachments ?? [],
    state,
    artifacts: childArtifacts(spec.artifacts, path, options.artifacts),
    handedModels: { edge: options.model, caller: instance.model },
    outputSchema: route.outputSchema,
    forward: handDown(spec.forward, options.forward_events),
    cacheKey: admitted?.mayCache ? cacheKeyOf(instance, delegation, admitted, state) : undefined,
    runHooks: spec.runHooks && options.inherit_run_hooks !== false,
    handsOn: spec.handsOn && options.enable_hitl === true && takesOver(instance),
    attempt,
    resultMode: admitted?.resultMode ?? 'postprocess',
    keepsConversation: false,
    heldResources: spec.heldResources,
    sessionId: undefined,
    activeGroups: undefined,
    timeoutMs: options.timeout_ms ?? secondsToMs(plan.card.childTimeoutSec) ?? run.limits.childTimeoutMs,
    scope: instance.scope,
    parent: { path: spec.path, correlationId: spec.correlationId, callId: call.id, step },
    refusal: admission && !admission.ok ? admission.refusal : undefined,
  };
}

/** True if the agent takes over children that wait for people. */
function takesOver({ run, spec }: Instance): boolean {
  return own(run.parsed.settings.enable_sub_agent_hitl, spec.card.name) === true;
}

/** False for a call whose answer must be its own: one that continues a conversation, or a sample of a vote. */
export function mayReuse({ options, asStep }: Pick<ChildRoute, 'options' | 'asStep'>): boolean {
  return !hasMemory(options) && asStep?.isSample !== true;
}

/** True if calls continue a conversation, so that an earlier answer cannot replace a new one. */
export function hasMemory({ session = 'none', isolation }: ChildRoute['options']): boolean {
  return session !== 'none' || isolation === 'shared';
}

/** A slash in the name is replaced, because it would look like a level of the path. */
function pathBelow(parent: InstancePath, name: string): InstancePath {
  return brandAs<InstancePath>(`${parent}/${name.replaceAll('/', '%2F')}`);
}

/**
 * The key covers everything the child begins with: its message and files, the state handed down, the conversation before
 * it, its caller's model, and the artifacts that it may read. It is a hash because it is recorded in the log, where the
 * arguments themselves may be redacted.
 */
function cacheKeyOf(
  instance: Instance,
  delegation: Delegation,
  { input, attachments, resultMode, artifacts }: Extract<Admission, { ok: true }>,
  state: JsonObject,
): string {
  const history = initialHistory(instance, delegation);
  // The order of members in a JSON message makes no difference.
  const model = instance.model;
  const seen = { input: parseJson(input) ?? input, attachments, resultMode, state, history, model, artifacts };
  // Conversion to text makes an absent member and an undefined one give the same key.
  const call: Json = [instance.plan.card.name, delegation.route.child.name, parseJson(JSON.stringify(seen)) ?? null];
  const hash = instance.run.ports.hash?.now ?? sha256;
  return hash(new TextEncoder().encode(canonicalJson(call)));
}

/** Refuses calls while a schema cannot be used, because without a check it would let everything through. */
function unusableSchema(route: ChildRoute): InstanceSpec['refusal'] {
  const { child, outputSchema } = route;
  const inputSchema = contractOf(route);
  const say = (what: string, fault: string) =>
    `The ${what} of agent '${child.name}' cannot be used, so it is not called: ${fault}.`;
  const advice = 'Correct the schema.';
  const input = inputSchema && schemaFault(inputSchema);
  if (input !== undefined) return { code: 'INPUT_VALIDATION', message: say('input schema', input), advice };
  const output = outputSchema && schemaFault(outputSchema);
  return output === undefined
    ? undefined
    : { code: 'OUTPUT_VALIDATION', message: say('output_schema', output), advice };
}

function refuse(code: Refusal['code'], message: string, advice?: string): Admission {
  return { ok: false, refusal: advice === undefined ? { code, message } : { code, message, advice } };
}

function depthMessage(child: string, depth: number, limit: number): string {
  return `Agent '${child}' would run at depth ${depth}; the limit is ${limit}. Do the task without it.`;
}

const depthAdvice = "Raise 'limits.max_depth' or the delegation's 'max_depth'.";

function secondsToMs(seconds: number | undefined): number | undefined {
  return seconds !== undefined && seconds > 0 ? seconds * 1_000 : undefined;
}
