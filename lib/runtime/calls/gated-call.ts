import type { StepKey } from '@/lib/base/ids';
import { isRecord, type Json } from '@/lib/base/json';
import { checkCreation } from '@/lib/runtime/children/create-agent';
import type { Instance } from '@/lib/runtime/instance/instance';
import { readySurface } from '@/lib/runtime/instance/ready-surface';
import { refusedResult, withEdit } from '@/lib/runtime/people/gate-result';
import { hasNoGate, passGate } from '@/lib/runtime/people/pass-gate';
import { callSentence, creationSentence } from '@/lib/runtime/people/sentence';
import { pendingToolOf } from '@/lib/runtime/people/tool-identity';
import type { CallSlot } from '@/lib/runtime/permits/call-slot';
import type { ToolDescriptor } from '@/lib/runtime/ports';
import type { ToolResult } from '@/lib/runtime/record/messages';
import { errorResult } from '@/lib/runtime/record/tool-error';
import { isDown, type PortRoute, routeWhenBack } from './await-server';
import type { PortCall } from './prepare-call';

/** The call that may run, with the line that tells the model what ran; or the result in place of the tool's. */
export type Gated =
  | { readonly ok: true; readonly call: PortCall; told(result: ToolResult): ToolResult }
  | { readonly ok: false; readonly result: ToolResult };

/**
 * Lets a call of a server's, a function's or a built-in tool through the gate. Returns `undefined` if the project neither asks nor
 * denies anything: then there is nothing to wait for.
 */
export function gated(instance: Instance, call: PortCall, slot: CallSlot): Promise<Gated> | undefined {
  return hasNoGate(instance.run) ? undefined : throughGate(instance, call, slot);
}

async function throughGate(instance: Instance, call: PortCall, slot: CallSlot): Promise<Gated> {
  const { run } = instance;
  const { step, args, route } = call;
  const { tool } = route;
  const creation = route.control === 'create' ? checkCreation(instance, args) : undefined;
  // Nobody is asked for an agent that cannot be created.
  if (creation?.ok === false) return { ok: false, result: errorResult('NOT_ALLOWED', `Error: ${creation.error}`) };
  const passed = await passGate(
    instance,
    {
      step,
      tool,
      names: [tool.name],
      args,
      sentence(shown) {
        if (!creation) return callSentence({ tool: tool.name, input: inputText(shown) });
        const { name, tools, model } = creation.value;
        return creationSentence(name, tools, model ?? instance.model);
      },
    },
    slot,
  );
  if (!passed.ok) return { ok: false, result: refusedResult(passed) };
  const { args: given, isEdited, hasAsked } = passed;
  const told = (result: ToolResult) => (isEdited ? withEdit(instance, tool, given, result) : result);
  if (!hasAsked || route.port === 'runtime') return { ok: true, call: { ...call, args: given }, told };
  // The tool may have changed while the person thought. What was approved is the tool as it was.
  const now = await routeNow(instance, step, tool, slot);
  if ('content' in now) return { ok: false, result: now };
  const isSame = pendingToolOf(now.tool, run).schemaHash === pendingToolOf(tool, run).schemaHash;
  if (!isSame) return throughGate(instance, { ...call, route: now }, slot);
  return { ok: true, call: { ...call, route: now, args: given }, told };
}

async function routeNow(
  instance: Instance,
  step: StepKey,
  { name, serverName }: ToolDescriptor,
  slot: CallSlot,
): Promise<PortRoute | ToolResult> {
  const now = (await readySurface(instance))?.routes.get(name);
  if (now?.kind === 'port') return now;
  if (serverName !== undefined && isDown(instance.run, serverName)) {
    return await routeWhenBack(instance, step, { name, serverName }, slot);
  }
  const message = `Tool '${name}' was approved, but it is not available any more. Do the task without it.`;
  return errorResult('UNKNOWN_TOOL', `Error: ${message}`);
}

function inputText(shown: Json): string {
  if (typeof shown === 'string') return shown;
  return isRecord(shown) && Object.keys(shown).length === 0 ? '' : JSON.stringify(shown);
}
