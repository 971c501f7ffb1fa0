import { expect, test } from 'vitest';
import type { ClosurePart } from './closure';
import { staleWords } from './stale-approval';

const card = (name: string, hash: string): ClosurePart => ['card', name, hash];
const change = { by: 'Ann', version: 3 };

test('an ended approval names the files that changed, who changed them, and in which version', () => {
  const before = [card('writer.md', '1'), card('lead.md', '1')];
  expect(staleWords(before, [card('writer.md', '2'), card('lead.md', '1')], change)).toBe(
    'a change of writer.md by Ann (version 3) made it stale',
  );
  expect(staleWords(before, [], change)).toBe('a change of writer.md, lead.md by Ann (version 3) made it stale');
  const many = ['a', 'b', 'c', 'd', 'e'].map((name) => card(name, '1'));
  expect(staleWords([], many, change)).toBe('a change of a, b, c and 2 more by Ann (version 3) made it stale');
});

test('a new list of tools of a server is not reported as a change by a person', () => {
  expect(staleWords([['server', 'time', '1']], [['server', 'time', '2']], change)).toBe(
    "other tools of the server 'time' (version 3) made it stale",
  );
});
