import { Ajv } from 'ajv';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Json } from '@/lib/base/json';
import { describeSchemaFault, jsonSchemaFault } from './json-schema-fault';

function sentence(schema: Json): string | undefined {
  const fault = jsonSchemaFault(schema);
  return fault && describeSchemaFault(fault);
}

it.each<[Json, string]>([
  [[], 'it must be a schema, not a list'],
  [
    { type: [] },
    "'type' must be one of string, number, integer, boolean, object, array or null, or a list of them, not a list",
  ],
  [{ properties: [] }, "'properties' must be a mapping of names to schemas, not a list"],
  [{ properties: { a: 'string' } }, "'properties.a' must be a schema, not the string 'string'"],
  [{ items: [{}, { minLength: -1 }] }, "'items.1.minLength' must be a whole number from 0, not the number -1"],
  [{ required: 'a' }, "'required' must be a list of names, not the string 'a'"],
  [{ anyOf: [] }, "'anyOf' must list at least one schema"],
  [{ enum: [] }, "'enum' must be a list of values, not a list"],
  [{ patternProperties: { '(': {} } }, "'patternProperties.(' is not a regular expression"],
  [{ $ref: '#/$defs/a', $defs: { b: {} } }, "'$ref' leads to '#/$defs/a', which is not there"],
  [{ $ref: 'other.json' }, "'$ref' must begin with '#/': 'other.json' is not in this schema"],
  [{ $async: true }, "'$async' is not supported"],
])('%j: %s', (schema, expected) => {
  expect(sentence(schema)).toBe(expected);
});

it.each<[Json]>([
  [true],
  [{}],
  [{ type: ['string', 'null'], format: 'made-up', examples: [1] }],
  [
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      properties: { id: { type: 'string' }, type: { const: 1 } },
    },
  ],
  [{ $ref: '#/$defs/a~1b', $defs: { 'a/b': { items: { $ref: '#' } } } }],
  [{ if: { required: ['a'] }, else: false, dependencies: { a: ['b'], c: {} } }],
])('%j can be used', (schema) => {
  expect(sentence(schema)).toBeUndefined();
});

it('never passes what the validator of a run refuses to compile', () => {
  const value = fc.oneof(
    fc.constantFrom<Json>('string', 'object', 'strnig', '(', '^a$', true, null, -1, 0, 2.5, 3),
    fc.array(fc.constantFrom<Json>('string', 'null', 'a', 1, {}), { maxLength: 2 }),
  );
  const keyword = fc.constantFrom(
    ...'type enum required properties patternProperties items additionalProperties anyOf allOf not if then pattern'.split(
      ' ',
    ),
    ...'minLength maxItems minimum multipleOf uniqueItems $ref contains propertyNames dependencies const default'.split(
      ' ',
    ),
  );
  const { schema } = fc.letrec<{ schema: Json }>((tie) => ({
    schema: fc.dictionary(
      keyword,
      fc.oneof(
        { maxDepth: 3 },
        value,
        tie('schema'),
        fc.dictionary(fc.constantFrom('a', 'b'), tie('schema')),
        fc.array(tie('schema'), { maxLength: 2 }),
      ),
      { maxKeys: 3 },
    ),
  }));
  fc.assert(
    fc.property(schema, (given) => {
      fc.pre(jsonSchemaFault(given) === undefined);
      const ajv = new Ajv({ strict: false, validateSchema: false, validateFormats: false });
      expect(() => ajv.compile(JSON.parse(JSON.stringify(given)))).not.toThrow();
    }),
  );
});
