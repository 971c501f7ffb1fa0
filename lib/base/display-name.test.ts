import { expect, test } from 'vitest';
import { displayName } from './display-name';

test.each([
  '\u001b[2J\u001b]0;title\u0007Eve',
  'Eve\r\nBob  administrator',
  'Eve\u2028Bob',
  '\u202eadA',
  '\u2066Ada',
  'a\u0000b',
  'a\u009bb',
  '\ud800',
])('%j is not the name of anybody', (name) => {
  expect(displayName.safeParse(name).error?.issues[0]?.message).toBe(
    'The name has control characters. Type it again without them.',
  );
});

test.each(['Ada', 'Zoë O’Hara-Müller', '李小龍', 'नेहा', 'سارة', '👩‍💻 Ada', '<b>', ''])('%j is a name', (name) => {
  expect(displayName.parse(` ${name} `)).toBe(name);
});
