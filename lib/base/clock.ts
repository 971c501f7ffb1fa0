import type { EpochMs } from './ids';

/** Time as an argument. `sleep` ends early, without an error, when the signal aborts. */
export interface Clock {
  now(): EpochMs;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
