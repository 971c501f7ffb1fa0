import { expect, test } from 'vitest';
import { withSameEnds } from './line-ends';

const crlf = (text: string) => text.replaceAll('\n', '\r\n');

test('the line ends of the side that changed them are those of all', () => {
  expect(withSameEnds('a\nb\n', crlf('a\nb\n'), 'a\nB\n')).toEqual(['a\nb\n', 'a\nb\n', 'a\nB\n'].map(crlf));
  expect(withSameEnds('a\nb\n', 'A\nb\n', crlf('a\nb\n'))).toEqual(['a\nb\n', 'A\nb\n', 'a\nb\n'].map(crlf));
  expect(withSameEnds(crlf('a\n'), crlf('A\n'), 'a\n')).toEqual(['a\n', 'A\n', 'a\n']);
});

test('texts with both kinds, with the same kind, and without a line end stay as they are', () => {
  expect(withSameEnds('a\nb\r\n', 'a\nb\n', crlf('a\nb\n'))).toEqual(['a\nb\r\n', 'a\nb\n', 'a\r\nb\r\n']);
  expect(withSameEnds('a\n', 'b\n', 'c')).toEqual(['a\n', 'b\n', 'c']);
  expect(withSameEnds('', '', '')).toEqual(['', '', '']);
});

test('what both sides added has plain line ends', () => {
  expect(withSameEnds('', crlf('a\n'), 'b\n')).toEqual(['', 'a\n', 'b\n']);
  expect(withSameEnds('', 'a\n', crlf('b\n'))).toEqual(['', 'a\n', 'b\n']);
});
