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

test('secrets are found inside objects, and a secret that is an object goes as a whole', () => {
  expect(redactText('{"a":{"api_key":"x","b":1}}', isSecret)).toBe('{"a":{"api_key":"[redacted]","b":1}}');
  expect(redactText('{"a": {"api_key": "x"}}', isSecret)).toBe('{"a": {"api_key": "[redacted]"}}');
  expect(redactText('{"token": {"a": ["}", 2]}, "b": 1}', isSecret)).toBe('{"token": "[redacted]", "b": 1}');
});

test('secrets are found in JSON that is a string of JSON', () => {
  const inner = JSON.stringify({ api_key: 'geheim', note: 'a "b"' });
  const twice = JSON.stringify({ json: inner });
  const clean = JSON.stringify({ json: JSON.stringify({ api_key: '[redacted]', note: 'a "b"' }) });
  expect(redactText(twice, isSecret)).toBe(clean);
  expect(redactText(JSON.stringify({ again: twice }), isSecret)).toBe(JSON.stringify({ again: clean }));
  expect(redactJson({ text: inner }, isSecret)).toEqual({ text: '{"api_key":"[redacted]","note":"a \\"b\\""}' });
  const cut = twice.slice(0, twice.indexOf('heim'));
  expect(redactText(cut, isSecret)).not.toContain('ge');
});
