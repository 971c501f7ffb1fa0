import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitsGlob } from './glob';

test.each([
  ['time__*', 'time__get_time', true],
  ['*add_one', 'add_one', true],
  ['a?c', 'abc', true],
  ['a?c', 'ac', false],
  ['', '', true],
  ['*', '', true],
  ['a', 'ab', false],
  ['a.b', 'axb', false],
])('%s on %s: %s', (pattern, name, expected) => {
  expect(fitsGlob(pattern, name)).toBe(expected);
});

test('agrees with the definition of a glob', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 8 });
  const names = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 });
  fc.assert(fc.property(letters, names, (pattern, name) => fitsGlob(pattern, name) === byDefinition(pattern, name)));
});

test('does not take long over many stars', () => {
  expect(fitsGlob(`${'a*'.repeat(200)}b`, 'a'.repeat(5_000))).toBe(false);
});

function byDefinition(pattern: string, name: string): boolean {
  const [first] = pattern;
  if (first === undefined) return name === '';
  const rest = pattern.slice(1);
  if (first === '*') return byDefinition(rest, name) || (name !== '' && byDefinition(pattern, name.slice(1)));
  return name !== '' && (first === '?' || first === name[0]) && byDefinition(rest, name.slice(1));
}
