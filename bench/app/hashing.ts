import { setImmediate } from 'node:timers/promises';
import { sha256 } from '@/lib/base/sha256';
import { hashBlob, hashBlobLater } from '@/lib/store/hash';
import { median } from '../figures';

const megabytes = 10;
const rounds = 15;

/** Measures how long other work waits for the thread while 10 MB are hashed. The reference hashes nothing. */
export async function benchHashing(): Promise<void> {
  const bytes = new Uint8Array(megabytes * 1_000_000).map((_, index) => index % 251);
  const work: readonly (readonly [string, () => unknown])[] = [
    ['nothing (reference)', () => undefined],
    ['@noble/hashes', () => sha256(bytes)],
    ['node:crypto at once', () => hashBlob(bytes)],
    ['in slices, as stores and workers do', () => hashBlobLater(bytes)],
  ];
  for (const [what, hash] of work) {
    const waits: number[] = [];
    for (let round = 0; round < rounds; round += 1) waits.push(await longestWait(hash));
    console.log(`  ${what.padEnd(38)} longest wait ${median(waits).toFixed(1)} ms (median of ${rounds})`);
  }
}

/**
 * Returns the longest time between two turns of the event loop, from the start of the work until a few turns after its end.
 */
async function longestWait(work: () => unknown): Promise<number> {
  let longest = 0;
  let turnsLeft = Number.POSITIVE_INFINITY;
  let last = performance.now();
  const watching = (async () => {
    for (; turnsLeft > 0; turnsLeft -= 1) {
      await setImmediate();
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    }
  })();
  await setImmediate();
  await work();
  turnsLeft = 5;
  await watching;
  return longest;
}
