import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/base/json';
import { childMessage, type InputMode } from './input-mode';

function message(mode: InputMode, args: JsonObject, schema?: JsonObject): string {
  const result = childMessage(mode, args, schema);
  return result.ok ? result.value : `! ${result.error}`;
}

describe('arguments become one message', () => {
  it.each<[InputMode, JsonObject, string]>([
    ['text_json', { text: 'hi', json: {} }, 'hi'],
    ['text_json', { text: 3, json: { a: ['ü'] } }, '{"a":["ü"]}'],
    ['text_json', { json: 'words' }, 'words'],
    ['text_json', { json: [1, null] }, '[1,null]'],
    ['text_json', { other: true }, '{"other":true}'],
    ['text_json', {}, ''],
    ['request', { request: 'solve 2+2', other: 1 }, 'solve 2+2'],
    ['request', { request: '' }, ''],
    ['request', { text: 'hi' }, "! 'request' must be a string."],
    ['message', { message: 'hi' }, 'hi'],
    ['message', { message: ' ' }, '! Message is required.'],
    ['message', {}, '! Message is required.'],
    ['input_data', { input_data: 'as is' }, 'as is'],
    ['input_data', { input_data: { a: 1 } }, '{"a":1}'],
    ['input_data', { input_data: null }, 'null'],
    ['input_data', {}, ''],
  ])('%s %j', (mode, args, expected) => {
    expect(message(mode, args)).toBe(expected);
  });

  it('writes compact JSON without nulls for a schema, and plain text for one that is only {message}', () => {
    const fields = (...names: string[]) => ({
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, {}])),
    });
    expect(message('schema', { q: 'why', n: null, list: [null] }, fields('q', 'n', 'list'))).toBe(
      '{"q":"why","list":[null]}',
    );
    expect(message('schema', { message: 'plain' }, fields('message'))).toBe('plain');
    expect(message('schema', { message: 'plain', n: 1 }, fields('message', 'n'))).toBe('{"message":"plain","n":1}');
  });
});
