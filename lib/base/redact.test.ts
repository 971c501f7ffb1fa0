import { expect, test } from 'vitest';
import { redactJson, redactText, secretKeys } from './redact';

const isSecret = secretKeys();

test('a secret is known by its key, in any spelling, at any depth', () => {
  const value = {
    city: 'Zürich',
    api_key: 'k',
    nested: [{ 'X-Api-Key': 'k', accessToken: 'k', maxTokens: 3 }],
    password: null,
    Authorization: { scheme: 'Bearer', value: 'k' },
  };
  expect(redactJson(value, isSecret)).toEqual({
    city: 'Zürich',
    api_key: '[redacted]',
    nested: [{ 'X-Api-Key': '[redacted]', accessToken: '[redacted]', maxTokens: 3 }],
    password: null,
    Authorization: '[redacted]',
  });
});

test('what holds no secret stays the same object', () => {
  const value = { a: [1, { b: 'c' }] };
  expect(redactJson(value, isSecret)).toBe(value);
});

test('text is redacted too, also when it is cut in the middle', () => {
  expect(redactText('{"api_key": "abc", "n": 1}', isSecret)).toBe('{"api_key": "[redacted]", "n": 1}');
  expect(redactText('{"token":"ab', isSecret)).toBe('{"token":"[redacted]"');
  expect(redactText('{"pin": 1234}', secretKeys(['PIN']))).toBe('{"pin": "[redacted]"}');
});
