import { expect, it } from 'vitest';
import { brandAs, type InstancePath, type PendingId, type StepKey } from '@/lib/base/ids';
import type { PendingQuestion } from '@/lib/base/pending';
import { checkRemember } from './check-answer';

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

it('E-19 an approval that is remembered for an agent is bound to its card', () => {
  expect(checkRemember(question, remembered('agent'), 'lead')).toMatchObject({ agent: 'lead', cardHash: 'c' });
  expect(checkRemember(question, remembered('project'), 'lead')).not.toHaveProperty('cardHash');
});

it('E-22 E-18 the approval of a file is not remembered as one of all calls', () => {
  const file = { ...question, what: 'attachment' as const };
  expect(() => checkRemember(file, remembered('project'), 'lead')).toThrow('is for the approval of a tool call alone');
});
