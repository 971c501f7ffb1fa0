import { assert } from '@/lib/base/assert';
import type { CallId, StepKey } from '@/lib/base/ids';
import { isRecord, type Json, type JsonObject, parseJson } from '@/lib/base/json';
import { childResult, delegate, notAnObject, recordedDelegation } from './delegation';
import type { ToolSource } from './events';
import { queueInstance } from './instance-queue';
import { stepKey } from './journal';
import type { ToolCall, ToolResult } from './messages';
import { limitResult } from './result-size';
import type { Instance, InstanceSpec } from './run-state';
import type { Surface, ToolRoute } from './surface';
import { cancelledResult, errorResult, thrownMessage } from './tool-error';

/** A call with everything decided that must not depend on what runs first: its step, its route, its child's number. */
type PreparedCall =
  | { readonly kind: 'recorded'; readonly result: ToolResult }
  /** Nothing may start any more; a child that the log left open is only closed. */
  | { readonly kind: 'cancelled'; readonly child: InstanceSpec | undefined }
  | { readonly kind: 'refused'; readonly result: ToolResult }
  | PortCall
  | { readonly kind: 'child'; readonly step: StepKey; readonly call: ToolCall; readonly child: InstanceSpec };

interface PortCall {
  readonly kind: 'port';
  readonly step: StepKey;
  readonly call: ToolCall;
  readonly route: Extract<ToolRoute, { kind: 'port' }>;
  readonly args: JsonObject;
}

export interface BatchResult {
  readonly callId: CallId;
  readonly result: ToolResult;
}

/**
 * Runs the calls of one model response together, as many at once as the limit allows, and returns the results in the order
 * asked. A call that fails is a result; none stops its siblings.
 */
export async function runBatch(instance: Instance, calls: readonly ToolCall[]): Promise<readonly BatchResult[]> {
  const { run, spec, plan, scope } = instance;
  // Ordinals are taken before the await: they are the steps' keys.
  const before = instance.toolCalls;
  instance.toolCalls += calls.length;
  const steps = calls.map((_, index) => stepKey(spec.path, 't', before + index + 1));
  const isLive = !scope.reason && steps.some((step) => !run.journal.toolEnd(step));
  const surface = isLive ? (instance.surface ?? (await scope.race(plan.surface(), () => undefined))) : undefined;

  const prepared = calls.map((call, index) => {
    const step = steps[index];
    assert(step, 'every call has a step');
    return prepare(instance, call, step, surface);
  });
  const results = await inOrder(prepared, plan.maxParallel, (call) => runCall(instance, call));
  return calls.map((call, index) => ({ callId: call.id, result: results[index] ?? cancelledResult }));
}

function prepare(instance: Instance, call: ToolCall, step: StepKey, surface: Surface | undefined): PreparedCall {
  const { run, scope } = instance;
  const recorded = run.journal.toolEnd(step);
  const args = parseArguments(call.argumentsText);
  const known = recordedDelegation(instance, call, step, args);
  if (recorded) return { kind: 'recorded', result: recorded.result };
  if (scope.reason || !surface) return { kind: 'cancelled', child: known };

  const route = surface.routes.get(call.name);
  if (!route) {
    const available = [...surface.names].sort().join(', ') || 'none';
    const message = `Tool '${call.name}' is not available. Available tools: ${available}.`;
    return refuse(instance, call, step, 'runtime', errorResult('UNKNOWN_TOOL', message));
  }
  if (route.kind === 'child') {
    const child = known ?? delegate(instance, call, step, route, args);
    noteStart(instance, call, step, 'agent', args, child);
    queueInstance(run, child);
    return { kind: 'child', step, call, child };
  }
  if (!args)
    return refuse(
      instance,
      call,
      step,
      route.port,
      errorResult('INPUT_VALIDATION', `Error: ${notAnObject(call.name)}`),
    );
  return { kind: 'port', step, call, route, args };
}

async function runCall(instance: Instance, prepared: PreparedCall): Promise<ToolResult> {
  const { run, scope } = instance;
  switch (prepared.kind) {
    case 'recorded':
    case 'refused':
      return prepared.result;
    case 'cancelled':
      if (prepared.child) await run.runInstance(prepared.child);
      return cancelledResult;
    case 'child': {
      const outcome = await run.runInstance(prepared.child);
      return noteEnd(instance, prepared.call, prepared.step, childResult(prepared.child, outcome));
    }
    case 'port': {
      if (scope.reason) return cancelledResult;
      const { call, step, route, args } = prepared;
      noteStart(instance, call, step, route.tool.source, args, undefined, route.tool.serverName);
      const result = await scope.race(callPort(instance, prepared), () => cancelledResult);
      return noteEnd(instance, call, step, result);
    }
  }
}

async function callPort(instance: Instance, { call, step, route, args }: PortCall): Promise<ToolResult> {
  const { run, spec, scope } = instance;
  const port = run.ports.tools[route.port];
  if (!port) return errorResult('NOT_ALLOWED', `Error: Tool '${call.name}' cannot run here.`);
  try {
    return await port.call(route.tool, args, {
      runId: run.request.runId,
      path: spec.path,
      agentName: spec.card.name,
      instanceName: spec.name,
      callId: call.id,
      correlationId: spec.correlationId,
      idempotencyKey: step,
      signal: scope.signal,
      log: (body) => run.log(body, spec.path, step),
    });
  } catch (error) {
    return errorResult('TOOL_FAILED', `Error: ${thrownMessage(error)}`);
  }
}

function refuse(
  instance: Instance,
  call: ToolCall,
  step: StepKey,
  source: ToolSource,
  result: ToolResult,
): PreparedCall {
  noteStart(instance, call, step, source, parseArguments(call.argumentsText));
  return { kind: 'refused', result: noteEnd(instance, call, step, result) };
}

function noteStart(
  { run, spec }: Instance,
  call: ToolCall,
  step: StepKey,
  source: ToolSource,
  args: JsonObject | undefined,
  child?: InstanceSpec,
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
    arguments: args ?? call.argumentsText,
    correlationId: child?.correlationId ?? spec.correlationId,
  });
}

/** Records the result as the model will read it: a resumed run must not read another one. */
function noteEnd({ run, spec }: Instance, call: ToolCall, step: StepKey, whole: ToolResult): ToolResult {
  const result = limitResult(whole, run.limits.maxResultBytes);
  run.ports.events.append({ kind: 'tool.ended', path: spec.path, step, callId: call.id, result });
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

/** Like Promise.all over `work`, with at most `limit` under way; they begin in order. */
async function inOrder<T, R>(items: readonly T[], limit: number, work: (item: T) => Promise<R>): Promise<R[]> {
  if (items.length <= limit) return Promise.all(items.map(work));
  const results: R[] = [];
  const queue = items.entries();
  async function serve(): Promise<void> {
    for (const [index, item] of queue) results[index] = await work(item);
  }
  await Promise.all(Array.from({ length: limit }, serve));
  return results;
}
