import { expect, test } from 'vitest';
import { recordedAnswers } from './given-answers';
import type { AnsweredCall } from './instance-record';

const resultOf = (text: string) => ({ isError: false, content: [{ type: 'text' as const, text }] });
const call = (place: string, amount: number, text: string): AnsweredCall => ({
  tool: 'pay',
  place,
  arguments: { amount },
  result: resultOf(text),
});
const calls = [call('1', 5, 'first'), call('2', 7, 'second'), call('3', 7, 'third')];
const give = recordedAnswers(calls, { pay: 'record' });
const ask = (place: string, amount: number) => {
  const given = give({ agentName: 'lead', tool: 'pay', place, arguments: { amount } });
  const [content] = given?.result.content ?? [];
  return [content?.type === 'text' ? content.text : undefined, given?.level];
};

test('an answer to equal arguments comes first, and of several the one at the same place', () => {
  expect(ask('1', 7)).toEqual(['second', 'info']);
  expect(ask('3', 7)).toEqual(['third', 'info']);
});

test('without equal arguments it is the answer at the same place, then the first one, with a warning', () => {
  expect(ask('2', 1)).toEqual(['second', 'warning']);
  expect(ask('9', 1)).toEqual(['first', 'warning']);
});

test('a tool without a recorded answer fails, and one that was not chosen is called', () => {
  const none = recordedAnswers([], { pay: 'record' });
  const asked = { agentName: 'lead', tool: 'pay', place: '1', arguments: {} };
  expect(none(asked)?.result.isError).toBe(true);
  expect(recordedAnswers(calls, {})(asked)).toBeUndefined();
});
