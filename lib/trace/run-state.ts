import type { RunStatus } from '@/lib/runtime/record/events';

/** The state of a run as it is stored and shown: waiting, executing, or how it ended. */
export type RunState = ActiveState | RunStatus;

/**
 * States of a run that has not ended. `suspended`: it waits for people only, and no worker has it. An answer puts it back into
 * the queue.
 */
type ActiveState = (typeof activeStates)[number];
export const activeStates = ['queued', 'running', 'suspended'] as const;

export const runStates = [...activeStates, 'completed', 'failed', 'cancelled'] as const satisfies readonly RunState[];

export function isActive(state: string | undefined): state is ActiveState {
  return activeStates.some((active) => active === state);
}
