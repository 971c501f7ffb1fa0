import { expect, test } from 'vitest';
import { z } from 'zod';
import { recordOf } from '@/lib/base/record-of';
import { expectStrict, knownFields } from './known-fields';
import { checkInput, checkJson } from './read-body';

const refusal = (value: unknown, schema: z.ZodType) => {
  try {
    return checkInput(value, schema);
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
};

const body = z
  .strictObject({
    name: z.string(),
    remember: z.strictObject({ scope: z.string(), expiresAt: z.number().optional() }).optional(),
    answers: z.array(z.strictObject({ id: z.string() })).default([]),
    files: recordOf(z.union([z.string(), z.strictObject({ base64: z.string() })])).default({}),
    arguments: z.record(z.string(), z.json()).optional(),
  })
  .refine(() => true);

test('a field that is not known is named, with the nearest one and the list of those that are known', () => {
  expect(refusal({ nmae: 'x' }, body)).toBe(
    'There is no field "nmae". Did you mean "name"? Known: name, remember, answers, files, arguments.',
  );
  expect(refusal({ name: 'x', remember: { scope: 'run', expires: 1 } }, body)).toBe(
    'remember: There is no field "expires". Did you mean "expiresAt"? Known: scope, expiresAt.',
  );
  expect(refusal({ name: 'x', answers: [{ id: '1' }, { id: '2', note: 'x' }] }, body)).toBe(
    'answers.1: There is no field "note". Known: id.',
  );
  expect(refusal({ name: 'x', files: { 'a.md': { base46: '', base64: '' } } }, body)).toBe(
    'files.a.md: There is no field "base46". Did you mean "base64"? Known: base64.',
  );
});

test('a field of the right name with a wrong value is told in a sentence, and users name their own fields', () => {
  expect(refusal({ name: 1 }, body)).toBe('name: Use a text.');
  expect(refusal({ name: 'x', arguments: { anything: { goes: true } } }, body)).toMatchObject({ name: 'x' });
});

test.each<[unknown, z.ZodType, string]>([
  [{ a: 'x' }, z.strictObject({ a: z.number().int() }), 'a: Use a number.'],
  [{ a: 9 }, z.strictObject({ a: z.number().max(5) }), 'a: Use a number of at most 5.'],
  [{ a: [] }, z.strictObject({ a: z.array(z.string()).min(1) }), 'a: Use a list that is not empty.'],
  [{ a: 'c' }, z.strictObject({ a: z.enum(['x', 'y']) }), 'a: Use x or y.'],
  [{ a: 1 }, z.strictObject({ a: z.union([z.string(), z.strictObject({})]) }), 'a: Use a text or an object.'],
  [{ a: 1 }, z.strictObject({ a: z.string('Give a name.') }), 'a: Give a name.'],
  [[], z.strictObject({}), 'Use an object.'],
  [{ a: 'x' }, z.strictObject({ a: z.url() }), 'a: Use another value.'],
])('%j has a sentence and no words of a library', (value, schema, sentence) => {
  expect(refusal(value, schema)).toBe(sentence);
});

test('of alternatives, the fields of all are known', () => {
  const either = z.union([z.strictObject({ ids: z.array(z.string()) }), z.strictObject({ query: z.string() })]);
  expect(knownFields(either, [])).toEqual(['ids', 'query']);
  expect(refusal({ query: '', utnil: 1 }, either)).toBe('There is no field "utnil". Known: ids, query.');
  const target = z.union(
    [z.strictObject({ ids: z.array(z.string()) }), z.strictObject({ query: z.string() })],
    'Give one.',
  );
  expect(refusal({ query: '', ids: [] }, target)).toBe('Give one.');
});

test('a schema of a body that would ignore fields is a bug, at any depth', () => {
  const loose = z.strictObject({ rule: z.object({ level: z.string() }).optional() });
  expect(() => checkJson(new TextEncoder().encode('{}'), loose)).toThrow('A body with level ignores unknown fields');
  expect(() => expectStrict(z.strictObject({ payload: z.looseObject({}) }))).not.toThrow();
});
