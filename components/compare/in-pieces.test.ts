import { expect, test } from 'vitest';
import { inPieces, type PiecesHost } from './in-pieces';

/** A clock that each step of the work moves by 3 ms, and the tasks that wait. */
function fakeHost() {
  let now = 0;
  const tasks = new Set<() => void>();
  const host: PiecesHost = {
    now: () => now,
    later(callback) {
      tasks.add(callback);
      return () => tasks.delete(callback);
    },
  };
  return {
    host,
    pass: () => {
      now += 3;
    },
    runTask() {
      const [task] = tasks;
      if (task !== undefined) tasks.delete(task);
      task?.();
      return task !== undefined;
    },
  };
}

function* steps(count: number, pass: () => void): Generator<number, string, undefined> {
  for (let step = 0; step < count; step++) {
    pass();
    yield step / count;
  }
  return 'done';
}

test('long work is done in pieces of a few milliseconds, and says how far it is', () => {
  const { host, pass, runTask } = fakeHost();
  const seen: unknown[] = [];
  inPieces(steps(8, pass), { onShare: (share) => seen.push(share), onDone: (result) => seen.push(result) }, host);
  expect(seen).toEqual([]);
  let tasks = 0;
  while (runTask()) tasks++;
  expect(seen).toEqual([2 / 8, 5 / 8, 'done']);
  expect(tasks).toBe(3);
});

test('work that was cancelled ends at the next piece', () => {
  const { host, pass, runTask } = fakeHost();
  const seen: unknown[] = [];
  const stop = inPieces(
    steps(8, pass),
    { onShare: (share) => seen.push(share), onDone: (end) => seen.push(end) },
    host,
  );
  runTask();
  stop();
  expect(runTask()).toBe(false);
  expect(seen).toEqual([2 / 8]);
});
