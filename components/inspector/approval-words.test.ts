import { expect, test } from 'vitest';
import { approvalRuleWords } from './approval-words';

test.each([
  [{ tools: ['mail__*'], effect: 'ask' }, 'A person is asked before calls of mail__* run.'],
  [{ tools: ['*'], effect: 'allow' }, 'Calls of all tools run without a question.'],
  [
    { tools: ['a', 'b', 'c'], agents: ['Clerk', 'Lead'], effect: 'deny' },
    'Calls of a, b and c by Clerk and Lead never run, and nobody is asked.',
  ],
  [
    { tools: ['pay'], effect: 'ask', edit: false, on_denied: 'fail', limit_s: 7_200, at_limit: 'fail' },
    'A person is asked before calls of pay run. The arguments cannot be changed. A denial ends the turn of the agent. ' +
      'Without an answer in 2 hours the turn ends.',
  ],
  [
    { tools: ['pay'], effect: 'ask', limit_s: 90 },
    'A person is asked before calls of pay run. Without an answer in 90 seconds it counts as denied.',
  ],
  [{ tools: [], effect: 'ask' }, 'It lists no tool, so it does nothing.'],
  [{ tools: ['a'], agents: [], effect: 'ask' }, 'It lists no agent, so it does nothing.'],
  [{ tools: ['a'], effect: 'maybe' }, 'Calls of a: choose what happens to them.'],
  ['text', 'This is no rule: it needs tools and an effect.'],
])('%j is said in a sentence', (rule, words) => {
  expect(approvalRuleWords(rule)).toBe(words);
});
