import { parseExactJson } from '@/lib/base/exact-json';
import type { StepKey } from '@/lib/base/ids';
import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import { delegate, instanceOf, recordedDelegation } from '@/lib/runtime/children/delegate';
import type { Delegation } from '@/lib/runtime/delegation/delegation';
import { argumentsProblem } from '@/lib/runtime/delegation/odd-arguments';
import { workerCallName } from '@/lib/runtime/delegation/workers';
import { inactiveGroups, inactiveMessage } from '@/lib/runtime/instance/active-groups';
import { calledWorker } from '@/lib/runtime/instance/called-worker';
import type { Instance } from '@/lib/runtime/instance/instance';
import { queueInstance } from '@/lib/runtime/instance/queue-instance';
import type { ToolSource } from '@/lib/runtime/record/events';
import type { ToolCall, ToolResult } from '@/lib/runtime/record/messages';
import { errorResult } from '@/lib/runtime/record/tool-error';
import { type NamedCall, named } from '@/lib/runtime/surface/own-name';
import type { Surface, ToolRoute } from '@/lib/runtime/surface/route';
import { awaitedServer } from './await-server';
import { noteEnd, noteStart } from './call-events';

/**
 * A call with its step, its route and the number of its child. None of these may depend on timing, because a resumed run
 * must compute the same ones.
 */
export type PreparedCall =
  | {
      readonly kind: 'recorded';
      readonly step: StepKey;
      readonly result: ToolResult;
      readonly delegation: Delegation | undefined;
    }
  /** The run is stopping: nothing starts, and a child that has no end in the log is closed. */
  | { readonly kind: 'cancelled'; readonly delegation: Delegation | undefined }
  | { readonly kind: 'refused'; readonly result: ToolResult; readonly delegation: undefined }
  | UnknownCall
  | AwaitingCall
  | PortCall
  | ChildCall;

export interface PortCall {
  readonly kind: 'port';
  readonly step: StepKey;
  readonly call: NamedCall;
  readonly route: Extract<ToolRoute, { kind: 'port' }>;
  readonly args: JsonObject;
  readonly delegation: undefined;
}

/** A call that people have decided about, and whose server is down. */
export interface AwaitingCall {
  readonly kind: 'awaiting';
  readonly step: StepKey;
  readonly call: NamedCall;
  readonly args: JsonObject;
  readonly serverName: string;
  readonly delegation: undefined;
}

/** A call of a tool that does not exist, by an agent with hooks. The hooks run before the call is refused. */
export interface UnknownCall {
  readonly kind: 'unknown';
  readonly step: StepKey;
  readonly call: NamedCall;
  readonly args: JsonObject;
  readonly result: ToolResult;
  readonly delegation: undefined;
}

export interface ChildCall {
  readonly kind: 'child';
  readonly step: StepKey;
  readonly call: NamedCall;
  readonly args: JsonObject | undefined;
  readonly delegation: Delegation;
}

/** Prepares a call. Must be called in the order of the calls, before any await: it assigns numbers and records events. */
export function prepareCall(
  instance: Instance,
  asked: ToolCall,
  step: StepKey,
  surface: Surface | undefined,
): PreparedCall {
  const { run, scope } = instance;
  // Hooks may have written names too, and an earlier call of the batch may have created the agent.
  const call = named(surface, asked);
  const recorded = run.journal.toolEnd(step);
  const known = recordedDelegation(instance, call, step, surface);
  if (recorded) {
    run.requests.noteResult(recorded.result, step, call.id);
    return { kind: 'recorded', step, result: recorded.result, delegation: known };
  }
  if (scope.reason || !surface) return { kind: 'cancelled', delegation: known };

  const args = parseArguments(call.argumentsText);
  const found = routeOf(instance, call, surface, args);
  if (!found.ok) {
    const serverName = args && awaitedServer(instance, step);
    if (args && serverName !== undefined)
      return { kind: 'awaiting', step, call, args, serverName, delegation: undefined };
    const result = found.error;
    const hasHooks = run.hooks.chainOf(instance.spec.card, instance.spec.runHooks).length > 0;
    if (args && hasHooks) return { kind: 'unknown', step, call, args, result, delegation: undefined };
    return refuseCall(instance, call, step, found.source, result);
  }
  const { route } = found;
  if (route.kind === 'child') {
    const delegation = known ?? delegate(instance, call, step, route);
    if (!run.journal.isContinued(step)) noteStart(instance, call, step, 'agent', args, delegation);
    queueInstance(run, instanceOf(instance, delegation, 1));
    return { kind: 'child', step, call, args, delegation };
  }
  if (!args)
    return refuseCall(
      instance,
      call,
      step,
      route.port,
      errorResult('INPUT_VALIDATION', `Error: ${argumentsProblem(call)}`),
    );
  return { kind: 'port', step, call, route, args, delegation: undefined };
}

type Routed =
  | { readonly ok: true; readonly route: Exclude<ToolRoute, { kind: 'workers' }> }
  | { readonly ok: false; readonly source: ToolSource; readonly error: ToolResult };

/** Returns the route of a call. For `worker_call` this is the route to the worker that the arguments name. */
function routeOf(instance: Instance, call: NamedCall, surface: Surface, args: JsonObject | undefined): Routed {
  const route = surface.routes.get(call.name);
  if (route && route.kind !== 'workers') return { ok: true, route };
  const inactive = surface.inactive?.get(call.name);
  if (inactive) return refuseInactive(instance, call.name, inactive);
  // `worker_call` is not offered when every worker has its own tool. A model that calls it anyway gets an error that says
  // so.
  if (route || isLeftOut(instance, call.name)) {
    if (!args) {
      const error = errorResult('INPUT_VALIDATION', `Error: ${argumentsProblem(call)}`);
      return { ok: false, source: 'agent', error };
    }
    const worker = calledWorker(instance, args.worker);
    if (worker.ok) {
      const { name } = worker.value.child;
      return inactiveGroups(instance, worker.value).length > 0
        ? refuseInactive(instance, name, worker.value)
        : { ok: true, route: worker.value };
    }
    return { ok: false, source: 'agent', error: errorResult('NOT_ALLOWED', `Error: ${worker.error}`) };
  }
  const available = [...surface.names].sort().join(', ') || 'none';
  const message = `Tool '${call.name}' is not available. Available tools: ${available}.`;
  return { ok: false, source: 'runtime', error: errorResult('UNKNOWN_TOOL', message) };
}

function refuseInactive(instance: Instance, name: string, route: ToolRoute): Routed {
  const message = inactiveMessage(instance, name, inactiveGroups(instance, route));
  return { ok: false, source: route.tool.source, error: errorResult('TOOL_INACTIVE', `Error: ${message}`) };
}

function isLeftOut({ plan }: Instance, name: string): boolean {
  return name === workerCallName && plan.policy.onlyAsTools.length > 0;
}

/** Refuses a call. The log gets a start and an end for it too, so that every call of the model has a result. */
export function refuseCall(
  instance: Instance,
  call: NamedCall,
  step: StepKey,
  source: ToolSource,
  result: ToolResult,
): PreparedCall {
  noteStart(instance, call, step, source, parseArguments(call.argumentsText));
  return { kind: 'refused', result: noteEnd(instance, call, step, result), delegation: undefined };
}

/** Some providers send an empty text or null for a call without arguments. */
function parseArguments(text: string): JsonObject | undefined {
  if (text.trim() === '') return {};
  const value = parseExactJson(text);
  if (value === null) return {};
  return isJsonObject(value) ? value : undefined;
}

function isJsonObject(value: Json | undefined): value is JsonObject {
  return isRecord(value);
}
