import { assert } from '@/lib/base/assert';
import type { CallId, StepKey } from '@/lib/base/ids';
import { isRecord, type Json, type JsonObject, parseJson } from '@/lib/base/json';
import type { Result } from '@/lib/base/result';
import { batchEnd } from './batch-end';
import { callState } from './call-state';
import { mergedMessages } from './child-memory';
import { CommitOrder } from './commit-order';
import { runControl } from './control-tools';
import { type Delegation, delegate, instanceOf, notAnObject, recordedDelegation } from './delegation';
import { type CallSlot, closeDelegation, commitState, runDelegation } from './delegation-call';
import type { RunError, ToolSource } from './events';
import { delegateThroughHooks, type HookableCall, portThroughHooks, throughHooks } from './hooked-call';
import { queueInstance } from './instance-queue';
import { instanceSurface } from './instance-surface';
import { stepKey } from './journal';
import type { Message, ToolCall, ToolResult } from './messages';
import { limitResult } from './result-size';
import type { Instance } from './run-state';
import { samplerOf } from './sampling';
import type { Surface, ToolRoute } from './surface';
import { cancelledResult, errorResult, thrownMessage } from './tool-error';
import { calledWorker } from './workers';

/** A call with everything decided that must not depend on what runs first: its step, its route, its child's number. */
type PreparedCall =
  | {
      readonly kind: 'recorded';
      readonly step: StepKey;
      readonly result: ToolResult;
      readonly delegation: Delegation | undefined;
    }
  /** Nothing may start any more; a child that the log left open is only closed. */
  | { readonly kind: 'cancelled'; readonly delegation: Delegation | undefined }
  | { readonly kind: 'refused'; readonly result: ToolResult; readonly delegation: undefined }
  | UnknownCall
  | PortCall
  | ChildCall;

interface PortCall {
  readonly kind: 'port';
  readonly step: StepKey;
  readonly call: ToolCall;
  readonly route: Extract<ToolRoute, { kind: 'port' }>;
  readonly args: JsonObject;
  readonly delegation: undefined;
}

/** Of a tool that nobody offers, by an agent with hooks: they come first. */
interface UnknownCall {
  readonly kind: 'unknown';
  readonly step: StepKey;
  readonly call: ToolCall;
  readonly args: JsonObject;
  readonly result: ToolResult;
  readonly delegation: undefined;
}

interface ChildCall {
  readonly kind: 'child';
  readonly step: StepKey;
  readonly call: ToolCall;
  readonly args: JsonObject | undefined;
  readonly delegation: Delegation;
}

export interface BatchResult {
  readonly callId: CallId;
  readonly result: ToolResult;
}

export interface Batch {
  /** In the order asked. */
  readonly results: readonly BatchResult[];
  /** Set when the agent's turn ends here: with this answer, or this error. */
  readonly end: Result<string, RunError> | undefined;
  /** What its children said that goes into the history, before the exchange that asked for it. */
  readonly merged: readonly Message[];
}

/**
 * Runs the calls of one model response together, as many at once as the limit allows, and returns the results in the order
 * asked. A call that fails is a result; none stops its siblings. A sequential tool is a barrier: what was asked
 * before it ends first, what was asked after it starts later.
 */
export async function runBatch(instance: Instance, calls: readonly ToolCall[]): Promise<Batch> {
  const { run, spec, plan, scope } = instance;
  // Ordinals are taken before the await: they are the steps' keys.
  const before = instance.toolCalls;
  instance.toolCalls += calls.length;
  const steps = calls.map((_, index) => stepKey(spec.path, 't', before + index + 1));
  const isLive = !scope.reason && steps.some((step) => !run.journal.toolEnd(step));
  const surface = isLive ? (instance.surface ?? (await currentSurface(instance))) : undefined;

  const prepared: PreparedCall[] = [];
  const order = new CommitOrder();
  const owners = new Map<string, number>();
  const results: ToolResult[] = [];
  for (const { from, to } of stretches(calls, surface)) {
    // Together, so that the timeline shows what waits; after the barrier, so that what it made can be called.
    for (let index = from; index < to; index++) {
      const [call, step] = [calls[index], steps[index]];
      assert(call && step, 'every call has a step');
      prepared.push(prepare(instance, call, step, surface));
    }
    const stateBefore = instance.state.values;
    await inOrder(prepared.slice(from, to), plan.maxParallel, async (call, offset) => {
      const index = from + offset;
      const slot: CallSlot = { index, order, stateBefore, owners, attempts: 0, cached: false };
      results[index] = await runCall(instance, call, slot);
      order.settle(index);
    });
  }
  const ended = prepared.map(({ delegation }, index) => ({ delegation, result: results[index] ?? cancelledResult }));
  return {
    results: calls.map((call, index) => ({ callId: call.id, result: results[index] ?? cancelledResult })),
    end: batchEnd(ended, spec),
    merged: mergedMessages(instance, new Set(steps)),
  };
}

/** No call of the batch runs, because of what happened before them; each gets a result that says so. */
export function refuseBatch(instance: Instance, calls: readonly ToolCall[], error: RunError): void {
  const { run, spec, scope } = instance;
  for (const call of calls) {
    instance.toolCalls += 1;
    const step = stepKey(spec.path, 't', instance.toolCalls);
    if (scope.reason || run.journal.toolEnd(step)) continue;
    const source = instance.surface?.routes.get(call.name)?.tool.source ?? 'runtime';
    const message = `Tool hook or execution failed during before_tool_call: ${error.message}`;
    refuse(instance, call, step, source, errorResult('HOOK_FAILED', message));
  }
}

/** Runs of calls that may overlap. */
function stretches(
  calls: readonly ToolCall[],
  surface: Surface | undefined,
): { readonly from: number; readonly to: number }[] {
  const found: { from: number; to: number }[] = [];
  let from = 0;
  calls.forEach((call, index) => {
    if (!surface?.routes.get(call.name)?.tool.sequential) return;
    if (from < index) found.push({ from, to: index });
    found.push({ from: index, to: index + 1 });
    from = index + 1;
  });
  if (from < calls.length) found.push({ from, to: calls.length });
  return found;
}

async function currentSurface(instance: Instance): Promise<Surface | undefined> {
  const whole = await instance.scope.race<Surface | undefined>(instance.plan.surface(), () => undefined);
  if (whole) instance.surface = instanceSurface(instance, whole);
  return instance.surface;
}

function prepare(instance: Instance, call: ToolCall, step: StepKey, surface: Surface | undefined): PreparedCall {
  const { run, scope } = instance;
  const recorded = run.journal.toolEnd(step);
  const known = recordedDelegation(instance, call, step);
  if (recorded) return { kind: 'recorded', step, result: recorded.result, delegation: known };
  if (scope.reason || !surface) return { kind: 'cancelled', delegation: known };

  const args = parseArguments(call.argumentsText);
  const found = routeOf(instance, call, surface, args);
  if (!found.ok) {
    const result = found.error;
    const hasHooks = run.hooks.chainOf(instance.spec.card, instance.spec.runHooks).length > 0;
    if (args && hasHooks) return { kind: 'unknown', step, call, args, result, delegation: undefined };
    return refuse(instance, call, step, found.source, result);
  }
  const { route } = found;
  if (route.kind === 'child') {
    const delegation = known ?? delegate(instance, call, step, route);
    noteStart(instance, call, step, 'agent', args, delegation);
    queueInstance(run, instanceOf(instance, delegation, 1));
    return { kind: 'child', step, call, args, delegation };
  }
  if (!args)
    return refuse(
      instance,
      call,
      step,
      route.port,
      errorResult('INPUT_VALIDATION', `Error: ${notAnObject(call.name)}`),
    );
  return { kind: 'port', step, call, route, args, delegation: undefined };
}

type Routed =
  | { readonly ok: true; readonly route: Exclude<ToolRoute, { kind: 'workers' }> }
  | { readonly ok: false; readonly source: ToolSource; readonly error: ToolResult };

/** Where a call goes; through `worker_call` to the worker it names. */
function routeOf(instance: Instance, call: ToolCall, surface: Surface, args: JsonObject | undefined): Routed {
  const route = surface.routes.get(call.name);
  if (route && route.kind !== 'workers') return { ok: true, route };
  if (route) {
    const worker = calledWorker(instance, args?.worker);
    if (worker.ok) return { ok: true, route: worker.value };
    return { ok: false, source: 'agent', error: errorResult('NOT_ALLOWED', `Error: ${worker.error}`) };
  }
  if (surface.inactive?.has(call.name)) {
    const error = errorResult('TOOL_INACTIVE', `Error: '${call.name}' is not available.`);
    return { ok: false, source: instance.wholeSurface?.routes.get(call.name)?.tool.source ?? 'runtime', error };
  }
  const available = [...surface.names].sort().join(', ') || 'none';
  const message = `Tool '${call.name}' is not available. Available tools: ${available}.`;
  return { ok: false, source: 'runtime', error: errorResult('UNKNOWN_TOOL', message) };
}

async function runCall(instance: Instance, prepared: PreparedCall, slot: CallSlot): Promise<ToolResult> {
  const { run, scope } = instance;
  switch (prepared.kind) {
    case 'recorded': {
      const change = run.journal.stateChange(prepared.step);
      if (change?.outcome === 'committed') instance.state.apply(change.delta);
      return prepared.result;
    }
    case 'refused':
      return prepared.result;
    case 'cancelled':
      if (prepared.delegation) await closeDelegation(instance, prepared.delegation);
      return cancelledResult;
    case 'unknown': {
      if (scope.reason) return cancelledResult;
      const { call, step, args } = prepared;
      noteStart(instance, call, step, 'runtime', args);
      const hookable = hookableOf(instance, prepared, slot, 'runtime');
      const result = await throughHooks(instance, hookable, () => Promise.resolve(prepared.result));
      return noteEnd(instance, call, step, result, slot);
    }
    case 'child': {
      const { call, step, delegation } = prepared;
      const hookable = hookableOf(instance, prepared, slot, 'agent');
      const result = await delegateThroughHooks(instance, hookable, delegation, (args) =>
        runDelegation(instance, delegation, args, slot),
      );
      // When a hook answered in its place it has not come back for the seat it had before a crash.
      run.seats.forgo(step);
      return noteEnd(instance, call, step, result, slot);
    }
    case 'port': {
      if (scope.reason) return cancelledResult;
      const { call, step, route, args } = prepared;
      const { source, serverName } = route.tool;
      noteStart(instance, call, step, source, args, undefined, serverName);
      const result = await portThroughHooks(
        instance,
        hookableOf(instance, prepared, slot, source, serverName),
        (given, key) => callPort(instance, { ...prepared, args: given }, key, slot),
        () => replayState(instance, step, slot),
      );
      return noteEnd(instance, call, step, result, slot);
    }
  }
}

function hookableOf(
  { spec }: Instance,
  { call, step, args, delegation }: UnknownCall | ChildCall | PortCall,
  { stateBefore: state }: CallSlot,
  source: ToolSource,
  serverName?: string,
): HookableCall {
  return {
    call,
    step,
    args,
    source,
    serverName,
    correlationId: delegation?.correlationId ?? spec.correlationId,
    state,
  };
}

/** What the tool wrote before a crash, when it does not run again. */
async function replayState(instance: Instance, step: StepKey, slot: CallSlot): Promise<void> {
  const change = instance.run.journal.stateChange(step);
  if (change?.outcome !== 'committed') return;
  await slot.order.turnOf(slot.index);
  commitState(instance, step, change.delta);
}

async function callPort(
  instance: Instance,
  { call, step, route, args }: PortCall,
  key: StepKey,
  slot: CallSlot,
): Promise<ToolResult> {
  const { run, spec, scope } = instance;
  if (route.control) return runControl(instance, route.control, args, step);
  const port = run.ports.tools[route.port];
  if (!port) return errorResult('NOT_ALLOWED', `Error: Tool '${call.name}' cannot run here.`);
  const state = callState(slot.stateBefore);
  let result: ToolResult;
  try {
    result = await port.call(route.tool, args, {
      runId: run.request.runId,
      path: spec.path,
      agentName: spec.card.name,
      instanceName: spec.name,
      callId: call.id,
      correlationId: spec.correlationId,
      idempotencyKey: key,
      signal: scope.signal,
      state,
      artifacts: run.artifacts.accessFor(spec.artifacts, spec.path, step),
      log: (body) => run.log(body, spec.path, step),
      sample: samplerOf(instance, key),
    });
  } catch (error) {
    return errorResult('TOOL_FAILED', `Error: ${thrownMessage(error)}`);
  }
  if (result.isError || Object.keys(state.written).length === 0) return result;
  await slot.order.turnOf(slot.index);
  if (!scope.reason) commitState(instance, step, state.written);
  return result;
}

function refuse(
  instance: Instance,
  call: ToolCall,
  step: StepKey,
  source: ToolSource,
  result: ToolResult,
): PreparedCall {
  noteStart(instance, call, step, source, parseArguments(call.argumentsText));
  return { kind: 'refused', result: noteEnd(instance, call, step, result), delegation: undefined };
}

function noteStart(
  { run, spec }: Instance,
  call: ToolCall,
  step: StepKey,
  source: ToolSource,
  args: JsonObject | undefined,
  delegation?: Delegation,
  serverName?: string,
): void {
  run.ports.events.append({
    kind: 'tool.started',
    path: spec.path,
    step,
    attempt: run.journal.nextAttempt(step),
    callId: call.id,
    toolName: call.name,
    source,
    serverName,
    arguments: run.recordable(args ?? call.argumentsText),
    correlationId: delegation?.correlationId ?? spec.correlationId,
  });
}

/** Records the result as the model will read it: a resumed run must not read another one. */
function noteEnd(
  { run, spec }: Instance,
  call: ToolCall,
  step: StepKey,
  whole: ToolResult,
  slot?: CallSlot,
): ToolResult {
  const result = limitResult(whole, run.limits.maxResultBytes);
  const cached = slot?.cached || undefined;
  run.ports.events.append({ kind: 'tool.ended', path: spec.path, step, callId: call.id, result, cached });
  return result;
}

/** Providers send nothing at all for a call without arguments. */
function parseArguments(text: string): JsonObject | undefined {
  if (text.trim() === '') return {};
  const value = parseJson(text);
  return isJsonObject(value) ? value : undefined;
}

function isJsonObject(value: Json | undefined): value is JsonObject {
  return isRecord(value);
}

/** Does `work` for all items, with at most `limit` under way; they begin in order. */
async function inOrder<T>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  if (items.length <= limit) {
    await Promise.all(items.map(work));
    return;
  }
  const queue = items.entries();
  async function serve(): Promise<void> {
    for (const [index, item] of queue) await work(item, index);
  }
  await Promise.all(Array.from({ length: limit }, serve));
}
