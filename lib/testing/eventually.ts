import { vi } from 'vitest';

/** Repeats `check` until it throws no more, and returns its result. After 20 seconds its last error is thrown. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 20_000, interval: 20 });
}
