import { expect, it } from 'vitest';
import { cutText, wellFormed } from './well-formed';

it('replaces half a surrogate pair and leaves whole ones', () => {
  expect(wellFormed('a\ud83d b\ude00 😀')).toBe('a\ufffd b\ufffd 😀');
});

it('cuts between characters', () => {
  expect(cutText('ab😀', 3)).toBe('ab');
  expect(cutText('ab😀', 4)).toBe('ab😀');
  expect(cutText('ab😀c', 4)).toBe('ab😀');
  expect(cutText('abc', 0)).toBe('');
});
