import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repeatedKeyOf } from './repeated-key';

describe('repeatedKeyOf', () => {
  it.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"a":1,"b":{"c":[{"d":1},{"d":1,"e":2,"d":3}]}}', 'd'],
    ['{"a":{"b":1},"c":[1,2],"a":[]}', 'a'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['[[{"x":"}","x":0}]]', 'x'],
    ['{"\\\\":1,"\\u005c":2}', '\\'],
    ['{"":1, "":2}', ''],
  ])('finds the key in %s', (json, key) => {
    expect(JSON.parse(json)).toBeDefined();
    expect(repeatedKeyOf(json)).toBe(key);
  });

  it.each([
    '{"a":"a","b":"a"}',
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":1}]',
    '{"a":"{\\"a\\":1}","b":"\\\\","c":"\\""}',
    '{"a":["a","a"],"b":[{"a":1}]}',
    '"a"',
    '{}',
    '[]',
  ])('finds none in %s', (json) => {
    expect(JSON.parse(json)).toBeDefined();
    expect(repeatedKeyOf(json)).toBeUndefined();
  });

  it('finds none in what JSON.stringify writes, and one once a key is written again', () => {
    const key = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('"', '\\', '__proto__', ''));
    fc.assert(
      fc.property(fc.jsonValue(), fc.dictionary(key, fc.jsonValue(), { minKeys: 1 }), fc.nat(), (value, object, at) => {
        expect(repeatedKeyOf(JSON.stringify([value, object]))).toBeUndefined();
        const keys = Object.keys(object);
        const again = keys[at % keys.length] ?? '';
        const text = `[{"x":1},${JSON.stringify(object).slice(0, -1)},${JSON.stringify(again)}:${JSON.stringify(value)}}]`;
        expect(repeatedKeyOf(text)).toBe(again);
      }),
    );
  });
});
