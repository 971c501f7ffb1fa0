import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  exactJson,
  findLargeInteger,
  integersOfSchema,
  isNumberSchema,
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

  const exact = 9007199254740993n;
  const integer = { type: 'integer' };
  const text = { type: 'string' };
  const optional = { anyOf: [integer, { type: 'null' }] };
  const row = (id: Json) => ({ type: 'object', properties: { id } });
  const node = { properties: { id: integer, next: { $ref: '#/$defs/node' } } };
  test.each<[string, Json, Json, Json]>([
    ['a number or nothing', optional, `${exact}`, exact],
    ['one of several', { oneOf: [integer, { type: 'boolean' }] }, `${exact}`, exact],
    ['all of several', { allOf: [{ title: 'Id' }, integer] }, `${exact}`, exact],
    ['a number or a text', { anyOf: [integer, text] }, `${exact}`, `${exact}`],
    ['a list or nothing', { anyOf: [{ type: 'array', items: integer }, { type: 'null' }] }, [`${exact}`], [exact]],
    ['objects of two forms', { anyOf: [row(integer), row(optional)] }, { id: `${exact}` }, { id: exact }],
    ['a text in one of the forms', { anyOf: [row(integer), row(text)] }, { id: `${exact}` }, { id: `${exact}` }],
    ['a reference', { $ref: '#/$defs/a~1b', $defs: { 'a/b': optional } }, `${exact}`, exact],
    [
      'a reference to what it is in',
      { $ref: '#/$defs/node', $defs: { node } },
      { next: { next: { id: `${exact}` } } },
      { next: { next: { id: exact } } },
    ],
    ['a circle of references', { $ref: '#' }, `${exact}`, `${exact}`],
    ['a reference to nothing', { $ref: '#/$defs/none' }, `${exact}`, `${exact}`],
    [
      'items by place',
      { prefixItems: [text, integer], items: integer },
      [`${exact}`, `${exact}`, `${exact}`],
      [`${exact}`, exact, exact],
    ],
    ['items by place of draft 7', { items: [text, integer] }, [`${exact}`, `${exact}`], [`${exact}`, exact]],
  ])('are numbers again where a schema has them in %s', (_, schema, given, read) => {
    expect(integersOfSchema(schema, given)).toEqual(read);
  });

  it('are looked for in schemas of schemas in little time', () => {
    const tree: Json = {
      properties: { a: { anyOf: [{ $ref: '#' }, { $ref: '#' }, { allOf: [{ $ref: '#' }] }] }, id: integer },
    };
    let value: Json = { id: `${exact}` };
    for (let depth = 0; depth < 200; depth++) value = { a: value };
    expect(findLargeInteger(integersOfSchema(tree, value))).toBe(exact);
  });

  it('are wanted by a schema of numbers', () => {
    expect(isNumberSchema({ $ref: '#/$defs/id' }, { $defs: { id: optional } })).toBe(true);
    expect(isNumberSchema({ anyOf: [integer, text] }, undefined)).toBe(false);
    expect(isNumberSchema(undefined, undefined)).toBe(false);
  });
});
