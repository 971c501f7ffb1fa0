import { expect, test } from 'vitest';
import { keepKey, noEarlyKeys } from './early-keys';

const key = (name: string, held: { ctrlKey?: boolean } = {}) => ({
  key: name,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
});

test('letters become the query, Backspace takes one back, and Enter ends it', () => {
  const early = noEarlyKeys();
  for (const name of ['k', 'i', 'x', 'Backspace', 'd', 'Shift', 'Enter', 'n'])
    expect(keepKey(early, key(name))).toBe('kept');
  expect(early).toEqual({ text: 'kid', isEntered: true, isOver: false });
});

test('Escape closes, and other shortcuts are left to the page', () => {
  const early = noEarlyKeys();
  expect(keepKey(early, key('Escape'))).toBe('close');
  expect(keepKey(early, key('s', { ctrlKey: true }))).toBeUndefined();
  expect(keepKey(early, key('F5'))).toBeUndefined();
  expect(early).toEqual(noEarlyKeys());
});
