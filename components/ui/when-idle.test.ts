import { expect, test, vi } from 'vitest';
import { inIdleTime } from './when-idle';

/** Takes steps of 5 ms each. `first` is called in the first one. */
function* slowly(count: number, log: (number | string)[], first: () => void): Generator<undefined, string> {
  for (let n = 1; n <= count; n++) {
    const until = performance.now() + 5;
    while (performance.now() < until);
    log.push(n);
    if (n === 1) first();
    yield;
  }
  return 'made';
}

test('long work is done in slices, and others come between', async () => {
  const log: (number | string)[] = [];
  const done = vi.fn();
  const steps = slowly(6, log, () => setTimeout(() => log.push('another')));
  inIdleTime(steps, done);
  expect(log).toEqual([]);
  await vi.waitFor(() => expect(done).toHaveBeenCalledExactlyOnceWith('made'));
  expect(log.filter((one) => one !== 'another')).toEqual([1, 2, 3, 4, 5, 6]);
  expect(log.at(-1)).toBe(6);
});

test('work that was cancelled goes no further', async () => {
  const log: (number | string)[] = [];
  const done = vi.fn();
  const cancelled = new Promise<number>((resolve) => {
    const steps = slowly(1_000, log, () => {
      setTimeout(() => {
        cancel();
        resolve(log.length);
      });
    });
    const cancel = inIdleTime(steps, done);
  });
  const length = await cancelled;
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setTimeout(resolve));
  expect(log.length).toBe(length);
  expect(done).not.toHaveBeenCalled();
});
