import type { StepKey } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import { identityOf, shownArguments } from './call-hooks';
import type { CallSlot } from './call-slot';
import type { Delegation } from './delegation';
import type { ToolSource } from './events';
import type { ToolCall, ToolResult } from './messages';
import { limitResult } from './result-size';
import type { Instance } from './run-state';

export function noteStart(
  instance: Instance,
  call: ToolCall,
  step: StepKey,
  source: ToolSource,
  args: JsonObject | undefined,
  delegation?: Delegation,
  serverName?: string,
): void {
  const { run, spec } = instance;
  const identity = identityOf(source, serverName, call.name);
  const shown = shownArguments(instance, identity, call.name, args ?? call.argumentsText);
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

/** Records the result as the model will read it: a resumed run must not read another one. */
export function noteEnd(
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
