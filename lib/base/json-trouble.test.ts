import { expect, test } from 'vitest';
import { jsonTrouble } from './json-trouble';

const long = 'x'.repeat(16_000_000);

test.each([
  ['a number after a string of many megabytes', `{"text":"${long}","n":-1e999}`, { kind: 'number', number: '-1e999' }],
  ['nesting after one', `["${long}",${'['.repeat(2_000)}${']'.repeat(2_000)}]`, { kind: 'depth' }],
  ['a number after a string with quotes', '["x\\\\\\"1e999", 1e400]', { kind: 'number', number: '1e400' }],
  ['a number among others', '[1, 2.5e3, 1e400, 1e500]', { kind: 'number', number: '1e400' }],
  ['a number of many digits', `[${'9'.repeat(400)}]`, { kind: 'number', number: `${'9'.repeat(40)}…` }],
])('says what is wrong: %s', (_, text, trouble) => {
  expect(jsonTrouble(text)).toEqual(trouble);
});

test.each([
  ['what can be read', '{"n":1}'],
  ['no JSON', '{"n":1e999'],
  ['a string with such a number', '["1e999"]'],
])('says nothing of %s', (_, text) => {
  expect(jsonTrouble(text)).toBeUndefined();
});
