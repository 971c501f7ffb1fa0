import type { RunStatus } from '@/lib/runtime/record/events';

/** The state of a run as it is stored and shown: waiting, executing, or how it ended. */
export type RunState = ActiveState | RunStatus;

/** States of a run that has not ended. */
type ActiveState = (typeof activeStates)[number];
export const activeStates = ['queued', 'running'] as const;

export const runStates = [...activeStates, 'completed', 'failed', 'cancelled'] as const satisfies readonly RunState[];

export function isActive(state: string | undefined): state is ActiveState {
  return state === 'queued' || state === 'running';
}
