import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonObject } from '@/lib/base/json';
import { isStrictSchema } from './strict-schema';

const text = { type: 'string' };
const closed = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});

it.each<[string, JsonObject]>([
  ['an object without properties', closed({})],
  [
    'texts, numbers, values',
    closed({ a: text, b: { type: 'number', minimum: 1 }, c: { enum: ['x'] }, d: { const: 1 } }),
  ],
  ['a list of objects', closed({ a: { type: 'array', items: closed({ b: text }), minItems: 1 } })],
  ['null as a choice', closed({ a: { type: ['string', 'null'] }, b: { anyOf: [text, { type: 'null' }] } })],
  ['a reference', closed({ a: { $ref: '#/$defs/b' } }, { $defs: { b: closed({ c: text }) } })],
  ['a property with the name of a keyword', closed({ allOf: text, type: text })],
])('is strict: %s', (_, schema) => {
  expect(isStrictSchema(schema)).toBe(true);
});

it.each<[string, JsonObject]>([
  ['an open object', { type: 'object', properties: {}, required: [] }],
  ['an optional property', { ...closed({ a: text }), required: [] }],
  ['an open object in a list', closed({ a: { type: 'array', items: { type: 'object', properties: {} } } })],
  ['an open object in a choice', closed({ a: { anyOf: [text, { type: 'object' }] } })],
  ['an open object or null', closed({ a: { type: ['object', 'null'] } })],
  ['an open object in a definition', closed({ a: { $ref: '#/$defs/b' } }, { $defs: { b: { type: 'object' } } })],
  ['a list of anything', closed({ a: { type: 'array' } })],
  ['anything', closed({ a: {} })],
  ['a boolean schema', closed({ a: true })],
  ['a keyword that is not taken', closed({ a: { type: 'string', minLength: 1 } })],
  ['a default', closed({ a: { type: 'string', default: 'x' } })],
  ['all of several', closed({ a: { allOf: [text] } })],
  ['a reference elsewhere', closed({ a: { $ref: 'https://x.example/y' } })],
  ['a list', { type: 'array', items: text }],
  ['a choice at the root', closed({}, { anyOf: [closed({})] })],
  ['eleven levels', Array.from({ length: 11 }).reduce<JsonObject>((inner) => closed({ a: inner }), closed({}))],
])('is not strict: %s', (_, schema) => {
  expect(isStrictSchema(schema)).toBe(false);
});

it('finds the one object that is open, wherever it is', () => {
  const schemas = fc.letrec<{ schema: JsonObject; object: JsonObject }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<JsonObject>(text, { type: 'integer' }, { enum: [1, null] }),
      tie('object'),
      tie('schema').map((items): JsonObject => ({ type: 'array', items })),
      fc.array(tie('schema'), { minLength: 1, maxLength: 2 }).map((anyOf): JsonObject => ({ anyOf })),
    ),
    object: fc
      .dictionary(fc.constantFrom('a', 'b', 'items', 'type'), tie('schema'), { maxKeys: 3 })
      .map((given) => closed(given)),
  })).object;
  fc.assert(
    fc.property(schemas, fc.nat(), (schema, pick) => {
      expect(isStrictSchema(schema)).toBe(true);
      const objects = objectsIn(schema);
      const opened = structuredClone(schema);
      const target = objectsIn(opened)[pick % objects.length];
      expect(target).toBeDefined();
      delete target?.additionalProperties;
      expect(isStrictSchema(opened)).toBe(false);
    }),
    { numRuns: 200 },
  );
});

/** The schemas of objects in a schema of the test. */
function objectsIn(schema: JsonObject): Record<string, unknown>[] {
  const { type, properties, items, anyOf } = schema;
  const own = type === 'object' ? [schema as Record<string, unknown>] : [];
  const inner = [
    ...(type === 'object' && isObject(properties) ? Object.values(properties) : []),
    ...(type === 'array' ? [items] : []),
    ...(Array.isArray(anyOf) ? anyOf : []),
  ];
  return [...own, ...inner.flatMap((part) => (isObject(part) ? objectsIn(part) : []))];
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
