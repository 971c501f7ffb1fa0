import { expect, test } from 'vitest';
import { holdsSecret } from './find-secret';

const secret = 'cnry-5b8e21f0c4d7a963';

test.each([0, 1, 2, 3])('a secret is found in each encoding, %i bytes into a text', (before) => {
  const text = `${'x'.repeat(before)}a line with ${secret} in it`;
  const bytes = Buffer.from(text);
  const url = [...bytes].map((byte) => `%${byte.toString(16)}`).join('');
  for (const form of [text, [...text].reverse().join(''), bytes.toString('base64'), bytes.toString('hex'), url]) {
    expect(holdsSecret(form, secret)).toBe(true);
    expect(holdsSecret(form, 'cnry-0000000000000000')).toBe(false);
  }
});
