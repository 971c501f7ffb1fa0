import { assert } from '@/lib/base/assert';
import type { CallId } from '@/lib/base/ids';
import type { Result } from '@/lib/base/result';
import type { Instance } from '@/lib/runtime/instance/instance';
import { instanceSurface } from '@/lib/runtime/instance/instance-surface';
import { readySurface } from '@/lib/runtime/instance/ready-surface';
import { CallOrder } from '@/lib/runtime/permits/call-order';
import { type Permit, type Semaphore, semaphoreOf } from '@/lib/runtime/permits/call-scheduler';
import type { CallSlot } from '@/lib/runtime/permits/call-slot';
import type { RunError } from '@/lib/runtime/record/events';
import type { Message, ToolCall, ToolResult } from '@/lib/runtime/record/messages';
import { stepKey } from '@/lib/runtime/record/step-key';
import { cancelledResult } from '@/lib/runtime/record/tool-error';
import type { Scope } from '@/lib/runtime/scope';
import { needsAccess } from '@/lib/runtime/sessions/child-access';
import { mergedMessages } from '@/lib/runtime/sessions/child-history';
import { named } from '@/lib/runtime/surface/own-name';
import type { Surface } from '@/lib/runtime/surface/route';
import { batchEnd } from './batch-end';
import { isControlName } from './control-tools';
import { type PreparedCall, prepareCall, refuseCall } from './prepare-call';
import { runCall } from './run-call';

export interface BatchResult {
  readonly callId: CallId;
  readonly result: ToolResult;
}

export interface Batch {
  /** Results have the order of the calls. */
  readonly results: readonly BatchResult[];
  /** Set when the batch ends the agent's turn, with that answer or error. */
  readonly end: Result<string, RunError> | undefined;
  /** Messages of the children that are merged into the history. They go before the message that made the calls. */
  readonly merged: readonly Message[];
}

/**
 * Runs the calls of one model response in parallel, up to the limit, and returns the results in call order. A failed call
 * has an error as its result and does not stop the other calls. A sequential tool is a barrier: earlier calls end before it
 * starts, and later calls start after it ends. `steps`: the tools of the calls, for a workflow that makes the calls itself;
 * other calls are of the tools that the model was offered.
 */
export async function runBatch(instance: Instance, calls: readonly ToolCall[], steps?: Surface): Promise<Batch> {
  const { run, spec, plan, scope } = instance;
  // The calls are numbered before the await, because the numbers are part of their step keys and must not depend on timing.
  const before = instance.toolCalls;
  instance.toolCalls += calls.length;
  const keys = calls.map((_, index) => stepKey(spec.path, 't', before + index + 1));
  const isLive = !scope.reason && keys.some((step) => !run.journal.toolEnd(step));
  const offered = isLive && !steps ? (instance.surface ?? (await currentSurface(instance))) : undefined;
  const surface = steps ?? offered;

  const prepared: PreparedCall[] = [];
  const order = new CallOrder();
  const owners: CallSlot['owners'] = new Map();
  const results: ToolResult[] = [];
  for (const { from, to } of stretches(calls, surface)) {
    // All calls are prepared together, so that the timeline shows the waiting ones too. This happens after the barrier, so
    // that the calls may name agents that the barrier created.
    for (let index = from; index < to; index++) {
      const [call, step] = [calls[index], keys[index]];
      assert(call && step, 'every call has a step');
      prepared.push(prepareCall(instance, call, step, surface));
    }
    const stateBefore = instance.state.values;
    // As in fast-agent, the card's limit applies to children alone and does not delay its other tools.
    const others = semaphoreOf(run.limits.maxParallel);
    const children = semaphoreOf(plan.maxParallel);
    const nextTurn = childTurns();
    const work = async (call: PreparedCall, index: number, permit: Permit, childTurn: CallSlot['childTurn']) => {
      const slot: CallSlot = {
        index,
        permit,
        order,
        childTurn,
        stateBefore,
        owners,
        owned: undefined,
        attempts: 0,
        cached: false,
      };
      // There may be thousands of calls of which none waits for anything.
      const pause = run.ports.pause?.();
      if (pause) await workFor(scope, pause);
      results[index] = await runCall(instance, call, slot);
      run.scheduler.release(permit);
      childTurn?.order.settle(childTurn.index);
      order.settle(index);
    };
    const begin = (index: number) => {
      const call = prepared[index];
      assert(call, 'every call is prepared');
      const childTurn = nextTurn(call);
      const permit = permitOf(instance, call, index, call.kind === 'child' ? children : others);
      if (!runsSomething(call)) return work(call, index, permit, childTurn);
      // Nothing is allocated for a call before it starts, because there may be thousands of calls.
      return new Promise<void>((resolve) => {
        run.scheduler.begin(permit, () => resolve(work(call, index, permit, childTurn)));
      });
    };
    const begun: Promise<void>[] = [];
    for (let index = from; index < to; index++) {
      if (plan.isSequential) await begin(index);
      else begun.push(begin(index));
    }
    await Promise.all(begun);
  }
  const ended = prepared.map(({ delegation }, index) => ({
    delegation,
    result: results[index] ?? cancelledResult,
    isControl: isControlName(calls[index]?.name ?? ''),
  }));
  return {
    results: calls.map((call, index) => ({ callId: call.id, result: results[index] ?? cancelledResult })),
    end: batchEnd(ended, spec),
    merged: mergedMessages(instance, new Set(keys)),
  };
}

/** Refuses all calls of the batch, because a hook failed before them or a person ended the turn. Each call gets the result. */
export function refuseBatch(instance: Instance, calls: readonly ToolCall[], result: ToolResult): void {
  const { run, spec, scope } = instance;
  for (const call of calls) {
    instance.toolCalls += 1;
    const step = stepKey(spec.path, 't', instance.toolCalls);
    if (scope.reason || run.journal.toolEnd(step)) continue;
    const refused = named(instance.surface, call);
    const source = instance.surface?.routes.get(refused.name)?.tool.source ?? 'runtime';
    refuseCall(instance, refused, step, source, result);
  }
}

/** Waits for a pause. A call that has not begun counts as work: a run in which only others wait for people is suspended. */
async function workFor(scope: Scope, pause: Promise<void>): Promise<void> {
  const end = scope.work();
  await pause;
  end();
}

/** Splits the calls into groups that may run in parallel. A sequential call is a group of its own. */
function stretches(
  calls: readonly ToolCall[],
  surface: Surface | undefined,
): { readonly from: number; readonly to: number }[] {
  const found: { from: number; to: number }[] = [];
  let from = 0;
  calls.forEach((call, index) => {
    if (!surface?.routes.get(named(surface, call).name)?.tool.sequential) return;
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

/** Numbers the calls of each child that has a shared resource, in call order. */
function childTurns(): (call: PreparedCall) => CallSlot['childTurn'] {
  const orders = new Map<string, { readonly order: CallOrder; count: number }>();
  return ({ delegation }) => {
    if (!delegation || !needsAccess(delegation.route.options)) return undefined;
    const { name } = delegation.route.child;
    const known = orders.get(name) ?? { order: new CallOrder(), count: 0 };
    orders.set(name, known);
    return { order: known.order, index: known.count++ };
  };
}

function runsSomething({ kind }: PreparedCall): boolean {
  return kind === 'child' || kind === 'port' || kind === 'unknown';
}

/**
 * Calls start in call order, with one exception: calls that were running when a worker died start first, because other
 * calls may wait for the resources reserved for them.
 */
function permitOf({ run }: Instance, call: PreparedCall, index: number, semaphore: Semaphore): Permit {
  const isBack = call.kind === 'child' && run.journal.isChildOpen(call.step);
  return { semaphore, rank: isBack ? index - comesFirst : index, isHeld: false };
}

const comesFirst = 1_000_000_000;
