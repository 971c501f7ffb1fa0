import { expect, test } from 'vitest';
import { relativeTime } from './relative-time';

test.each([
  [0, 'just now'],
  [-5_000, 'just now'],
  [59_999, '59 seconds ago'],
  [60_000, '1 minute ago'],
  [3_599_999, '59 minutes ago'],
  [86_400_000, '1 day ago'],
  [604_800_000, '1 Nov 2026'],
])('%i ms ago reads %j', (ago, text) => {
  const then = Date.UTC(2026, 10, 1, 12);
  expect(relativeTime(then, then + ago)).toBe(text);
});
