import type { StepKey } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import type { EventOf, RunEvent } from './events';
import { callAround } from './step-key';

/** What the log says about tools that had returned while their call was open. */
export interface RecordedReturns {
  /** Returns the tool's own result, before the hooks that wrap it. */
  toolReturned(key: StepKey): EventOf<'tool.returned'> | undefined;
  /** Returns what the tool wrote to the state if that was not committed before the log ended. */
  uncommitted(key: StepKey): JsonObject | undefined;
}

export function readReturns(log: readonly RunEvent[]): RecordedReturns {
  const returns = new Map<StepKey, EventOf<'tool.returned'>>();
  const writes = new Map<StepKey, JsonObject>();
  /** The latest execution that wrote, by call. */
  const writers = new Map<string, StepKey>();
  for (const event of log) {
    if (event.kind === 'tool.returned') {
      returns.set(event.step, event);
      if (event.written === undefined) continue;
      writes.set(event.step, event.written);
      writers.set(callAround(event.step) ?? event.step, event.step);
    } else if (event.kind === 'state.changed') {
      const writer = writers.get(event.step);
      if (writer !== undefined) writes.delete(writer);
    }
  }
  return { toolReturned: (key) => returns.get(key), uncommitted: (key) => writes.get(key) };
}
