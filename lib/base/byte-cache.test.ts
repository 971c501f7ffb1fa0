import { expect, test } from 'vitest';
import { ByteCache } from './byte-cache';

test('what was used longest ago goes first, as many as the new value needs', () => {
  const cache = new ByteCache<string, number>(100);
  cache.set('a', 1, 40);
  cache.set('b', 2, 40);
  cache.get('a');
  cache.set('c', 3, 40);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
  cache.set('d', 4, 90);
  expect([cache.get('a'), cache.get('c'), cache.get('d')]).toEqual([undefined, undefined, 4]);
});

test('a value takes the place of the one before it', () => {
  const cache = new ByteCache<string, number>(100);
  for (let value = 0; value < 10; value++) cache.set('a', value, 60);
  cache.set('b', 1, 40);
  expect([cache.get('a'), cache.get('b')]).toEqual([9, 1]);
});

test('a value larger than the cache is not kept and drives nothing out', () => {
  const cache = new ByteCache<string, number>(100);
  cache.set('a', 1, 50);
  cache.set('b', 2, 101);
  expect([cache.get('a'), cache.get('b')]).toEqual([1, undefined]);
});
