import { expect, test } from 'vitest';
import type { CallPage } from '@/lib/client/model-calls';
import { log, toolOff, toolOn } from '@/lib/testing/trace-log';
import { pairTexts, recordedTexts, textsOfCall, textsOfEvent } from './step-texts';

const [started, ended] = log([0, toolOn('lead', 1)], [5, toolOff('lead', 1)]);

test('the texts of two steps stand beside each other by their titles', () => {
  const both = pairTexts(
    [...textsOfEvent(started), ...textsOfEvent(ended)],
    [...textsOfEvent(started), { title: 'Error TOOL_FAILED', text: 'no', isCut: true }],
  );
  expect(both).toEqual([
    { title: 'Arguments', a: '{\n  "n": 1\n}', b: '{\n  "n": 1\n}', isCut: false },
    { title: 'Result', a: '', b: undefined, isCut: false },
    { title: 'Error TOOL_FAILED', a: undefined, b: 'no', isCut: true },
  ]);
});

test('a step that the other run lacks has its own texts alone', () => {
  expect(pairTexts([], textsOfEvent(started)).map(({ a, title }) => [title, a])).toEqual([['Arguments', undefined]]);
});

test('a model call is its system text, its messages, what was set, and its answer', () => {
  const entry = { total: 2, isNew: true, isError: false } as const;
  const page: CallPage = {
    count: 3,
    from: 0,
    entries: [
      { role: 'system', title: 'System', text: 'Be', ...entry },
      { role: 'user', title: 'User', text: 'Go', ...entry },
      { role: 'answer', title: 'Assistant', text: 'OK', ...entry, total: 9 },
    ],
    tools: [],
    params: { temperature: 0 },
  };
  expect(textsOfCall(page).map(({ title, text }) => [title, text])).toEqual([
    ['System text', 'Be'],
    ['Messages', 'User\nGo'],
    ['Tools and parameters', '{\n  "parameters": {\n    "temperature": 0\n  },\n  "tools": []\n}'],
    ['Answer', 'Assistant\nOK'],
  ]);
  expect(textsOfCall(page).map(({ isCut }) => isCut)).toEqual([true, true, false, true]);
});

test('a text that the source did not record is not compared with an empty one', () => {
  const texts = recordedTexts(textsOfEvent(ended), new Set(['result']));
  expect(texts).toEqual([]);
  expect(pairTexts(textsOfEvent(ended), texts)).toEqual([{ title: 'Result', a: '', b: undefined, isCut: false }]);
});
