import { expect, it } from 'vitest';
import { brandAs, type InstancePath, type PendingId, type StepKey } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import type { PendingQuestion } from '@/lib/base/pending';
import { checkAnswer, checkRemember } from './check-answer';

const question: PendingQuestion = {
  item: brandAs<PendingId>('i'),
  path: brandAs<InstancePath>('lead'),
  step: brandAs<StepKey>('lead#t1'),
  what: 'approval',
  sentence: 's',
  tool: { name: 'agent__kid', source: 'agent', schemaHash: 'h' },
  argumentsHash: 'a',
  cardHash: 'c',
};
const remembered = (scope: 'agent' | 'project') =>
  ({ decision: 'approve', remember: { scope, match: 'any' } }) as const;

it('an approval that is remembered for an agent is bound to its card', () => {
  expect(checkRemember(question, remembered('agent'), 'lead')).toMatchObject({ agent: 'lead', cardHash: 'c' });
  expect(checkRemember(question, remembered('project'), 'lead')).not.toHaveProperty('cardHash');
});

it('the approval of a file is not remembered for all calls', () => {
  const file = { ...question, what: 'attachment' as const };
  expect(() => checkRemember(file, remembered('project'), 'lead')).toThrow('is for the approval of a tool call alone');
});

it('an answer to a hook that stopped names calls that wait, and has a text', () => {
  const result = { type: 'string', minLength: 1 };
  const stop: PendingQuestion = {
    ...question,
    what: 'hook',
    form: { type: 'object', properties: { c1: result, c2: result }, minProperties: 1, additionalProperties: false },
  };
  const who = { by: 'ann', via: 'web' };
  const answer = (content: Record<string, string>) => checkAnswer(stop, { decision: 'answer', content }, who);
  expect(answer({ c1: 'Sent.' })).toEqual({ decision: 'answer', content: { c1: 'Sent.' }, ...who });
  expect(() => answer({ c3: 'Sent.' })).toThrow(/^content\.c3: /);
  expect(() => answer({})).toThrow(/^content: /);
  expect(() => answer({ c1: '' })).toThrow(/^content\.c1: /);
  expect(() => checkAnswer(stop, { decision: 'edit', arguments: {} }, who)).toThrow(
    "this question takes 'approve', 'answer', 'deny'",
  );
});

it('integers beyond 2^53 come as text, and are no text for a field of texts', () => {
  const form = {
    type: 'object',
    properties: { id: { type: 'integer' }, rows: { type: 'array', items: { type: 'integer' } } },
  };
  const edit = (args: JsonObject) =>
    checkAnswer(
      { ...question, form, editable: true },
      { decision: 'edit', arguments: args },
      { by: 'ann', via: 'web' },
    );
  const args = { id: '9007199254740993', rows: ['-9007199254740993', 1] };
  expect(edit(args).arguments).toEqual(args);
  expect(() => edit({ id: '5' })).toThrow(/^arguments\.id: /);
  expect(() => edit({ id: 'x9007199254740993' })).toThrow(/^arguments\.id: /);
});
