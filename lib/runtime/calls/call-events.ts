import type { StepKey } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import { identityOf } from '@/lib/cards/hook-when';
import type { Delegation } from '@/lib/runtime/delegation/delegation';
import { namesOf, shownArguments } from '@/lib/runtime/hooks/call-hooks';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { CallSlot } from '@/lib/runtime/permits/call-slot';
import type { ToolSource } from '@/lib/runtime/record/events';
import type { ToolResult } from '@/lib/runtime/record/messages';
import { limitResult } from '@/lib/runtime/record/result-size';
import type { NamedCall } from '@/lib/runtime/surface/own-name';

/** Records the start of a call. A call that waited when its worker left the run goes on and does not start again. */
export function noteStart(
  instance: Instance,
  call: NamedCall,
  step: StepKey,
  source: ToolSource,
  args: JsonObject | undefined,
  delegation?: Delegation,
  serverName?: string,
): void {
  const { run, spec } = instance;
  if (run.journal.isWaiting(step)) return;
  const identity = identityOf(source, serverName, call.name);
  const names = namesOf(call, delegation?.route.tool);
  const shown = shownArguments(instance, identity, names, args ?? call.argumentsText);
  run.ports.events.append({
    kind: 'tool.started',
    path: spec.path,
    step,
    attempt: run.journal.nextAttempt(step),
    callId: call.id,
    toolName: call.name,
    source,
    serverName,
    arguments: run.recordable(shown),
    correlationId: delegation?.correlationId ?? spec.correlationId,
  });
}

/** Records the result exactly as the model will read it, so that a resumed run reads the same. */
export function noteEnd(
  { run, spec }: Instance,
  call: NamedCall,
  step: StepKey,
  whole: ToolResult,
  slot?: CallSlot,
): ToolResult {
  const result = limitResult(whole, run.limits.maxResultBytes);
  const cached = slot?.cached || undefined;
  run.questions.withdrawCall(step);
  run.requests.noteResult(result, step, call.id);
  run.ports.events.append({ kind: 'tool.ended', path: spec.path, step, callId: call.id, result, cached });
  return result;
}
