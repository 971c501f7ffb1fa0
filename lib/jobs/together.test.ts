import { expect, test } from 'vitest';
import { sentTogether } from './together';

const limits = {
  most: 3,
  mostWeight: 10,
  weightOf: (item: string) => item.length,
  isUncertain: (error: unknown) => error instanceof Error && error.message === 'away',
};

test('what comes while a call is under way goes together with the next', async () => {
  const calls: (readonly string[])[] = [];
  let answer: () => void = () => undefined;
  const send = sentTogether<string>(async (items) => {
    calls.push(items);
    if (calls.length === 1) await new Promise<void>((resolve) => (answer = resolve));
  }, limits);
  const all = ['a', 'b', 'c', 'd', 'e'].map(send);
  answer();
  await Promise.all(all);
  await send('f');
  expect(calls).toEqual([['a'], ['b', 'c', 'd'], ['e'], ['f']]);
});

test('a call holds no more than it may, but for one item that is too large for any', async () => {
  const calls: (readonly string[])[] = [];
  const send = sentTogether<string>(async (items) => void calls.push(items), limits);
  await Promise.all(['a', '12345', '123456', '123456789012', 'b'].map(send));
  expect(calls).toEqual([['a'], ['12345'], ['123456'], ['123456789012'], ['b']]);
});

test('each item fails for itself alone', async () => {
  const calls: (readonly string[])[] = [];
  const send = sentTogether<string>(async (items) => {
    calls.push(items);
    if (items.includes('bad')) throw new Error('no such project');
  }, limits);
  const ends = await Promise.allSettled(['a', 'b', 'bad', 'c'].map(send));
  expect(ends.map((end) => end.status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(calls).toEqual([['a'], ['b', 'bad', 'c'], ['b'], ['bad'], ['c']]);
});

test('a call that may have been done is not made again', async () => {
  const calls: (readonly string[])[] = [];
  const send = sentTogether<string>(async (items) => {
    calls.push(items);
    if (items.length > 1) throw new Error('away');
  }, limits);
  const ends = await Promise.allSettled(['a', 'b', 'c'].map(send));
  expect(ends.map((end) => end.status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(calls).toEqual([['a'], ['b', 'c']]);
});
