import { expect, test } from 'vitest';
import { openHookSecret, readHookKeys, sealHookSecret, writeHookKeys } from './hook-secret';
import { openingKey } from './sealing';

const [first, second] = [openingKey(Buffer.alloc(32, 1)), openingKey(Buffer.alloc(32, 2))];
const secret = 'whsec_c2VjcmV0';

test('the secret of a webhook opens for its trigger and its key alone', () => {
  const sealed = sealHookSecret(secret, 'a', first);
  expect(sealed).not.toContain(secret);
  expect(openHookSecret(sealed, 'a', [second, first])).toBe(secret);
  expect(openHookSecret(sealed, 'b', [first])).toBeUndefined();
  expect(openHookSecret(sealed, 'a', [second])).toBeUndefined();
  expect(openHookSecret(`${sealed.slice(0, -4)}AAAA`, 'a', [first])).toBeUndefined();
  expect(openHookSecret(sealed.replace(first.id, second.id), 'a', [first, second])).toBeUndefined();
});

test('a process gets the current and the previous key', () => {
  const keys = readHookKeys(writeHookKeys([first, second]));
  expect(keys.map(({ id }) => id)).toEqual([first.id, second.id]);
  expect(openHookSecret(sealHookSecret(secret, 'a', second), 'a', keys)).toBe(secret);
  expect(readHookKeys('')).toEqual([]);
});
