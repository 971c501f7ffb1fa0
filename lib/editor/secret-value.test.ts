// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is what a person writes
import { expect, test } from 'vitest';
import { pairNameFault, secretReference, secretValue } from './secret-value';

test.each([
  ['${TOKEN}', { before: '', name: 'TOKEN' }],
  ['Bearer ${TOKEN}', { before: 'Bearer ', name: 'TOKEN' }],
])('%s is a reference, and is written again as it was', (value, reference) => {
  expect(secretReference(value)).toEqual(reference);
  expect(secretValue(reference)).toBe(value);
});

test.each(['plain', '', '${A}${B}', '${TOKEN:none}', '${TOKEN} after', '${not a name}', '$TOKEN'])(
  '%j is text',
  (value) => {
    expect(secretReference(value)).toBeUndefined();
  },
);

test('names are checked as variables and headers have them', () => {
  expect(pairNameFault('env', 'A', ['A'])).toBe("There is another variable 'A'. Use another name.");
  expect(pairNameFault('headers', 'X-Key', ['Accept'])).toBeUndefined();
  expect(pairNameFault('headers', 'X Key', [])).toContain('letters, digits and -');
  expect(pairNameFault('env', 'A=B', [])).toContain('no spaces and no =');
});
