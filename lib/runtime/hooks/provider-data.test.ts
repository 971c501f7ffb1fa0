import { describe, expect, test } from 'vitest';
import { brandAs, type CallId } from '@/lib/base/ids';
import type { EventBody } from '@/lib/runtime/record/events';
import { type AssistantMessage, type Message, noUsage, type ToolCall } from '@/lib/runtime/record/messages';
import { redactEvents } from '@/lib/runtime/record/redact-events';
import { fakeHooks, hookRef } from '@/lib/testing/fake-hooks';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import type { ModelPort, ModelRequest } from '../ports';
import { editedAnswer } from './phase-changes';
import { answerWithProviderData, withoutProviderData, withProviderData } from './provider-data';

const answer: AssistantMessage = {
  role: 'assistant',
  content: [{ type: 'text', text: 'Well.' }],
  reasoning: 'hm',
  toolCalls: [{ id: brandAs('t1'), name: 'box__work', argumentsText: '{"n":1}' }],
  stopReason: 'tool_use',
  fromProvider: { origin: 'messages host', data: { layout: [{ type: 'thinking', signature: 'sig' }] } },
};
const user: Message = { role: 'user', content: [{ type: 'text', text: 'go' }] };
const shown = withoutProviderData(answer);
const changed: AssistantMessage = { ...answer, fromProvider: undefined, content: [{ type: 'text', text: 'Other.' }] };

test('hooks see messages without it', () => {
  expect(shown).not.toHaveProperty('fromProvider');
  expect(withoutProviderData(user)).toBe(user);
});

test('a message that says the same has it again, in whatever order its members are', () => {
  const sorted = Object.fromEntries(Object.entries(shown).sort()) as unknown as Message;
  expect(withProviderData([user, sorted], [user, answer])).toEqual([user, answer]);
});

test('a message with other words, thinking or calls does not', () => {
  const others: AssistantMessage[] = [
    changed,
    { ...changed, content: answer.content, reasoning: 'other' },
    { ...changed, content: answer.content, toolCalls: [] },
  ];
  for (const other of others) {
    expect(withProviderData([other], [answer])).toEqual([other]);
    expect(answerWithProviderData(other, answer).fromProvider).toBeUndefined();
  }
  const { fromProvider: _, ...same } = answer;
  expect(editedAnswer(answer, same)).toEqual(answer);
  expect(editedAnswer(answer, { ...same, content: [] })).not.toHaveProperty('fromProvider');
});

const calls = ['a', 'b', 'c'].map((id) => ({ id: brandAs<CallId>(id), name: 'add', argumentsText: `{"n":"${id}"}` }));
const signatures = { a: { extra_content: { s: 1 } }, b: { extra_content: { s: 2 } } };
const parallel: AssistantMessage = {
  ...answer,
  toolCalls: calls,
  fromProvider: { origin: 'chat host', data: { as: 'reasoning', message: { x: 1 }, calls: signatures } },
};
const [first, second, third] = calls;
const other = (change: object) => ({ ...second, ...change }) as ToolCall;
const added = (
  ids: readonly ('a' | 'b')[],
  more: object = {},
): { readonly origin: string; readonly data: Readonly<Record<string, unknown>> } => ({
  origin: 'chat host',
  data: {
    as: 'reasoning',
    ...(ids.length > 0 && { calls: Object.fromEntries(ids.map((id) => [id, signatures[id]])) }),
    ...more,
  },
});
const wroteB = { written: { b: { name: 'add', argumentsText: '{"n":"b"}' } } };
const wroteC = { written: { c: { name: 'add', argumentsText: '{"n":"c"}' } } };
const whole = { message: { x: 1 } };

test.each<[string, Partial<AssistantMessage>, ReturnType<typeof added>, ReturnType<typeof added>]>([
  [
    'the arguments of one',
    { toolCalls: [first, other({ argumentsText: '{}' }), third] as ToolCall[] },
    added(['a', 'b'], { ...whole, ...wroteB }),
    added(['a', 'b'], whole),
  ],
  [
    'the name of one',
    { toolCalls: [first, other({ name: 'sub' }), third] as ToolCall[] },
    added(['a', 'b'], { ...whole, ...wroteB }),
    added(['a', 'b'], whole),
  ],
  [
    'the one without a signature',
    { toolCalls: [first, second, other({ id: 'c' })] as ToolCall[] },
    added(['a', 'b'], { ...whole, ...wroteC }),
    added(['a', 'b'], whole),
  ],
  ['the id of one', { toolCalls: [first, other({ id: 'x' }), third] as ToolCall[] }, added(['a']), added(['a'])],
  ['nothing but takes one away', { toolCalls: [second, third] as ToolCall[] }, added(['b']), added(['b'])],
  ['nothing but adds one', { toolCalls: [...calls, other({ id: 'd' })] }, added(['a', 'b']), added(['a', 'b'])],
  ['the text beside them', { content: [{ type: 'text', text: 'Other.' }] }, added(['a', 'b']), added(['a', 'b'])],
  ['all', { toolCalls: [other({ id: 'x' })] }, added([]), added([])],
])('a hook that changes %s leaves parallel calls what the provider added', (_, change, ofAnswer, inHistory) => {
  const edited: AssistantMessage = { ...parallel, fromProvider: undefined, ...change };
  expect(answerWithProviderData(edited, parallel).fromProvider).toEqual(ofAnswer);
  expect(withProviderData([user, edited], [user, parallel])[1]).toEqual({ ...edited, fromProvider: inHistory });
});

test('a call that two hooks changed goes back as the model wrote it', () => {
  const change = (message: AssistantMessage, argumentsText: string): AssistantMessage => ({
    ...message,
    fromProvider: undefined,
    toolCalls: [first, other({ argumentsText }), third] as ToolCall[],
  });
  const once = answerWithProviderData(change(parallel, '{"n":1}'), parallel);
  const twice = answerWithProviderData(change(once, '{"n":2}'), once);
  expect(twice.fromProvider).toEqual(added(['a', 'b'], { ...whole, ...wroteB }));
  const seen = withoutProviderData(twice);
  expect(withProviderData([user, seen], [user, twice])).toEqual([user, twice]);
  // A hook that then takes the first call out of the history says nothing about the second one.
  const shorter = { ...twice, fromProvider: undefined, toolCalls: twice.toolCalls.slice(1) };
  expect(withProviderData([shorter], [twice])).toEqual([{ ...shorter, fromProvider: added(['b'], wroteB) }]);
});

test('the signature of a call that one hook removed outlives the changes of later hooks', () => {
  const signed: AssistantMessage = {
    ...parallel,
    fromProvider: { origin: 'chat host', data: { calls: { a: signatures.a } } },
  };
  const shown = (toolCalls: readonly unknown[]) =>
    ({ ...signed, fromProvider: undefined, toolCalls: toolCalls as ToolCall[] }) satisfies AssistantMessage;
  const callsOf = ({ fromProvider }: AssistantMessage) => fromProvider?.data.calls;
  const once = answerWithProviderData(shown([second, third]), signed);
  expect(callsOf(once)).toEqual({ a: signatures.a });
  const changedArguments = shown([other({ argumentsText: '{}' }), third]);
  for (const twice of [changedArguments, shown([third])]) {
    expect(callsOf(answerWithProviderData(twice, once))).toEqual({ a: signatures.a });
    expect(withProviderData([twice], [once])).toMatchObject([
      { fromProvider: { data: { calls: { a: signatures.a } } } },
    ]);
  }
  expect(callsOf(answerWithProviderData(shown([]), once))).toBeUndefined();
});

test('reasoning that a hook changed does not go back', () => {
  const edited = { ...parallel, fromProvider: undefined, reasoning: 'other' };
  expect(answerWithProviderData(edited, parallel).fromProvider?.data).toEqual({ calls: signatures });
});

test('calls of two answers with the same id keep their own', () => {
  const earlier: AssistantMessage = {
    ...parallel,
    fromProvider: { origin: 'chat host', data: { calls: { a: { extra_content: { s: 9 } } } } },
  };
  const edited = { ...parallel, fromProvider: undefined, content: [] };
  const after = withProviderData([edited, edited], [earlier, parallel]);
  expect(after).toMatchObject([{ fromProvider: earlier.fromProvider }, { fromProvider: added(['a', 'b']) }]);
});

describe('of two changed answers whose calls have the same id', () => {
  const one = (signature: number, argumentsText: string): AssistantMessage => ({
    ...answer,
    toolCalls: [{ id: brandAs('call_0'), name: 'add', argumentsText }],
    fromProvider: { origin: 'chat host', data: { calls: { call_0: { s: signature } } } },
  });
  const [early, late] = [one(1, '{"n":1}'), one(2, '{"n":2}')];
  const edit = (message: AssistantMessage, change: Partial<AssistantMessage>): AssistantMessage => ({
    ...message,
    fromProvider: undefined,
    ...change,
  });
  const signaturesOf = (messages: readonly Message[]) =>
    messages.flatMap((message) => (message.role === 'assistant' ? [message.fromProvider?.data.calls] : []));
  const before = [user, early, user, late];

  test('each keeps the signature of its call, wherever it stands', () => {
    const after = [user, edit(late, { content: [] }), edit(early, { content: [] })];
    expect(signaturesOf(withProviderData(after, before))).toEqual([{ call_0: { s: 2 } }, { call_0: { s: 1 } }]);
  });

  test('the one that is left keeps its own', () => {
    const short = { content: [], toolCalls: [] };
    const after = [user, edit(early, short), user, edit(late, { content: [] })];
    expect(signaturesOf(withProviderData(after, before))).toEqual([undefined, { call_0: { s: 2 } }]);
  });

  test('with other arguments, each keeps the signature of its place, also in a shorter history', () => {
    const changed = (n: number) =>
      edit(early, { toolCalls: [{ ...early.toolCalls[0], argumentsText: `${n}` } as ToolCall] });
    const whole = withProviderData([user, changed(3), user, changed(4)], before);
    expect(signaturesOf(whole)).toEqual([{ call_0: { s: 1 } }, { call_0: { s: 2 } }]);
    expect(signaturesOf(withProviderData([user, changed(4)], before))).toEqual([{ call_0: { s: 2 } }]);
  });
});

/** Runs an agent whose first answer has a signature, and returns the second request and what the hook saw. */
async function secondRequest(phase: NonNullable<Parameters<typeof fakeHooks>[0]['any']>['phase']) {
  const requests: ModelRequest[] = [];
  const model: ModelPort = {
    async complete(request) {
      requests.push({ ...request, messages: [...request.messages] });
      const message = requests.length === 1 ? answer : { ...changed, toolCalls: [], stopReason: 'end_turn' as const };
      return { ok: true, message, usage: { ...noUsage, modelCalls: 1 }, requests: 1 };
    },
  };
  const phases = { before_llm_call: hookRef('any'), after_llm_call: hookRef('any') };
  const toolHooks = { form: 'phases' as const, phases };
  const { outcome } = await runGraph({
    parsed: graphOf('lead', { cards: { lead: { toolHooks } } }),
    model,
    hooks: fakeHooks({ any: { phase } }),
    tools: { mcp: fakeTools({ box__work: () => 'done' }) },
  });
  expect(outcome.status).toBe('completed');
  return requests[1]?.messages.find(({ role }) => role === 'assistant');
}

test('it outlives hooks that change other messages, and is not in their view', async () => {
  const views: unknown[] = [];
  const sent = await secondRequest((context) => {
    views.push(context);
    return context.iteration === 1 && Array.isArray(context.messageHistory)
      ? { messageHistory: [{ role: 'user', content: [{ type: 'text', text: 'more' }] }, ...context.messageHistory] }
      : undefined;
  });
  expect(sent).toEqual(answer);
  expect(JSON.stringify(views)).not.toContain('sig');
});

test('it goes with an answer that a hook changed', async () => {
  const sent = await secondRequest((context, phase) =>
    phase === 'after_llm_call' && context.iteration === 0
      ? { message: { ...shown, content: [{ type: 'text', text: 'Changed.' }] } as never }
      : undefined,
  );
  expect(sent).toEqual({ ...shown, content: [{ type: 'text', text: 'Changed.' }] });
});

test('the record leaves it out if it holds a hidden value, because the provider would refuse it', () => {
  const seen: EventBody[] = [];
  const sink = redactEvents(
    { append: (body) => seen.push(body), flush: () => Promise.resolve() },
    { everywhere: ['sk-hush-hush'], inLogs: [] },
  );
  const ended = (message: AssistantMessage): EventBody => ({
    kind: 'model.ended',
    path: brandAs('lead'),
    step: brandAs('lead#m1'),
    message,
    usage: noUsage,
    requests: 1,
  });
  const secret = { origin: 'messages host', data: { thinking: 'the key sk-hush-hush' } };
  sink.append(ended({ ...answer, fromProvider: secret }));
  sink.append(ended({ ...answer, content: [{ type: 'text', text: 'sk-hush-hush' }] }));
  expect(seen).toEqual([
    ended({ ...answer, fromProvider: undefined }),
    ended({ ...answer, content: [{ type: 'text', text: '***' }] }),
  ]);
});
