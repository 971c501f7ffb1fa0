import type { CorrelationId, StepKey } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import { type CallIdentity, identityOf } from '@/lib/cards/hook-when';
import { instanceOf } from '@/lib/runtime/children/delegate';
import { closeDelegation } from '@/lib/runtime/children/delegation-call';
import type { Delegation } from '@/lib/runtime/delegation/delegation';
import { type PlacedLayer, scrubbedResult } from '@/lib/runtime/hook-layers/hook-layer';
import { layersAround, namesOf } from '@/lib/runtime/hooks/call-hooks';
import { type ChainView, runChain } from '@/lib/runtime/hooks/hook-chain';
import type { Instance } from '@/lib/runtime/instance/instance';
import { callersOf } from '@/lib/runtime/people/pass-gate';
import { demandedPlaces, hookBreaches } from '@/lib/runtime/policy/call-policy';
import type { PolicyCall } from '@/lib/runtime/policy/match-call';
import type { HookContext, ToolDescriptor } from '@/lib/runtime/ports';
import type { ToolSource } from '@/lib/runtime/record/events';
import { noUsage, type ToolResult, textOf } from '@/lib/runtime/record/messages';
import { limitResult } from '@/lib/runtime/record/result-size';
import { cancelledResult, errorResult } from '@/lib/runtime/record/tool-error';
import { Scope } from '@/lib/runtime/scope';
import type { NamedCall } from '@/lib/runtime/surface/own-name';

/** A tool call that hooks may wrap. */
export interface HookableCall {
  readonly call: NamedCall;
  readonly step: StepKey;
  /** `undefined` when the arguments are not a JSON object; then no hook runs. */
  readonly args: JsonObject | undefined;
  readonly source: ToolSource;
  /** Names the server if the tool comes from an MCP server. */
  readonly serverName: string | undefined;
  /** What rules of the team know the tool by. `undefined` for a call of a tool that does not exist. */
  readonly tool: ToolDescriptor | undefined;
  readonly correlationId: CorrelationId;
  /** The state of the calling instance. */
  readonly state: JsonObject;
  /** True if the result of an equal call may answer this one. */
  readonly mayReuse: boolean;
  /** Called when a hook answered with the cached result of an equal call. */
  noteCached(): void;
  /** Called when a hook starts to wait. The call does not count as running meanwhile. */
  noteWait(): void;
}

/**
 * Runs the tool with the arguments that the hooks produced. `key` is the idempotency key of this execution. `chain` is
 * `undefined` when no hook wraps the call.
 */
type Inner = (args: JsonObject | undefined, key: StepKey, chain?: ChainView) => Promise<ToolResult>;

/**
 * Runs a call inside the hooks that wrap it, if any. `mayKeep` returns false once the call has done more than answer, so that its result
 * must not answer an equal one.
 */
export async function throughHooks(
  instance: Instance,
  hookable: HookableCall,
  inner: Inner,
  mayKeep: () => boolean = always,
): Promise<ToolResult> {
  const { call, step, args, source, serverName } = hookable;
  if (!args || !mayBeWrapped(instance)) return inner(args, step);
  const identity = identityOf(source, serverName, call.name);
  const layers = layersAround(instance, identity, namesOf(call, hookable.tool));
  const ruled = hookable.tool && { tool: hookable.tool, callers: callersOf(instance) };
  const refusal = ruled && policyRefusal(instance, step, ruled, layers);
  if (refusal) return refusal;
  if (layers.length === 0) return inner(args, step);
  const context = contextOf(instance, hookable, identity);
  const { result, cached } = await runChain({
    instance,
    layers,
    demanded: ruled ? demandedPlaces(instance.run.ports.policy ?? [], ruled, layers) : new Set(),
    step,
    callId: call.id,
    context,
    args,
    call: inner,
    mayReuse: hookable.mayReuse,
    mayKeep,
    noteWait: hookable.noteWait,
  });
  if (cached) hookable.noteCached();
  return result;
}

function always(): true {
  return true;
}

/** False if neither hooks nor rules of the team are about any call of the instance. */
function mayBeWrapped({ run, spec }: Instance): boolean {
  return run.hooks.chainOf(spec.card, spec.runHooks).length > 0 || (run.ports.policy?.length ?? 0) > 0;
}

/** Returns the result of a call that breaks a rule of the team about hooks. Rules that only warn are noted in the log. */
function policyRefusal(
  { run, spec }: Instance,
  step: StepKey,
  call: PolicyCall,
  layers: readonly PlacedLayer[],
): ToolResult | undefined {
  const { policy = [] } = run.ports;
  const breaches = hookBreaches(policy, call, layers);
  const blocking = breaches.find(({ rule }) => rule.level === 'block');
  if (blocking) return errorResult('NOT_ALLOWED', `Error: ${blocking.message}`);
  for (const { message } of breaches) run.log({ level: 'warning', code: 'policy', message }, spec.path, step);
  return undefined;
}

/** What a port's tool gave, and what it wrote to the state. */
export interface PortResult {
  readonly result: ToolResult;
  /** `undefined` for a tool that failed or wrote nothing. */
  readonly written?: JsonObject | undefined;
}

/** How a call commits what its tool wrote. */
export interface Commit {
  /** True if the call must wait for earlier calls first. */
  mustWait(): boolean;
  /** Commits in call order. */
  commit(written: JsonObject): Promise<void>;
  /** Repeats what the tool of the execution `key` wrote before the log ended. */
  repeat(key: StepKey): Promise<void>;
}

/**
 * Runs a port's tool inside its hooks. A resumed run does not run the tool again once it has returned, so its own result is
 * recorded wherever something else comes between it and the end of the call: hooks, which do run again, or earlier calls that
 * commit their state first.
 */
export function portThroughHooks(
  instance: Instance,
  hookable: HookableCall,
  inner: (args: JsonObject, key: StepKey) => Promise<PortResult>,
  state: Commit,
): Promise<ToolResult> {
  const { run, spec, scope } = instance;
  let hasWritten = false;
  const whenCalled: Inner = async (args = {}, key, chain) => {
    const recorded = run.journal.toolReturned(key);
    if (recorded) {
      hasWritten ||= recorded.written !== undefined;
      await state.repeat(key);
      return recorded.result;
    }
    if (scope.reason) return cancelledResult;
    const { result: whole, written } = await scope.race(inner(args, key), () => cancelled);
    hasWritten ||= written !== undefined;
    if (scope.reason || chain?.isOver()) return whole;
    const isRecorded = chain !== undefined || (written !== undefined && state.mustWait());
    const result = isRecorded ? limitResult(whole, run.limits.maxResultBytes) : whole;
    if (isRecorded) {
      run.ports.events.append({
        kind: 'tool.returned',
        path: spec.path,
        step: key,
        callId: hookable.call.id,
        result: chain ? scrubbedResult(chain.layers, result) : result,
        ...(written && { written }),
      });
    }
    if (written) await scope.race(state.commit(written), () => undefined);
    return scope.reason ? cancelledResult : result;
  };
  return throughHooks(instance, hookable, whenCalled, () => !hasWritten);
}

const cancelled: PortResult = { result: cancelledResult };

/**
 * Runs a delegation inside its hooks. The delegation's instance is queued already. If a hook or `given` answers in place of the
 * child, the instance ends without running, and the timeline shows that.
 */
export async function delegateThroughHooks(
  instance: Instance,
  hookable: HookableCall,
  delegation: Delegation,
  inner: (args: JsonObject | undefined) => Promise<ToolResult>,
  given: () => ToolResult | undefined,
): Promise<ToolResult> {
  let running: Promise<ToolResult> | undefined;
  let isCached = false;
  const noteCached = () => {
    isCached = true;
    hookable.noteCached();
  };
  const result = await throughHooks(instance, { ...hookable, noteCached }, (args) => {
    const answer = given();
    if (answer) {
      isCached = !answer.isError;
      return Promise.resolve(answer);
    }
    running = inner(args);
    return running;
  });
  // After a cancellation the hooks end immediately, but the child still has to close its instances.
  if (running) await running;
  else await skip(instance, delegation, isCached ? textOf(result.content) : undefined);
  return result;
}

/**
 * Ends the instance of a delegation that a hook answered. `cached` is the result of an equal call, if the hook took its
 * answer from one.
 */
async function skip(instance: Instance, delegation: Delegation, cached: string | undefined): Promise<void> {
  const { run } = instance;
  const spec = instanceOf(instance, delegation, 1);
  if (instance.scope.reason || run.journal.instanceEnd(spec.path)) return closeDelegation(instance, delegation);
  if (run.journal.isStarted(spec.path)) {
    // The hooks ran again after a crash and decided differently this time, so the child that had started is closed.
    const scope = new Scope();
    scope.cancel({ kind: 'run_cancelled' });
    return closeDelegation({ ...instance, scope }, delegation);
  }
  const message = `A hook answered in place of agent '${spec.card.name}'.`;
  run.ports.events.append({
    kind: 'instance.ended',
    path: spec.path,
    ...(cached === undefined
      ? { status: 'cancelled', error: { code: 'not_called', message } }
      : { status: 'completed', answer: cached, cached: true }),
    usage: noUsage,
  });
}

function contextOf({ spec }: Instance, hookable: HookableCall, identity: CallIdentity): HookContext {
  const { call, correlationId, state } = hookable;
  return {
    agentName: spec.card.name,
    instanceName: spec.name,
    ...identity,
    toolUseId: call.id,
    correlationId,
    state,
  };
}
