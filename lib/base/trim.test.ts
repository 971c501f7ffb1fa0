import { expect, test } from 'vitest';
import { trimEndOf, trimOf } from './trim';

test('characters of the set go at the ends, and stay in the middle', () => {
  expect(trimEndOf('/a//b//', '/')).toBe('/a//b');
  expect(trimOf('/a//b//', '/')).toBe('a//b');
  expect(trimOf('.-a.-', '.-')).toBe('a');
  expect(trimOf('///', '/')).toBe('');
  expect(trimOf('', '/')).toBe('');
});
