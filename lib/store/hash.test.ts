import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { hashBlob, hashBlobLater } from './hash';

/** Turns of the event loop until the work is done: 1 when it holds the thread. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let isDone = false;
  const done = work().then(() => {
    isDone = true;
  });
  let turns = 0;
  while (!isDone) {
    await setImmediate();
    turns += 1;
  }
  await done;
  return turns;
}

test('many bytes are hashed in slices, other work goes on between them, and the same hash comes out', async () => {
  const bytes = new Uint8Array(10_000_000).map((_, index) => index % 251);
  expect(await turnsDuring(async () => hashBlob(bytes))).toBe(1);
  expect(await turnsDuring(() => hashBlobLater(bytes))).toBeGreaterThanOrEqual(10);
  for (const length of [0, 1_048_575, 1_048_576, 1_048_577, 2_097_152, bytes.length]) {
    const some = bytes.subarray(0, length);
    expect(await hashBlobLater(some)).toBe(hashBlob(some));
  }
});
