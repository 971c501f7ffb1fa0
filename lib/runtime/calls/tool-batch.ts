import { assert } from '@/lib/base/assert';
import type { CallId } from '@/lib/base/ids';
import type { Result } from '@/lib/base/result';
import { mergedMessages } from '@/lib/runtime/delegation/child-history';
import type { RunError } from '@/lib/runtime/events';
import { stepKey } from '@/lib/runtime/journal';
import type { Message, ToolCall, ToolResult } from '@/lib/runtime/messages';
import type { Instance } from '@/lib/runtime/run-state';
import { needsSeat } from '@/lib/runtime/sessions/child-memory';
import { readySurface } from '@/lib/runtime/setups';
import { instanceSurface } from '@/lib/runtime/surface/instance-surface';
import type { Surface } from '@/lib/runtime/surface/surface';
import { batchEnd } from './batch-end';
import { CallOrder } from './call-order';
import type { CallSlot } from './call-slot';
import { type PreparedCall, prepareCall, refuseCall } from './prepare-call';
import { runCall } from './run-call';
import { cancelledResult, errorResult } from './tool-error';

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
  const order = new CallOrder();
  const seating = new CallOrder();
  const owners = new Map<string, number>();
  const results: ToolResult[] = [];
  for (const { from, to } of stretches(calls, surface)) {
    // Together, so that the timeline shows what waits; after the barrier, so that what it made can be called.
    for (let index = from; index < to; index++) {
      const [call, step] = [calls[index], steps[index]];
      assert(call && step, 'every call has a step');
      prepared.push(prepareCall(instance, call, step, surface));
    }
    const stateBefore = instance.state.values;
    const work = async (call: PreparedCall, index: number) => {
      if (!call.delegation || !needsSeat(call.delegation.route.options)) seating.settle(index);
      const slot: CallSlot = { index, order, seating, stateBefore, owners, attempts: 0, cached: false };
      results[index] = await runCall(instance, call, slot);
      seating.settle(index);
      order.settle(index);
    };
    const indexed = prepared.slice(from, to).map((call, offset): IndexedCall => [call, from + offset]);
    const others = lane(plan.isSequential ? 1 : run.limits.maxParallel);
    // fast-agent's semaphore counts children alone, so a card's limit on them does not hold up its other tools. The first call
    // that has not ended has begun in its lane, so nobody waits for one that cannot begin.
    const children = plan.isSequential ? others : lane(plan.maxParallel);
    await inOrder(indexed, ([call]) => (call.kind === 'child' ? children : others), work);
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
    refuseCall(instance, call, step, source, errorResult('HOOK_FAILED', message));
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
  const whole = await readySurface(instance);
  if (whole) instance.surface = instanceSurface(instance, whole);
  return instance.surface;
}

/** A call with its place in the whole batch. */
type IndexedCall = readonly [PreparedCall, number];

/** Calls that share a limit on how many are under way. */
interface Lane {
  free: number;
  readonly waiting: IndexedCall[];
}

function lane(limit: number): Lane {
  return { free: limit, waiting: [] };
}

/** Does `work` for all calls. They begin in order; one whose lane is full begins when an earlier one of it has ended. */
async function inOrder(
  calls: readonly IndexedCall[],
  laneOf: (call: IndexedCall) => Lane,
  work: (call: PreparedCall, index: number) => Promise<void>,
): Promise<void> {
  const begun: Promise<void>[] = [];
  for (const one of calls) {
    const its = laneOf(one);
    if (its.free > 0) begun.push(serve(one, its));
    else its.waiting.push(one);
  }
  await Promise.all(begun);

  async function serve(first: IndexedCall, its: Lane): Promise<void> {
    its.free -= 1;
    for (let next: IndexedCall | undefined = first; next !== undefined; next = its.waiting.shift()) await work(...next);
  }
}
