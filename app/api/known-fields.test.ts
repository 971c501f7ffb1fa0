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

test('a field of the right name with a wrong value is told as before, and users name their own fields', () => {
  expect(refusal({ name: 1 }, body)).toBe('name: Invalid input: expected string, received number');
  expect(refusal({ name: 'x', arguments: { anything: { goes: true } } }, body)).toMatchObject({ name: 'x' });
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
