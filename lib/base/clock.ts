import type { EpochMs } from './ids';

/**
 * Tells the current time and sleeps. It is an argument, so that tests can replace it. `sleep` resolves early, without an
 * error, when the signal aborts.
 */
export interface Clock {
  now(): EpochMs;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
