import type { EpochMs } from './ids';

/** The current time and sleeping, as an argument. `sleep` resolves early, without an error, when the signal aborts. */
export interface Clock {
  now(): EpochMs;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
