import { afterEach, expect, test } from 'vitest';
import { createThreadPool, type ThreadPool, type ThreadPoolOptions } from './thread-pool';

/** A thread whose jobs say what to do: answer, compute for ever, fill the memory, end, throw. */
const script = `
  const { parentPort, threadId, workerData } = require('node:worker_threads');
  const held = [];
  parentPort.on('message', ({ id, job }) => {
    if (job.at !== undefined) Atomics.store(workerData.place, 0, job.at);
    if (job.do === 'spin') for (;;);
    if (job.do === 'fill') for (;;) held.push(new Array(10_000).fill({}));
    if (job.do === 'exit') process.exit(3);
    if (job.do === 'refuse') parentPort.postMessage({ id, refusal: { code: 'bad_request', message: 'No.' } });
    else if (job.do === 'throw') parentPort.postMessage({ id, fault: 'Error: a bug' });
    else if (job.do === 'environment') parentPort.postMessage({ id, value: Object.keys(process.env) });
    else parentPort.postMessage({ id, value: { said: job.say, threadId } });
  });
  parentPort.postMessage({ ready: true });
`;

let pool: ThreadPool | undefined;

afterEach(() => pool?.close());

function openPool(options: Partial<ThreadPoolOptions> = {}): ThreadPool {
  pool = createThreadPool({
    code: async () => script,
    name: 'test',
    reads: 'folders',
    threads: 1,
    deadlineMs: 60_000,
    memoryMb: 64,
    maxWaiting: 10,
    maxOfOwner: 5,
    ...options,
  });
  return pool;
}

test('a job that computes for ever is ended at the deadline, and the next one gets a fresh thread', async () => {
  const { run } = openPool({ deadlineMs: 200 });
  const first = await run({ say: 1 });
  const late = run({ do: 'spin', at: 7 });
  const next = run({ say: 2 });
  expect(await late).toEqual({ ok: false, limit: 'time', place: 7 });
  const second = await next;
  expect([first, second]).toMatchObject([
    { ok: true, value: { said: 1 } },
    { ok: true, value: { said: 2 } },
  ]);
  expect(threadOf(second)).not.toBe(threadOf(first));
});

test('a job that fills its memory is ended, and this process is not', async () => {
  const { run } = openPool();
  expect(await run({ do: 'fill' })).toEqual({ ok: false, limit: 'memory', place: -1 });
  expect(await run({ say: 'still here' })).toMatchObject({ ok: true, value: { said: 'still here' } });
});

test('a slow job leaves the other threads to the others', async () => {
  const { run } = openPool({ threads: 2, deadlineMs: 60_000 });
  const slow = run({ do: 'spin' }).catch((error: unknown) => error);
  for (let count = 0; count < 5; count++) expect(await run({ say: count })).toMatchObject({ ok: true });
  await pool?.close();
  expect(await slow).toMatchObject({ code: 'unavailable' });
});

test('of one owner one job runs at a time, and owners take turns', async () => {
  const { run } = openPool({ threads: 2 });
  const order: string[] = [];
  const asked = (owner: string) => run({ say: owner }, { owner, signal: undefined }).then(() => order.push(owner));
  const slow = run({ do: 'spin' }, { owner: 'ann', signal: undefined }).catch((error: unknown) => error);
  const hers = [asked('ann'), asked('ann'), asked('ann')].map((each) => each.catch(() => undefined));
  await Promise.all([asked('ben'), asked('ben'), asked('cleo'), run({ say: 'nobody' })]);
  expect(order).toEqual(['ben', 'cleo', 'ben']);
  await pool?.close();
  expect(await slow).toMatchObject({ code: 'unavailable' });
  await Promise.all(hers);
  expect(order).toHaveLength(3);
});

test('the jobs of one owner that may wait are few, and those of others still are accepted', async () => {
  const { run } = openPool({ maxOfOwner: 2 });
  const asker = { owner: 'ann', signal: undefined };
  const accepted = [run({ say: 1 }, asker), run({ say: 2 }, asker)];
  await expect(run({ say: 3 }, asker)).rejects.toMatchObject({ code: 'too_many', details: { retryAfter: '10' } });
  await run({ say: 4 }, { owner: 'ben', signal: undefined });
  await Promise.all(accepted);
});

test('a job for which nobody waits any more is not begun', async () => {
  const { run } = openPool();
  const gone = new AbortController();
  const first = run({ say: 1 });
  const left = run({ do: 'spin' }, { owner: 'ann', signal: gone.signal });
  gone.abort();
  await expect(left).rejects.toMatchObject({ code: 'unavailable' });
  await expect(run({ do: 'spin' }, { owner: 'ann', signal: gone.signal })).rejects.toMatchObject({
    code: 'unavailable',
  });
  await first;
  expect(await run({ say: 2 }, { owner: 'ann', signal: undefined })).toMatchObject({ ok: true });
});

test('a thread is kept for the next job', async () => {
  const { run } = openPool();
  expect(threadOf(await run({ say: 1 }))).toBe(threadOf(await run({ say: 2 })));
});

test('a thread that was started early takes the first job', async () => {
  let made = 0;
  const { run, warm } = openPool({
    async code() {
      made += 1;
      return script;
    },
  });
  warm();
  warm();
  expect(await run({ say: 1 })).toMatchObject({ ok: true });
  expect(made).toBe(1);
});

test('more jobs than may wait are refused at once', async () => {
  const { run } = openPool({ maxWaiting: 2 });
  const accepted = [run({ say: 1 }), run({ say: 2 })];
  await expect(run({ say: 3 })).rejects.toMatchObject({ code: 'unavailable' });
  expect(await Promise.all(accepted)).toMatchObject([{ ok: true }, { ok: true }]);
  expect(await run({ say: 4 })).toMatchObject({ ok: true });
});

test('what a job throws reaches its caller, a thread that ends is an error of one job', async () => {
  const { run } = openPool();
  await expect(run({ do: 'refuse' })).rejects.toMatchObject({ name: 'AppError', code: 'bad_request', message: 'No.' });
  await expect(run({ do: 'throw' })).rejects.toThrow('a bug');
  await expect(run({ do: 'exit' })).rejects.toThrow('ended');
  expect(await run({ say: 1 })).toMatchObject({ ok: true });
});

test('a thread sees nothing of the environment', async () => {
  process.env.CALLBOARD_TEST_CANARY = 'secret';
  const { run } = openPool();
  expect(await run({ do: 'environment' })).toEqual({ ok: true, value: [] });
});

test('a script that cannot be made fails its job, and is made again for the next', async () => {
  let made = 0;
  const { run } = openPool({
    async code() {
      made += 1;
      if (made === 1) throw new Error('no script');
      return script;
    },
  });
  await expect(run({ say: 1 })).rejects.toThrow('no script');
  expect(await run({ say: 2 })).toMatchObject({ ok: true });
});

function threadOf(outcome: unknown): unknown {
  return (outcome as { readonly value: { readonly threadId: number } }).value.threadId;
}
