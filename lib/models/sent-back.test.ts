import { afterEach, describe, expect, test } from 'vitest';
import { answerWithProviderData } from '@/lib/runtime/hooks/provider-data';
import { assistantMessage } from '@/lib/runtime/record/message-schema';
import type { AssistantMessage, Message } from '@/lib/runtime/record/messages';
import { fakeClock } from '@/lib/testing/fake-clock';
import { type FakeOpenAI, type FakeReply, type FakeRequest, startFakeOpenAI } from '@/lib/testing/fake-openai';
import { modelsWith } from '@/lib/testing/models-with';
import { ask, sampleRequest, userMessage } from '@/lib/testing/sample-request';

const open: FakeOpenAI[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function serverOf(respond: (request: FakeRequest) => FakeReply) {
  const fake = await startFakeOpenAI({ respond });
  open.push(fake);
  const clock = fakeClock(1_000);
  const variables = { OPENAI_BASE_URL: fake.url };
  return { fake, model: modelsWith(variables, { ...clock, sleep: (ms) => clock.advance(ms) }) };
}

const id = 'call_1';
const call = (more: object = {}) => ({ id, type: 'function', function: { name: 'add', arguments: '{}' }, ...more });

function stream(...deltas: readonly object[]): string {
  const chunk = (choice: object) => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`;
  return [...deltas.map((delta) => chunk({ delta })), chunk({ delta: {}, finish_reason: 'tool_calls' })].join('');
}

const whole = (message: object) => JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] });

/** The conversation after an answer with one call. */
function conversationOf(message: AssistantMessage): readonly Message[] {
  const result = { content: [{ type: 'text' as const, text: '12' }], isError: false };
  const results = message.toolCalls.map(({ id: callId }) => ({ callId, result }));
  return [userMessage('go'), message, { role: 'tool', results }];
}

async function firstAnswer(raw: string) {
  const { fake, model } = await serverOf(({ number }) => (number === 1 ? { raw } : { text: 'done' }));
  const { response } = await ask(model, sampleRequest({ model: 'gpt-test' }));
  if (!response.ok) throw new Error(response.error.message);
  return { fake, model, message: response.message };
}

const assistantIn = (fake: FakeOpenAI, at: number) =>
  fake.requests[at]?.messages.find(({ role }) => role === 'assistant')?.raw;

const signature = { google: { thought_signature: 'c2ln' } };
const encrypted = { type: 'reasoning.encrypted', data: 'ENC', id: 'rs_1', format: 'openai-responses-v1', index: 1 };
const reasoningText = { type: 'reasoning.text', text: 'The city is Oslo.', index: 0, signature: 'SIG' };
const thought = { type: 'thinking', thinking: 'The city is Oslo.', signature: 'SIG-1' };

const forms: readonly (readonly [string, string, Readonly<Record<string, unknown>>])[] = [
  [
    'reasoning_content in pieces',
    stream({ reasoning_content: 'The city ' }, { reasoning_content: 'is Oslo.' }, { tool_calls: [call()] }),
    { reasoning_content: 'The city is Oslo.' },
  ],
  [
    'reasoning_content in JSON',
    whole({ reasoning_content: 'The city is Oslo.', tool_calls: [call()] }),
    { reasoning_content: 'The city is Oslo.' },
  ],
  [
    'reasoning',
    stream({ reasoning: 'The city is Oslo.' }, { tool_calls: [call()] }),
    { reasoning: 'The city is Oslo.' },
  ],
  [
    'reasoning_details in pieces by index',
    stream(
      { reasoning: 'The city ', reasoning_details: [{ type: 'reasoning.text', text: 'The city ', index: 0 }] },
      { reasoning: 'is Oslo.', reasoning_details: [{ type: 'reasoning.text', text: 'is Oslo.', index: 0 }, encrypted] },
      { reasoning_details: [{ type: 'reasoning.text', signature: 'SIG', index: 0 }] },
      { tool_calls: [call()] },
    ),
    { reasoning: 'The city is Oslo.', reasoning_details: [reasoningText, encrypted] },
  ],
  [
    'reasoning_details that repeat their text (MiniMax)',
    stream(
      { reasoning_details: [{ type: 'reasoning.text', format: 'MiniMax-response-v1', index: 0, text: 'The' }] },
      { reasoning_details: [{ type: 'reasoning.text', format: 'MiniMax-response-v1', index: 0, text: 'The city' }] },
      { tool_calls: [call()] },
    ),
    { reasoning_details: [{ type: 'reasoning.text', format: 'MiniMax-response-v1', index: 0, text: 'The city' }] },
  ],
  [
    'reasoning_details in JSON',
    whole({ reasoning_details: [reasoningText, encrypted], tool_calls: [call()] }),
    { reasoning_details: [reasoningText, encrypted] },
  ],
  [
    'thinking_blocks in pieces (LiteLLM)',
    stream(
      { thinking_blocks: [{ type: 'thinking', thinking: 'The city ', signature: '' }] },
      { thinking_blocks: [{ type: 'thinking', thinking: 'is Oslo.', signature: '' }] },
      { thinking_blocks: [{ type: 'thinking', thinking: '', signature: 'SIG-1' }] },
      { thinking_blocks: [{ type: 'redacted_thinking', data: 'R1' }] },
      { thinking_blocks: [{ type: 'redacted_thinking', data: 'R2' }] },
      { tool_calls: [call()] },
    ),
    {
      thinking_blocks: [thought, { type: 'redacted_thinking', data: 'R1' }, { type: 'redacted_thinking', data: 'R2' }],
    },
  ],
  [
    'extra_content of a call (Gemini)',
    stream({ tool_calls: [call({ index: 0, extra_content: signature })] }),
    { tool_calls: [call({ extra_content: signature })] },
  ],
  [
    'extra_content of a call in JSON',
    whole({ tool_calls: [call({ extra_content: signature })] }),
    { tool_calls: [call({ extra_content: signature })] },
  ],
  [
    'extra_content in a later piece',
    stream({ tool_calls: [call({ index: 0 })] }, { tool_calls: [{ index: 0, extra_content: signature }] }),
    { tool_calls: [call({ extra_content: signature })] },
  ],
  [
    'extra_content of a message',
    stream({ content: 'Hm.' }, { tool_calls: [call()] }, { extra_content: signature }),
    { content: 'Hm.', extra_content: signature },
  ],
  [
    'provider_specific_fields (LiteLLM)',
    whole({
      tool_calls: [call({ provider_specific_fields: { thought_signature: 's' } })],
      provider_specific_fields: { refusal: null },
    }),
    { tool_calls: [call({ provider_specific_fields: { thought_signature: 's' } })] },
  ],
  [
    'parts with thoughts (Mistral)',
    stream(
      { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'The city ' }] }] },
      { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'is Oslo.' }], closed: true }] },
      { content: 'Hm.' },
      { tool_calls: [call()] },
    ),
    {
      content: [
        { type: 'thinking', thinking: [{ type: 'text', text: 'The city is Oslo.' }], closed: true },
        { type: 'text', text: 'Hm.' },
      ],
    },
  ],
];

describe('what a provider puts beside an answer', () => {
  test.each(forms)('goes back to it as it came: %s', async (_, raw, wanted) => {
    const { fake, model, message } = await firstAnswer(raw);
    // A resumed run reads the message from its log.
    const logged = assistantMessage.parse(JSON.parse(JSON.stringify(message)));
    await ask(model, sampleRequest({ model: 'gpt-test', messages: conversationOf(logged) }));
    expect(assistantIn(fake, 1)).toEqual({ role: 'assistant', content: null, tool_calls: [call()], ...wanted });
  });

  test.each(forms)('goes to no other host: %s', async (_, raw) => {
    const { message } = await firstAnswer(raw);
    const other = await serverOf(() => ({ text: 'done' }));
    await ask(other.model, sampleRequest({ model: 'gpt-test', messages: conversationOf(message) }));
    const content = message.content.length === 0 ? null : 'Hm.';
    expect(assistantIn(other.fake, 0)).toEqual({ role: 'assistant', content, tool_calls: [call()] });
  });

  test('does not come from messages that nobody but the runtime wrote', async () => {
    const { fake, model, message } = await firstAnswer(whole({ tool_calls: [call()], annotations: [], refusal: null }));
    expect(message.fromProvider).toBeUndefined();
    await ask(model, sampleRequest({ model: 'gpt-test', messages: conversationOf(message) }));
    expect(assistantIn(fake, 1)).toEqual({ role: 'assistant', content: null, tool_calls: [call()] });
  });

  test('counts in the limit of an answer', async () => {
    const block = { type: 'thinking', thinking: 'x'.repeat(1024 * 1024), signature: '' };
    const { model } = await serverOf(() => ({
      raw: stream(...Array.from({ length: 40 }, () => ({ thinking_blocks: [block] }))),
    }));
    const { response } = await ask(model, sampleRequest({ model: 'gpt-test' }));
    expect(response.ok ? 'ok' : response.error.code).toBe('model_answer_too_large');
  });

  test.each([
    [
      'Groq',
      {
        error: { message: "'messages.1' : property 'reasoning_content' is unsupported", type: 'invalid_request_error' },
      },
    ],
    [
      'Cerebras',
      {
        message:
          "messages.1.assistant.reasoning_content: property 'messages.1.assistant.reasoning_content' is unsupported",
        param: 'validation_error',
        code: 'wrong_api_format',
      },
    ],
    [
      'Mistral',
      {
        detail: [
          {
            type: 'extra_forbidden',
            loc: ['body', 'messages', 1, 'assistant', 'reasoning_content'],
            msg: 'Extra inputs are not permitted',
          },
        ],
      },
    ],
  ])('is left out for a model that refuses it, in the words of %s', async (_, body) => {
    const { fake, model } = await serverOf(({ number, messages }) => {
      if (number === 1) return { raw: whole({ reasoning_content: 'hm', tool_calls: [call()] }) };
      const isSent = messages.some(({ raw }) => raw.reasoning_content !== undefined);
      return isSent ? { status: 422, raw: JSON.stringify(body) } : { text: 'done' };
    });
    const first = await ask(model, sampleRequest({ model: 'gpt-test' }));
    if (!first.response.ok) throw new Error(first.response.error.message);
    const messages = conversationOf(first.response.message);
    const second = await ask(model, sampleRequest({ model: 'gpt-test', messages }));
    expect(second.response).toMatchObject({ ok: true, requests: 2 });
    expect(second.logs.map((line) => line.split(':')[0])).toEqual(['info parameter_refused']);
    const third = await ask(model, sampleRequest({ model: 'gpt-test', messages }));
    expect([third.response.requests, third.logs, fake.requests.length]).toEqual([1, [], 4]);
  });

  test('is not left out because a server misses it', async () => {
    const words = 'The `reasoning_content` in the thinking mode must be passed back to the API.';
    const { fake, model } = await serverOf(() => ({ status: 400, text: words }));
    const { response } = await ask(model, sampleRequest({ model: 'gpt-test' }));
    expect(response.ok ? 'ok' : response.error.message).toContain(words);
    expect(fake.requests.length).toBe(1);
  });
});

test.each(forms)('a call that a hook changed goes back as the model wrote it: %s', async (_, raw, wanted) => {
  const { fake, model, message } = await firstAnswer(raw);
  const toolCalls = message.toolCalls.map((one) => ({ ...one, argumentsText: '{"n":1}' }));
  const changed = answerWithProviderData({ ...message, fromProvider: undefined, toolCalls }, message);
  expect(changed.toolCalls).toEqual(toolCalls);
  await ask(model, sampleRequest({ model: 'gpt-test', messages: conversationOf(changed) }));
  expect(assistantIn(fake, 1)).toEqual({ role: 'assistant', content: null, tool_calls: [call()], ...wanted });
  // Another provider never wrote the call, so it reads what was called.
  const other = await serverOf(() => ({ text: 'done' }));
  await ask(other.model, sampleRequest({ model: 'gpt-test', messages: conversationOf(changed) }));
  const called = { ...call(), function: { name: 'add', arguments: '{"n":1}' } };
  expect(assistantIn(other.fake, 0)).toMatchObject({ tool_calls: [called] });
});

test('what belongs to a call goes back with that call alone', async () => {
  const two = [call({ extra_content: signature }), { ...call({ extra_content: signature }), id: 'call_2' }];
  const { fake, model, message } = await firstAnswer(whole({ tool_calls: two }));
  const { origin = '', data } = message.fromProvider ?? {};
  const additions = data?.calls;
  if (typeof additions !== 'object' || additions === null || !('call_2' in additions)) throw new Error('none kept');
  // As after a hook that changed the first call.
  const changed = { ...message, fromProvider: { origin, data: { calls: { call_2: additions.call_2 } } } };
  await ask(model, sampleRequest({ model: 'gpt-test', messages: conversationOf(changed) }));
  expect(assistantIn(fake, 1)?.tool_calls).toEqual([call(), two[1]]);
});

test('the first call that is left after a hook removed the signed one goes back with the placeholder that Google documents', async () => {
  const two = [call({ extra_content: signature }), { ...call(), id: 'call_2' }];
  const { fake, model, message } = await firstAnswer(whole({ tool_calls: two }));
  const [, second] = message.toolCalls;
  if (second === undefined) throw new Error('one call');
  const { fromProvider: _, ...shown } = message;
  const changed = answerWithProviderData({ ...shown, toolCalls: [second] }, message);
  await ask(model, sampleRequest({ model: 'gpt-test', messages: conversationOf(changed) }));
  const placeholder = { google: { thought_signature: 'skip_thought_signature_validator' } };
  expect(assistantIn(fake, 1)?.tool_calls).toEqual([{ ...two[1], extra_content: placeholder }]);
});
