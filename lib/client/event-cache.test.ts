import { expect, it } from 'vitest';
import { EventCache } from './event-cache';

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('fetches what is wanted in one go together, once, and failures again', async () => {
  const asked: (readonly number[])[] = [];
  let broken = true;
  const cache = new EventCache(async (seqs) => {
    asked.push(seqs);
    if (broken) throw new Error('The server cannot be reached.');
    return seqs.map((seq) => ({ seq }));
  });
  let told = 0;
  cache.subscribe(() => told++);
  cache.want([0, 1, 2]);
  cache.want([2, 3]);
  expect(cache.get(2)).toBe('loading');
  await settled();
  expect(cache.get(2)).toEqual({ error: 'The server cannot be reached.' });
  broken = false;
  cache.want([1, 2, 3]);
  await settled();
  cache.want([1, 2, 3]);
  await settled();
  expect(asked).toEqual([
    [1, 2, 3],
    [1, 2, 3],
  ]);
  expect(cache.get(3)).toEqual({ value: { seq: 3 } });
  expect(told).toBe(2);
});

it('does not wait for good for one that the answer left out', async () => {
  let here: number[] = [1];
  const cache = new EventCache(async (seqs) => seqs.filter((seq) => here.includes(seq)).map((seq) => ({ seq })));
  cache.want([1, 2]);
  await settled();
  expect(cache.get(2)).toEqual({ error: 'It has not arrived yet.' });
  here = [1, 2];
  cache.want([1, 2]);
  await settled();
  expect(cache.get(2)).toEqual({ value: { seq: 2 } });
});

it('asks for a hundred at a time', async () => {
  const sizes: number[] = [];
  const cache = new EventCache(async (seqs) => {
    sizes.push(seqs.length);
    return [];
  });
  cache.want(Array.from({ length: 250 }, (_, i) => i + 1));
  await settled();
  expect(sizes).toEqual([100, 100, 50]);
});
