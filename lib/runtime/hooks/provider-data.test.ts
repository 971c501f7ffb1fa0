import { expect, test } from 'vitest';
import { brandAs } from '@/lib/base/ids';
import type { EventBody } from '@/lib/runtime/record/events';
import { type AssistantMessage, type Message, noUsage } from '@/lib/runtime/record/messages';
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
