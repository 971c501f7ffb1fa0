import { expect, test } from 'vitest';
import { checkBytes } from './check-bytes';

const utf8 = (text: string) => [...new TextEncoder().encode(text)];

test.each([
  ['the first line', 'ab\0', 1, 3],
  ['a line after a line feed', 'a\nb\0', 2, 2],
  ['a line after CR LF', 'a\r\n\0', 2, 1],
  ['a line after a carriage return', '\r\0', 2, 1],
  ['a line after a line separator', 'a\u2028b\u2029\0', 3, 1],
])('a NUL and a wrong byte have a place in %s', (_, text, line, column) => {
  expect(checkBytes('a.md', { kind: 'text', text })).toMatchObject([{ code: 'nul-characters', line, column }]);
  const bytes = Uint8Array.from([...utf8(text.slice(0, -1)), 0xff]);
  expect(checkBytes('a.md', { kind: 'binary', bytes })).toMatchObject([{ code: 'not-utf8', line, column }]);
});
