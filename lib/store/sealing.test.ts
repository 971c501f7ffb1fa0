import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openingKey, seal, sealingKey, unseal } from './sealing';

const key = openingKey(Buffer.alloc(32, 7));
const other = openingKey(Buffer.alloc(32, 8));

test('a sealed value opens with the secret key alone, and is another one each time', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      const sealed = seal(text, 'p/NAME', sealingKey(key.publicKey));
      expect(unseal(sealed, 'p/NAME', key)).toBe(text);
      expect(seal(text, 'p/NAME', key)).not.toBe(sealed);
      expect(() => unseal(sealed, 'p/NAME', other)).toThrow('does not open');
    }),
    { numRuns: 30 },
  );
});

test('a value that was moved to another place, or changed in any byte, does not open', () => {
  const sealed = seal('canary', 'p/NAME', key);
  expect(() => unseal(sealed, 'q/NAME', key)).toThrow('does not open');
  const bytes = Buffer.from(sealed, 'base64');
  for (const [index, byte] of bytes.entries()) {
    const changed = Buffer.from(bytes);
    changed[index] = byte ^ 1;
    expect(() => unseal(changed.toString('base64'), 'p/NAME', key)).toThrow('does not open');
  }
  for (const short of ['', 'AQ==', bytes.subarray(0, 60).toString('base64')]) {
    expect(() => unseal(short, 'p/NAME', key)).toThrow('does not open');
  }
});

test('the same secret key gives the same pair, in every process', () => {
  expect(openingKey(Buffer.alloc(32, 7))).toMatchObject({ id: key.id, publicKey: key.publicKey });
  expect(sealingKey(key.publicKey).id).toBe(key.id);
  expect(() => sealingKey('short')).toThrow('32 bytes');
});

test('the key of answer links is derived from the secret key, and opens no sealed value', () => {
  const secret = Buffer.alloc(32, 5);
  const key = openingKey(secret);
  expect(openingKey(secret).linkKey).toBe(key.linkKey);
  expect(openingKey(Buffer.alloc(32, 6)).linkKey).not.toBe(key.linkKey);
  const sealed = seal('value of the secret', 'p/NAME', key);
  expect(() => unseal(sealed, 'p/NAME', openingKey(Buffer.from(key.linkKey, 'base64url')))).toThrow('does not open');
});
