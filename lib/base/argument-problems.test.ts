import { expect, test } from 'vitest';
import { argumentProblems, problemWords } from './argument-problems';

const schema = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    days: { type: 'integer', minimum: 1 },
    unit: { enum: ['C', 'F'] },
    at: { type: 'object', properties: { hour: { type: 'number' } }, required: ['hour'] },
  },
  required: ['city'],
  additionalProperties: false,
};

test('each problem names its argument', () => {
  const problems = argumentProblems(schema, { days: 'two', unit: 'K', at: {}, more: 1 });
  expect(problems.map(({ field, message }) => `${field}: ${message}`)).toEqual([
    'city: is missing',
    'more: is not an argument of this tool',
    'days: must be integer',
    'unit: must be equal to one of the allowed values ("C", "F")',
    'at: hour is missing',
  ]);
  expect(problemWords(problems.slice(0, 2))).toBe('city is missing; more is not an argument of this tool');
});

test('arguments that fit have no problem, nor has null for one that may be left out', () => {
  expect(argumentProblems(schema, { city: 'Oslo', days: null })).toEqual([]);
});

test('where the schema itself cannot be used, only the tool can tell', () => {
  expect(argumentProblems({ type: 'object', properties: { a: { $ref: '#/nowhere' } } }, { a: 1 })).toEqual([]);
});
