import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  exactJson,
  findLargeInteger,
  integersOfSchema,
  parseExactJson,
  parseWithDigits,
  restoreIntegers,
  withDigits,
  withNumbers,
} from './exact-json';
import type { Json } from './json';

const large = fc.oneof(fc.bigInt({ min: 2n ** 53n }), fc.bigInt({ max: -(2n ** 53n) }));
const { value: values } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(
      fc.string(),
      fc.constantFrom('#', '##9007199254740993', '"9007199254740993"'),
      large,
      fc.integer(),
      fc.boolean(),
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
  ),
}));

describe('integers beyond 2^53', () => {
  it('keep their digits in text, whatever stands beside them', () => {
    expect(parseExactJson('{"id": 9007199254740993}')).toEqual({ id: 9007199254740993n });
    expect(exactJson({ id: 12345678901234567890n, n: -9007199254740993n })).toBe(
      '{"id":12345678901234567890,"n":-9007199254740993}',
    );
    fc.assert(
      fc.property(values, (value) => {
        expect(parseExactJson(exactJson(value))).toEqual(value);
      }),
    );
  });

  it('are written in a text of any signs without a long search', () => {
    const text = '#'.repeat(300_000);
    expect(exactJson({ id: 9007199254740993n, text })).toBe(`{"id":9007199254740993,"text":"${text}"}`);
  });

  it('are the only numbers that change: smaller ones, fractions and digits in strings stay as they are', () => {
    const text =
      '{"a":9007199254740991,"b":1.2345678901234567,"c":"9007199254740993","d":12345678901234567e3,"e":[1e20]}';
    expect(parseExactJson(text)).toEqual(JSON.parse(text));
    expect(findLargeInteger(parseExactJson(text))).toBeUndefined();
    for (const broken of ['{', '', '1e999', '{"id": 90071992547409931 2}'])
      expect(parseExactJson(broken)).toBeUndefined();
  });

  it('are strings of their digits in other JSON, and numbers for code that asks for them', () => {
    const value = { a: [1, 9007199254740993n], b: 'x' };
    expect(JSON.stringify(value)).toBe('{"a":[1,"9007199254740993"],"b":"x"}');
    expect(withDigits(value)).toEqual({ a: [1, '9007199254740993'], b: 'x' });
    expect(withNumbers(value)).toEqual({ a: [1, 9007199254740992], b: 'x' });
    const small = { a: [1] };
    expect([withDigits(small), withNumbers(small)]).toEqual([small, small]);
    expect(withNumbers(small)).toBe(small);
  });

  it('are given back to what came from code that cannot hold them, where it is the same value', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(restoreIntegers(value, withNumbers(value))).toEqual(value);
        expect(restoreIntegers(value, withDigits(value))).toEqual(value);
      }),
    );
    const before = { id: 9007199254740993n, list: [9007199254740993n] };
    expect(
      restoreIntegers(before, { id: 5, list: ['9007199254740993', 9007199254740992], more: 9007199254740992 }),
    ).toEqual({
      id: 5,
      list: [9007199254740993n, 9007199254740992],
      more: 9007199254740992,
    });
    expect(restoreIntegers(before, { id: [1], list: {} })).toEqual({ id: [1], list: {} });
  });

  it('are numbers again where a schema wants numbers', () => {
    const digits = '9007199254740993';
    expect(parseWithDigits(`{"id": ${digits}, "n": 5}`)).toEqual({ id: digits, n: 5 });
    expect(parseWithDigits('{')).toBeUndefined();
    const number = { type: 'integer' };
    const nested = {
      type: 'object',
      properties: { rows: { type: 'array', items: number } },
      additionalProperties: number,
    };
    expect(integersOfSchema(nested, { rows: [digits, '5'], more: `-${digits}` })).toEqual({
      rows: [9007199254740993n, '5'],
      more: -9007199254740993n,
    });
    expect(integersOfSchema({ type: ['number', 'null'] }, digits)).toBe(9007199254740993n);
    const others: (Json | undefined)[] = [undefined, true, {}, { type: 'string' }, { type: ['integer', 'string'] }];
    for (const schema of others) {
      expect(integersOfSchema(schema, digits)).toBe(digits);
    }
    const same = { rows: [1] };
    expect(integersOfSchema(nested, same)).toBe(same);
  });
});
