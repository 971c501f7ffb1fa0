import { expect, test } from 'vitest';
import { fillVariables, variablesIn } from './variables';

test.each([
  ['plain', []],
  [`\${A}`, [{ name: 'A', fallback: undefined }]],
  [
    `x\${A}y\${_b2:c d}z`,
    [
      { name: 'A', fallback: undefined },
      { name: '_b2', fallback: 'c d' },
    ],
  ],
  [`\${A:}`, [{ name: 'A', fallback: '' }]],
  [`\${A:\${B}}`, [{ name: 'A', fallback: `\${B` }]],
  [`\${ A} \${1} \${A-b} \${} \${B}`, [{ name: 'B', fallback: undefined }]],
  [`\${A`, []],
  [`$\${A}`, [{ name: 'A', fallback: undefined }]],
])('the variables of %s', (text, expected) => {
  expect(variablesIn(text)).toEqual(expected);
});

test('what is filled in is not filled again', () => {
  expect(fillVariables(`<\${A}|\${B:b}>`, ({ name, fallback }) => fallback ?? `\${${name}}`)).toBe(`<\${A}|b>`);
});

test.each([`\${A:`, `\${A`, `\${`, `\${A:x} `])(
  'a long text of %s costs no more for each character than a short one',
  (piece) => {
    // The number of parts shows that the text was split in one pass.
    const text = piece.repeat(200_000);
    expect(variablesIn(text).length).toBe(piece.endsWith('} ') ? 200_000 : 0);
  },
);
