import type { StepKey } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import { mayReuse } from '@/lib/runtime/children/delegate';
import { closeDelegation, runDelegation } from '@/lib/runtime/children/delegation-call';
import { commitState } from '@/lib/runtime/instance/commit-state';
import type { Instance } from '@/lib/runtime/instance/instance';
import { samplerOf } from '@/lib/runtime/model/sampling';
import { keptFor, serverAskerOf } from '@/lib/runtime/people/ask-for-server';
import { askForResult, externalOf } from '@/lib/runtime/people/external-tools';
import { askHuman, isHumanInput } from '@/lib/runtime/people/human-input';
import { type CallSlot, turnToCommit } from '@/lib/runtime/permits/call-slot';
import type { ToolDescriptor } from '@/lib/runtime/ports';
import type { EventOf, ToolSource } from '@/lib/runtime/record/events';
import type { ToolResult } from '@/lib/runtime/record/messages';
import { cancelledResult, errorResult, thrownMessage } from '@/lib/runtime/record/tool-error';
import { callState } from '@/lib/runtime/state/call-state';
import { routeWhenBack } from './await-server';
import { noteEnd, noteStart } from './call-events';
import { runControl } from './control-tools';
import { gated } from './gated-call';
import { givenAnswer } from './given-answer';
import {
  type Commit,
  delegateThroughHooks,
  type HookableCall,
  type PortResult,
  portThroughHooks,
  throughHooks,
} from './hooked-call';
import type { ChildCall, PortCall, PreparedCall, UnknownCall } from './prepare-call';

/** Runs one call inside its hooks and resolves when its end is recorded. Does not reject when a tool fails. */
export async function runCall(instance: Instance, prepared: PreparedCall, slot: CallSlot): Promise<ToolResult> {
  const { run, scope } = instance;
  switch (prepared.kind) {
    case 'recorded': {
      const change = run.journal.stateChange(prepared.step);
      if (change?.outcome === 'committed') {
        // In a record taken from another run, an earlier call of the batch may still be open.
        await turnToCommit(run.scheduler, slot);
        if (run.journal.isBehindContinued(prepared.step)) noteStateAgain(instance, change);
        instance.state.apply(change.delta);
      }
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
    case 'awaiting': {
      if (scope.reason) return cancelledResult;
      const { call, step, args, serverName } = prepared;
      const route = await routeWhenBack(instance, step, { name: call.name, serverName }, slot);
      if ('content' in route) return noteEnd(instance, call, step, route, slot);
      return runCall(instance, { kind: 'port', step, call, route, args, delegation: undefined }, slot);
    }
    case 'child': {
      const { call, step, delegation } = prepared;
      const hookable = hookableOf(instance, prepared, slot, 'agent', delegation.route.tool);
      const result = await delegateThroughHooks(
        instance,
        hookable,
        delegation,
        (args) => runDelegation(instance, delegation, args, slot),
        // A child that has begun goes on, whatever was pinned meanwhile.
        () => (run.journal.isStarted(delegation.path) ? undefined : givenAnswer(instance, call, step)),
      );
      // After a crash resources are reserved for this call. A hook may have answered in its place, so it never acquired
      // them.
      run.scheduler.dropReserved(step);
      return noteEnd(instance, call, step, result, slot);
    }
    case 'port': {
      if (scope.reason) return cancelledResult;
      const { call, step, route, args } = prepared;
      const { source, serverName } = route.tool;
      noteStart(instance, call, step, source, args, undefined, serverName);
      const result = await portThroughHooks(
        instance,
        hookableOf(instance, prepared, slot, source, route.tool),
        (given, key) => callPort(instance, { ...prepared, args: given }, key, slot),
        commitOf(instance, step, slot),
      );
      return noteEnd(instance, call, step, result, slot);
    }
  }
}

/** Records a change of state after those of earlier calls that were still open when it was recorded first. The last write counts. */
function noteStateAgain({ run }: Instance, { seq: _seq, at: _at, ...change }: EventOf<'state.changed'>): void {
  run.ports.events.append(change);
}

function hookableOf(
  { run: { scheduler }, spec }: Instance,
  { call, step, args, delegation }: UnknownCall | ChildCall | PortCall,
  slot: CallSlot,
  source: ToolSource,
  tool?: ToolDescriptor,
): HookableCall {
  return {
    call,
    step,
    args,
    source,
    serverName: tool?.serverName,
    tool,
    correlationId: delegation?.correlationId ?? spec.correlationId,
    state: slot.stateBefore,
    // Built-in tools read and change the run itself.
    mayReuse: delegation ? mayReuse(delegation.route) : source !== 'runtime',
    noteCached: () => {
      slot.cached = true;
    },
    noteWait: () => scheduler.release(slot.permit),
  };
}

/** Commits what the tool of a call writes to its caller's state, once earlier calls have ended. */
function commitOf(instance: Instance, step: StepKey, slot: CallSlot): Commit {
  const { scheduler } = instance.run;
  const commit = async (written: JsonObject) => {
    await turnToCommit(scheduler, slot);
    if (!instance.scope.reason) commitState(instance, step, written);
  };
  return {
    mustWait: () => !slot.order.isTurnOf(slot.index),
    commit,
    async repeat(key) {
      const { journal } = instance.run;
      const change = journal.stateChange(step);
      const written = journal.uncommitted(key) ?? (change?.outcome === 'committed' ? change.delta : undefined);
      if (written) await commit(written);
    },
  };
}

async function callPort(instance: Instance, asked: PortCall, key: StepKey, slot: CallSlot): Promise<PortResult> {
  const isControl = asked.route.control !== undefined && !instance.turn.given?.has(asked.call.id);
  const given = isControl ? undefined : givenAnswer(instance, asked.call, asked.step);
  if (given) return { result: given };
  const gate = gated(instance, asked, slot);
  if (!gate) return callTool(instance, asked, key, slot);
  const passed = await gate;
  if (instance.scope.reason) return { result: cancelledResult };
  if (!passed.ok) return { result: passed.result };
  const { result, ...rest } = await callTool(instance, passed.call, key, slot);
  return { ...rest, result: passed.told(result) };
}

async function callTool(
  instance: Instance,
  { call, step, route, args }: PortCall,
  key: StepKey,
  slot: CallSlot,
): Promise<PortResult> {
  const { run, spec, scope } = instance;
  if (route.control) return { result: runControl(instance, route.control, args, step) };
  if (isHumanInput(route.tool) && run.ports.people)
    return { result: await askHuman(instance, step, route.tool, args, slot) };
  const external = externalOf(instance, route.tool);
  if (external) return { result: await askForResult(instance, step, { tool: route.tool, external, args }, slot) };
  const port = run.ports.tools[route.port];
  // A hook may have released the permit while it waited, so it is acquired again.
  const held = run.scheduler.acquirePermit(slot.permit);
  if (held) await held;
  if (scope.reason) return { result: cancelledResult };
  if (!port) return { result: errorResult('NOT_ALLOWED', `Error: Tool '${call.name}' cannot run here.`) };
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
      log(body) {
        run.log(body, spec.path, step);
      },
      sample: samplerOf(instance, key),
      ask: serverAskerOf(instance, key, slot),
      kept: keptFor(instance, key),
    });
  } catch (error) {
    return { result: errorResult('TOOL_FAILED', `Error: ${thrownMessage(error)}`) };
  } finally {
    run.scheduler.release(slot.permit);
  }
  return result.isError || Object.keys(state.written).length === 0 ? { result } : { result, written: state.written };
}
