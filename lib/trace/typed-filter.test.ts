import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  clausesOf,
  operatorsOf,
  plainOperator,
  queryOf,
  type RunField,
  type RunOperator,
  runFields,
} from './run-filter';
import { readTyped } from './typed-filter';

const now = Date.UTC(2026, 10, 22);

test.each([
  ['status:failed', 'status', 'is', 'failed'],
  ['Status != completed', 'status', 'not', 'completed'],
  ['model=gpt-5', 'model', 'contains', 'gpt-5'],
  ['errors>2', 'errors', 'gt', '2'],
  ['failed>2', 'errors', 'gt', '2'],
  ['score:quality<0.5', 'score', 'lt', 'quality:0.5'],
  ['score >= 0.8', 'score', 'min', '0.8'],
  ['score:any', 'score', 'is', 'any'],
  ['cost>0.1', 'cost', 'gt', '0.1'],
  ['agent:"two words"', 'agent', 'contains', 'two words'],
  ['tool:a=b', 'tool', 'contains', 'a=b'],
  ['time<24h', 'time', 'before', '24h'],
  ['user=ada-7', 'user', 'is', 'ada-7'],
  ['tag!=nightly', 'tag', 'not', 'nightly'],
  ['metadata.tier=gold', 'metadata', 'is', 'tier=gold'],
  ['metadata.git.sha != "a b"', 'metadata', 'not', 'git.sha=a b'],
] as const)('%s is a part of a filter', (typed, field, operator, value) => {
  expect(readTyped(typed, now)).toEqual({ kind: 'clause', clause: { field, operator, value } });
});

test.each([
  ['modle=gpt-5', 'Runs have no field “modle”. Did you mean “model”? Put the text in quotes to search for it.'],
  ['x=1', 'Runs have no field “x”. Put the text in quotes to search for it.'],
  [
    'status:done',
    'One or several of queued, running, suspended, completed, failed, cancelled, with commas between them.',
  ],
  ['duration=5s', 'Write duration< or duration> and a value.'],
  ['duration>soon', 'Write a time such as 500ms, 5s, 1m30s or 2h.'],
  ['cost>=0.1', 'Write cost< or cost> and a value.'],
  ['errors:2', 'Write errors< or errors> and a value.'],
  ['errors:', 'Write errors< or errors> and a value.'],
  ['status:', 'Write a value after “:”.'],
  ['metadata.tier=', 'Write a value after “=”.'],
  ['metadata=gold', 'Write the name and the value, such as tier=gold.'],
])('%s is not understood, and a sentence says why', (typed, sentence) => {
  expect(readTyped(typed, now)).toEqual({ kind: 'problem', sentence });
});

test.each([
  ['what is new', 'what is new'],
  ['Note: two parts', 'Note: two parts'],
  ['Error: connect ECONNREFUSED', 'Error: connect ECONNREFUSED'],
  ['errors : none', 'errors : none'],
  ['https://example.org/?a=b', 'https://example.org/?a=b'],
  ['12:30', '12:30'],
  ['"modle=gpt-5"', 'modle=gpt-5'],
  ['a<b', undefined],
])('%s is a text, unless it compares something', (typed, text) => {
  expect(readTyped(typed, now)).toMatchObject(text === undefined ? { kind: 'problem' } : { kind: 'text', text });
});

/** A value that each field takes. */
const values: Readonly<Record<RunField, string>> = {
  ...{ status: 'failed,running', agent: 'Writer', tool: 'time__now', hook: 'hooks.ts:audit', model: 'openai/gpt-5' },
  ...{ text: 'a poem', duration: '5s', cost: '0.05', tokens: '20k', errors: '2', waited: '1m30s', people: '2h' },
  ...{ score: '0.5', time: '24h', project: 'p1', source: 'callboard', by: 'ada@example.org', trigger: 'Nightly' },
  ...{ user: 'ada-7', tag: 'nightly', metadata: 'tier=gold' },
  ...{ revision: '12', files: '3f1c9a', correlation: 'monday' },
};

const signs: Readonly<Record<RunOperator, string>> = {
  ...{ is: ':', contains: '=', not: '!=', gt: '>', lt: '<', min: '>=', after: '>', before: '<' },
};

const clause = fc
  .constantFrom(...(Object.keys(runFields) as RunField[]))
  .chain((field) =>
    fc.constantFrom(...operatorsOf(field)).map((operator) => ({ field, operator, value: values[field] })),
  )
  // Beside the plain operator `is` and `contains` are chosen from the list.
  .filter(({ field, operator }) => operator === plainOperator(field) || !['is', 'contains'].includes(operator))
  .map((each) => (each.field === 'score' && each.operator === 'is' ? { ...each, value: 'any' } : each));

test('what can be typed means the same as the part of an address that it makes', () => {
  const space = fc.constantFrom('', ' ');
  fc.assert(
    fc.property(clause, space, fc.boolean(), (expected, space, isQuoted) => {
      const value = isQuoted ? `"${expected.value}"` : expected.value;
      const read = readTyped(`${expected.field}${space}${signs[expected.operator]}${space}${value}`, now);
      expect(read).toEqual({ kind: 'clause', clause: expected });
      expect(clausesOf(new URLSearchParams(queryOf([expected])))).toEqual({ ok: true, value: [expected] });
    }),
  );
});

test('any text is a part, a text, or a sentence', () => {
  const piece = fc.constantFrom('status', 'score', ':', '=', '!', '<', '>', '0.5', '"', ' ', 'q', '//', '\n', '\u0000');
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece).map((pieces) => pieces.join('')),
      ),
      (typed) => {
        const read = readTyped(typed, now);
        if (read.kind === 'problem') expect(read.sentence).toMatch(/\.$/);
        if (read.kind === 'clause')
          expect(clausesOf(new URLSearchParams(queryOf([read.clause])))).toMatchObject({ ok: true });
        if (read.kind === 'text') expect(typed).toContain(read.text);
      },
    ),
  );
});
