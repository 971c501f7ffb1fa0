import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readingOrder } from '@/lib/cards/project/read-folder';
import type { TrialProgress } from './reading-worker';
import { tryReading } from './try-reading';

/** Stands for the browser's worker: it says what the test says. */
class SilentWorker {
  static latest: SilentWorker;
  onmessage: (event: { data: TrialProgress }) => void = () => undefined;
  onerror: () => void = () => undefined;
  readonly postMessage = vi.fn();
  readonly terminate = vi.fn();
  constructor() {
    SilentWorker.latest = this;
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('Worker', SilentWorker);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const folder = folderOf({ 'agent-cards/lead.md': 'Lead.', 'agent-cards/kid.md': 'Kid.' });

test('a folder that takes longer than 3 seconds is too complex: its worker ends, and the file is named', async () => {
  const ended = vi.fn();
  const reading = tryReading(folder).then((issue) => {
    ended();
    return issue;
  });
  const worker = SilentWorker.latest;
  expect(worker.postMessage).toHaveBeenCalledWith(folder);
  worker.onmessage({ data: { file: 1 } });
  await vi.advanceTimersByTimeAsync(2_999);
  expect([ended.mock.calls.length, worker.terminate.mock.calls.length]).toEqual([0, 0]);
  await vi.advanceTimersByTimeAsync(1);
  expect(worker.terminate).toHaveBeenCalledOnce();
  const file = readingOrder(folder)[1];
  expect(await reading).toMatchObject({ code: 'too-complex', file });
});

test('a folder that was read in time may be read by the page, and so may one without a worker', async () => {
  for (const end of [
    (worker: SilentWorker) => worker.onmessage({ data: { read: true } }),
    (worker: SilentWorker) => worker.onerror(),
  ]) {
    const reading = tryReading(folder);
    end(SilentWorker.latest);
    expect(await reading).toBeUndefined();
    expect(SilentWorker.latest.terminate).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  }
});
