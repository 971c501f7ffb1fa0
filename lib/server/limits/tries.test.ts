import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AppError } from '@/lib/base/app-error';
import { testDatabase } from '@/lib/testing/postgres';
import { countTry, forgetTries, refuseKnown } from './tries';

const { store } = await testDatabase();

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 3, 12) }));
afterEach(() => vi.useRealTimers());

it('a sixth code of the second factor is refused for a quarter of an hour, and a right one begins anew', async () => {
  for (let index = 0; index < 5; index++) await countTry(store, 'second factor', 'ann');
  expect(() => refuseKnown(store, 'second factor', 'ann')).not.toThrow();
  const refusal = new AppError('too_many', 'Too many codes of the second factor were tried. Try again in 15 minutes.', {
    retryAfter: '900',
  });
  await expect(countTry(store, 'second factor', 'ann')).rejects.toThrow(refusal);
  expect(() => refuseKnown(store, 'second factor', 'ann')).toThrow(refusal);
  await countTry(store, 'second factor', 'ben');
  await forgetTries(store, 'second factor', 'ann');
  expect(() => refuseKnown(store, 'second factor', 'ann')).not.toThrow();
  await countTry(store, 'second factor', 'ann');
});

it('limits count apart, and a window ends', async () => {
  for (let index = 0; index < 20; index++) await countTry(store, 'link', '192.0.2.20');
  await expect(countTry(store, 'link', '192.0.2.20')).rejects.toThrow(/in 10 minutes/);
  await countTry(store, 'login', '192.0.2.20');
  vi.setSystemTime(Date.now() + 600_000);
  await countTry(store, 'link', '192.0.2.20');
});
