import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { globMatch } from './fnmatch';
import { fitsGlob } from './glob';
import { globCovers } from './glob-covers';

describe('globCovers', () => {
  it.each([
    ['*', 'read_*', true],
    ['read_*', 'read_text*', true],
    ['read_text*', 'read_*', false],
    ['*_*', 'read_*', true],
    ['read_*', 'read_', true],
    ['?*', '*', false],
    ['a?c', 'abc', true],
    ['a[a-c]c', 'abc', true],
    ['a[a-c]c', 'adc', false],
    ['a[a-c]c', 'a?c', false],
    ['*__delete*', 'mail__delete_all', true],
  ])('%s takes all of %s: %s', (wide, narrow, isCovered) => {
    expect(globCovers(wide, narrow, true)).toBe(isCovered);
  });

  const pattern = fc.array(fc.constantFrom('*', '?', 'a', 'b', '_'), { maxLength: 6 }).map((parts) => parts.join(''));
  const name = fc.array(fc.constantFrom('a', 'b', '_', 'c'), { maxLength: 6 }).map((parts) => parts.join(''));

  it('a covered pattern takes no name that the other one does not take', () => {
    fc.assert(
      fc.property(pattern, pattern, name, (wide, narrow, given) => {
        if (globCovers(wide, narrow, false) && fitsGlob(narrow, given)) expect(fitsGlob(wide, given)).toBe(true);
        if (globCovers(wide, narrow, true) && globMatch(narrow, given)) expect(globMatch(wide, given)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
