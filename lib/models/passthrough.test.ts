import { expect, test } from 'vitest';
import { brandAs } from '@/lib/base/ids';
import type { Message } from '@/lib/runtime/record/messages';
import { assistantMessage, brief, sampleRequest, toolMessage, userMessage } from '@/lib/testing/sample-request';
import { answerPassthrough } from './passthrough';
import { answerPlayback } from './playback';

const say = (...messages: Message[]) => brief(answerPassthrough(sampleRequest({ messages }), { reportUsage: true }));

const called: Message = {
  role: 'assistant',
  content: [],
  toolCalls: [{ id: brandAs('correlationId0'), name: 'add', argumentsText: '{}' }],
  stopReason: 'tool_use',
};

test.each<[string, Message[], string]>([
  ['echoes the message', [userMessage('hi')], 'hi'],
  [
    'joins the trailing user messages',
    [userMessage('a'), assistantMessage('x'), userMessage('b'), userMessage('c')],
    'b\nc',
  ],
  ['returns an assistant message as is', [userMessage('a'), assistantMessage('x')], 'x'],
  ['joins tool results by a space', [userMessage('a'), called, toolMessage('1', '2')], '1 2'],
  ['names an empty tool result', [userMessage('a'), called, toolMessage('', '2')], '<empty> 2'],
  [
    'calls a tool and echoes the command',
    [userMessage('***CALL_TOOL time__now {"tz": "UTC"}')],
    '***CALL_TOOL time__now {"tz": "UTC"} | correlationId0=time__now({"tz": "UTC"})',
  ],
  ['calls a tool without arguments', [userMessage('***CALL_TOOL add')], '***CALL_TOOL add | correlationId0=add({})'],
  [
    'counts its calls',
    [userMessage('***CALL_TOOL add'), called, toolMessage('1'), assistantMessage('1'), userMessage('***CALL_TOOL add')],
    '***CALL_TOOL add | correlationId1=add({})',
  ],
  ['refuses bad JSON', [userMessage('***CALL_TOOL add {oops')], '! model_directive: Invalid JSON arguments: {oops'],
  ['answers a fixed response', [userMessage('***FIXED_RESPONSE  done ')], 'done'],
  [
    'keeps the fixed response for later messages',
    [userMessage('***FIXED_RESPONSE done'), assistantMessage('done'), userMessage('more')],
    'done',
  ],
  [
    'answers a command with the fixed response',
    [userMessage('***FIXED_RESPONSE done'), assistantMessage('done'), userMessage('***CALL_TOOL add')],
    'done | correlationId0=add({})',
  ],
  [
    'lets tool results through a fixed response',
    [userMessage('***FIXED_RESPONSE done'), assistantMessage('done'), userMessage('x'), called, toolMessage('7')],
    '7',
  ],
])('passthrough %s', (_, messages, expected) => {
  expect(say(...messages)).toBe(expected);
});

test('playback loads, plays in order, and counts what is asked beyond the end', () => {
  const history = [
    userMessage('q1'),
    assistantMessage('a1'),
    userMessage('q2'),
    assistantMessage('a2'),
    userMessage('go'),
  ];
  const messages: Message[] = [...history];
  const answers: string[] = [];
  for (let turn = 1; turn <= 5; turn += 1) {
    const response = answerPlayback(sampleRequest({ messages, turn }));
    answers.push(brief(response));
    if (response.ok) messages.push(response.message, userMessage('next'));
  }
  expect(answers).toEqual([
    'HISTORY LOADED (5) messages',
    'a1',
    'a2',
    'MESSAGES EXHAUSTED (list size 5) (0 overage)',
    'MESSAGES EXHAUSTED (list size 5) (1 overage)',
  ]);
});
