import { expect, test } from 'vitest';
import { withoutOptionalNulls } from './optional-nulls';

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
