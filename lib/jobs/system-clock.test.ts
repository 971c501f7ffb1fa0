import { afterEach, expect, test, vi } from 'vitest';

const realNow = Date.now;

afterEach(() => {
  Date.now = realNow;
  vi.resetModules();
});

test('follows the machine’s clock forward, and goes on when that one is set back', async () => {
  let shiftMs = 0;
  Date.now = () => realNow() + shiftMs;
  const { systemClock, keepDateSteady } = await import('./system-clock');
  keepDateSteady();
  const before = systemClock.now();
  shiftMs = 3_600_000;
  const ahead = systemClock.now();
  expect(ahead - before).toBeGreaterThanOrEqual(3_600_000 - 1);
  shiftMs = -3_600_000;
  expect(systemClock.now()).toBeGreaterThanOrEqual(ahead);
  expect(Date.now()).toBeGreaterThanOrEqual(Math.floor(ahead));
});
