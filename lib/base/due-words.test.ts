import { expect, test } from 'vitest';
import { clockWords, untilWords } from './due-words';

const at = (text: string) => Date.parse(text);

test('a due time is what the clock of its time zone shows', () => {
  expect(clockWords(at('2026-11-25T01:30Z'), 'Europe/Berlin')).toBe('Wed 25 Nov, 02:30');
  expect(clockWords(at('2026-11-25T01:30Z'), 'America/New_York')).toBe('Tue 24 Nov, 20:30');
  expect(clockWords(at('2026-11-25T00:00Z'), 'UTC')).toBe('Wed 25 Nov, 00:00');
});

test.each([
  ['2026-11-24T10:00:20Z', 'in less than a minute'],
  ['2026-11-24T10:01:00Z', 'in 1 minute'],
  ['2026-11-24T10:59:00Z', 'in 59 minutes'],
  ['2026-11-24T11:10:00Z', 'in 1 hour'],
  ['2026-11-26T09:00:00Z', 'in 47 hours'],
  ['2026-12-01T10:00:00Z', 'in 7 days'],
])('%s is %s', (then, words) => {
  expect(untilWords(at(then), at('2026-11-24T10:00:00Z'))).toBe(words);
});
