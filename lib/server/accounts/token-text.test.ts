import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isTokenText, newToken, shownPart, tokenOf } from './token-text';

test('a token has 256 random bits, a prefix and a checksum', () => {
  const zeros = tokenOf(new Uint8Array(32));
  expect(zeros).toBe(`cb_${'0'.repeat(50)}${zeros.slice(-7)}`);
  expect(tokenOf(new Uint8Array(32).fill(255))).toHaveLength(60);
  expect(shownPart(zeros)).toBe('cb_00000000');
  const made = Array.from({ length: 200 }, newToken);
  expect(new Set(made).size).toBe(200);
  for (const token of made) expect(isTokenText(token)).toBe(true);
});

test('a token with one other character is no token', () => {
  const digits = [...'0123456789abcdefghijklmnopqrstuvwxyz'];
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      fc.integer({ min: 3, max: 59 }),
      fc.constantFrom(...digits),
      (bytes, at, digit) => {
        const token = tokenOf(bytes);
        const other = `${token.slice(0, at)}${digit}${token.slice(at + 1)}`;
        expect(isTokenText(other)).toBe(other === token);
      },
    ),
  );
});

test.each(['', 'cb_', 'cb_null', 'null', 'undefined', `cb_${'0'.repeat(57)}`, `x${newToken()}`, `${newToken()}\n`])(
  '%j is no token',
  (text) => expect(isTokenText(text)).toBe(false),
);
