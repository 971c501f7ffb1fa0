import { expect, test } from 'vitest';
import { withoutOptionalNulls, withoutOptionalNullsWithin } from './optional-nulls';

test('null stands for an optional argument that is left out, and for nothing else', () => {
  const schema = {
    type: 'object',
    properties: {
      left: { type: 'string' },
      must: { type: 'string' },
      nullable: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      typed: { type: ['string', 'null'] },
      chosen: { enum: ['a', 'b'] },
      any: {},
    },
    required: ['must'],
  };
  const args = { left: null, must: null, nullable: null, typed: null, chosen: null, any: null, unknown: null, x: 1 };
  const { left: _, chosen: __, ...rest } = args;
  expect(withoutOptionalNulls(schema, args)).toEqual(rest);
  expect(withoutOptionalNulls({}, args)).toBe(args);
});

test('below, what the schema does not describe stays', () => {
  const item = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } }, required: ['a'] };
  const schema = {
    type: 'object',
    properties: { list: { type: 'array', items: item }, one: item, any: {}, pair: { type: 'array', items: [item] } },
  };
  const value = {
    list: [{ a: null, b: null }, null, 3],
    one: { a: 'x', b: null, c: { b: null } },
    any: { b: null },
    pair: [{ b: null }],
    other: { b: null },
  };
  expect(withoutOptionalNullsWithin(schema, value)).toEqual({
    ...value,
    list: [{ a: null }, null, 3],
    one: { a: 'x', c: { b: null } },
  });
  expect(withoutOptionalNullsWithin(true, value)).toBe(value);
});
