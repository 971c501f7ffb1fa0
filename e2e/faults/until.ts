import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Checks again and again until the state is reached. Rejects with the state's name, or with the last error of `isReached`.
 */
export async function until(state: string, patienceMs: number, isReached: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await isReached())) {
    if (performance.now() > deadline) throw new Error(`It was waited ${patienceMs / 1_000} s for: ${state}`);
    await sleep(200);
  }
}
