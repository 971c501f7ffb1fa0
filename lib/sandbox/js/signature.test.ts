import { describe, expect, it } from 'vitest';
import type { Json } from '@/lib/base/json';
import { folderOf } from '@/lib/cards/files';
import { readSignature } from './signature';

function schemaOf(text: string, file = 't.ts', more: Record<string, string> = {}): Json {
  const reading = readSignature(folderOf({ [file]: text, ...more }), file, 'f');
  return reading.ok ? reading.signature.inputSchema : `${reading.line}: ${reading.message}`;
}

function propertiesOf(text: string, file = 't.ts'): Json {
  const schema = schemaOf(text, file);
  return typeof schema === 'object' && schema !== null && 'properties' in schema ? (schema.properties ?? null) : schema;
}

describe('the schema of a function', () => {
  it.each<[string, Json]>([
    ['string[]', { type: 'array', items: { type: 'string' } }],
    ['readonly number[]', { type: 'array', items: { type: 'number' } }],
    [
      '[number, string]',
      { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }], minItems: 2, maxItems: 2 },
    ],
    [
      '[a: number, b?: string]',
      { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }], minItems: 1, maxItems: 2 },
    ],
    ['[string?]', { type: 'array', prefixItems: [{ type: 'string' }], minItems: 0, maxItems: 1 }],
    [
      '[string, ...number[]]',
      { type: 'array', prefixItems: [{ type: 'string' }], minItems: 1, items: { type: 'number' } },
    ],
    ['keyof { a: string; b: number }', { type: 'string', enum: ['a', 'b'] }],
    ["{ a: string; b: number }['b']", { type: 'number' }],
    ['"a" | "b"', { type: 'string', enum: ['a', 'b'] }],
    ['1 | "b" | null', { anyOf: [{ const: 1 }, { const: 'b' }, { type: 'null' }] }],
    ['string | number', { anyOf: [{ type: 'string' }, { type: 'number' }] }],
    ['string | undefined', { type: 'string' }],
    ['-1', { const: -1 }],
    ['Map<string, number>', {}],
    ['() => void', {}],
    ['unknown', {}],
    ['Date', { type: 'string' }],
    ['`a\u0024{string}`', { type: 'string' }],
  ])('knows the type %s', (type, schema) => {
    expect(propertiesOf(`export function f(a: ${type}, b: string) {}`)).toEqual({ a: schema, b: { type: 'string' } });
  });

  it.each<[string, Json]>([
    ['{ a: string; b?: number }', { properties: { a: { type: 'string' }, b: { type: 'number' } }, required: ['a'] }],
    ['Partial<{ a: string }>', { properties: { a: { type: 'string' } } }],
    [
      '{ a: string } & { b: boolean }',
      { properties: { a: { type: 'string' }, b: { type: 'boolean' } }, required: ['a', 'b'] },
    ],
    [
      'Pick<{ a: string; b: number; c?: string }, "b" | "c">',
      { properties: { b: { type: 'number' }, c: { type: 'string' } }, required: ['b'] },
    ],
    ['Omit<{ a: string; b?: number }, "a">', { properties: { b: { type: 'number' } } }],
    ['Required<{ a?: string }>', { properties: { a: { type: 'string' } }, required: ['a'] }],
    ['Readonly<{ a: string }>', { properties: { a: { type: 'string' } }, required: ['a'] }],
    [
      'Record<"a" | "b", number>',
      { properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
    ],
    [
      '{ a: string } & Elsewhere',
      { properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: true },
    ],
    ['Record<string, number>', { additionalProperties: { type: 'number' } }],
    ['{ [key: string]: number }', { properties: {}, additionalProperties: { type: 'number' } }],
  ])('takes the whole object for %s', (type, schema) => {
    expect(schemaOf(`export const f = async (all: ${type}) => all;`)).toEqual({ type: 'object', ...Object(schema) });
  });

  it('follows interfaces, enums, parents and imports, and ends where types go in circles', () => {
    const text = `
      import type { Base } from './types';
      enum Mood { Calm = 'calm', Wild = 'wild' }
      interface Node extends Base { mood: Mood; child?: Node; }
      export function f(node: Node) {}`;
    const more = { 'types.ts': `export interface Base {\n  /** Its id. */\n  id: string;\n}` };
    expect(schemaOf(text, 't.ts', more)).toEqual({
      type: 'object',
      properties: {
        id: { type: 'string', description: 'Its id.' },
        mood: { enum: ['calm', 'wild'] },
        child: {},
      },
      required: ['id', 'mood'],
    });
  });

  it('follows mapped types of named types', () => {
    const text = `
      interface Order { id: string; note?: string; lines: Line[] }
      type Line = { sku: string };
      type Draft = Partial<Omit<Order, 'lines'>> & Pick<Order, 'lines'>;
      export function f(draft: Draft, by: keyof Order) {}`;
    expect(propertiesOf(text)).toEqual({
      draft: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          note: { type: 'string' },
          lines: {
            type: 'array',
            items: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] },
          },
        },
        required: ['lines'],
      },
      by: { type: 'string', enum: ['id', 'note', 'lines'] },
    });
  });

  it('does not grow with types that use each other', () => {
    const types = Array.from(
      { length: 30 },
      (_, n) => `type T${n} = { a: T${n + 1}; b: T${n + 1}; c: T${n + 1}; d: T${n + 1} };`,
    );
    const text = `${types.join('\n')}\ntype T30 = string;\nexport function f(x: T0) {}`;
    expect(JSON.stringify(schemaOf(text)).length).toBeLessThan(100_000);
  });

  it('reads JSDoc of JavaScript', () => {
    const text = `
      /**
       * Searches.
       * @param {string} query - what to
       *   look for
       * @param {number} [limit=10] how many
       * @param {string[]|null} [tags]
       * @param {*} rest
       */
      export function f(query, limit, tags, rest) {}`;
    expect(schemaOf(text, 't.js')).toEqual({
      type: 'object',
      properties: {
        query: { type: 'string', description: 'what to look for' },
        limit: { type: 'number', description: 'how many', default: 10 },
        tags: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] },
        rest: {},
      },
      required: ['query', 'rest'],
    });
  });

  it('reads JSDoc of the fields of one object', () => {
    const text = `
      /**
       * @param {Object} args
       * @param {string} args.city where
       * @param {{lat: number}=} args.at
       */
      export const f = (args) => args.city;`;
    expect(schemaOf(text, 't.js')).toEqual({
      type: 'object',
      properties: {
        city: { type: 'string', description: 'where' },
        at: { type: 'object', properties: { lat: { type: 'number' } }, required: ['lat'] },
      },
      required: ['city'],
    });
  });

  it('reads destructured parameters with and without types', () => {
    expect(schemaOf(`export const f = ({ a, b = 2, 'c-d': c = [] }) => a;`, 't.js')).toEqual({
      type: 'object',
      properties: { a: {}, b: { type: 'number', default: 2 }, 'c-d': { type: 'array', default: [] } },
      required: ['a'],
    });
    expect(schemaOf(`export const f = ({ a, b = 2 }: { a: string; b: number }) => a;`)).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'number', default: 2 } },
      required: ['a'],
    });
  });

  it('takes a single plain parameter by its name, and none at all', () => {
    expect(schemaOf('export function f(city: string) {}')).toEqual({
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    });
    expect(schemaOf('export function f() {}')).toEqual({ type: 'object', properties: {} });
    expect(schemaOf('const wrap = (g) => g;\nexport const f = wrap(() => 1);', 't.js')).toEqual({ type: 'object' });
  });

  it('says where it cannot be read', () => {
    expect(schemaOf('export function f(...all: string[]) {}')).toMatch(/^1: .*rest parameter/);
    expect(schemaOf('\nexport function f(a: ) {}')).toMatch(/^2: /);
  });
});
