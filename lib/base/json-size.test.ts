import { expect, test } from 'vitest';
import { parseJson } from './json';
import { isJsonTooLarge } from './json-size';

test('counts values and levels outside strings', () => {
  expect(isJsonTooLarge('[1,2,3]', 4, 9)).toBe(false);
  expect(isJsonTooLarge('[1,2,3]', 3, 9)).toBe(true);
  expect(isJsonTooLarge('{"a":{"b":[{}]}}', 99, 4)).toBe(false);
  expect(isJsonTooLarge('{"a":{"b":[{}]}}', 99, 3)).toBe(true);
  expect(isJsonTooLarge(JSON.stringify(['[[[[,,,,"\\', '\\"[[[[', '{,']), 4, 1)).toBe(false);
});

test('text that is no JSON has an answer too', () => {
  expect(isJsonTooLarge(`"${'['.repeat(100)}`, 3, 3)).toBe(false);
  expect(isJsonTooLarge(']]]]]]]]]][', 3, 3)).toBe(false);
});

test('what is parsed can be written again', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  expect(JSON.stringify(parseJson(nested(1_000)))).toBe(nested(1_000));
  expect(parseJson(nested(1_001))).toBeUndefined();
  expect(parseJson(nested(1_000_000))).toBeUndefined();
});
