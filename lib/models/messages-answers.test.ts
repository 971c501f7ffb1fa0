import { afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '@/lib/base/json';
import { defaultSettings } from '@/lib/cards/settings';
import type { ModelPort } from '@/lib/runtime/ports';
import { type FakeClock, fakeClock } from '@/lib/testing/fake-clock';
import { type FakeProvider, type ProviderReply, startFakeProvider } from '@/lib/testing/fake-provider';
import {
  eventText,
  type MessagesAnswer,
  messagesEvents,
  messagesStream,
  messagesWhole,
} from '@/lib/testing/messages-answers';
import { modelsWith } from '@/lib/testing/models-with';
import { ask, brief, sampleRequest } from '@/lib/testing/sample-request';

const key = 'sk-ant-test-0123456789';
let server: FakeProvider | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** A clock whose sleeps take no time but advance it. */
function impatientClock(): FakeClock & { slept: number[] } {
  const clock = fakeClock(1_000);
  const slept: number[] = [];
  const sleep = async (ms: number) => {
    slept.push(ms);
    await clock.advance(ms);
  };
  return { ...clock, slept, sleep };
}

/** A model whose server sends these replies in order, and then repeats the last one. */
async function modelOf(...replies: readonly (ProviderReply | undefined)[]) {
  const fake = await startFakeProvider(({ number }) => replies[number - 1] ?? replies.at(-1) ?? { pieces: [] });
  server = fake;
  const clock = impatientClock();
  return { fake, clock, model: at(fake.url, clock) };
}

function at(url: string, clock: FakeClock, settings = defaultSettings): ModelPort {
  return modelsWith({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url }, clock, { settings });
}

const request = (changes: Parameters<typeof sampleRequest>[0] = {}) =>
  sampleRequest({ model: 'anthropic.claude-haiku-4-5', ...changes });

const text = (said: string): JsonObject => ({ type: 'text', text: said });
const thinking = (said: string, signature = 'sig'): JsonObject => ({ type: 'thinking', thinking: said, signature });
const redacted: JsonObject = { type: 'redacted_thinking', data: 'EmwK' };
const call = (id: string, name: string, input: JsonObject = {}): JsonObject => ({ type: 'tool_use', id, name, input });
const nested: JsonObject = { list: [1, { deep: [null, true, 'x"y\\z'] }], text: 'ä€😀\n' };

/** What is read of each answer: text, calls, stop reason and thinking. */
const shapes: [string, MessagesAnswer, string, string, string?][] = [
  ['a text', { content: [text('Hello.')] }, 'Hello.', 'end_turn'],
  ['a text of one letter', { content: [text('x')] }, 'x', 'end_turn'],
  ['a text of many scripts', { content: [text('ä€😀 שלום')] }, 'ä€😀 שלום', 'end_turn'],
  [
    'a text with the end of an event in it',
    { content: [text('data: [DONE]\n\nevent: x')] },
    'data: [DONE]\n\nevent: x',
    'end_turn',
  ],
  ['two texts', { content: [text('One.'), text('Two.')] }, 'One.\nTwo.', 'end_turn'],
  ['no content', { content: [] }, '', 'end_turn'],
  ['a blank text', { content: [text('')] }, '', 'end_turn'],
  ['a call', { content: [call('t1', 'add', { n: 1 })], stopReason: 'tool_use' }, ' | t1=add({"n":1})', 'tool_use'],
  ['a call without input', { content: [call('t1', 'add')], stopReason: 'tool_use' }, ' | t1=add({})', 'tool_use'],
  [
    'a call with nested input',
    { content: [call('t1', 'add', nested)], stopReason: 'tool_use' },
    ` | t1=add(${JSON.stringify(nested)})`,
    'tool_use',
  ],
  [
    'a text and a call',
    { content: [text('Well.'), call('t1', 'add')], stopReason: 'tool_use' },
    'Well. | t1=add({})',
    'tool_use',
  ],
  [
    'two calls',
    { content: [call('t1', 'add'), call('t2', 'sub')], stopReason: 'tool_use' },
    ' | t1=add({}) | t2=sub({})',
    'tool_use',
  ],
  [
    'a call, a text, a call',
    { content: [call('t1', 'add'), text('And.'), call('t2', 'sub')], stopReason: 'tool_use' },
    'And. | t1=add({}) | t2=sub({})',
    'tool_use',
  ],
  ['calls of an ended turn', { content: [call('t1', 'add')], stopReason: 'end_turn' }, ' | t1=add({})', 'tool_use'],
  ['a tool stop without calls', { content: [text('Hm.')], stopReason: 'tool_use' }, 'Hm.', 'tool_use'],
  ['a call without an id', { content: [call('', 'add')], stopReason: 'tool_use' }, ' | lead#m1-c1=add({})', 'tool_use'],
  ['thinking and a text', { content: [thinking('hm'), text('Hi.')] }, 'Hi.', 'end_turn', 'hm'],
  [
    'thinking and a call',
    { content: [thinking('hm'), call('t1', 'add')], stopReason: 'tool_use' },
    ' | t1=add({})',
    'tool_use',
    'hm',
  ],
  [
    'two thoughts',
    { content: [thinking('a'), text('Hi.'), thinking('b'), text('Ho.')] },
    'Hi.\nHo.',
    'end_turn',
    'a\n\nb',
  ],
  ['thinking that is not shown', { content: [thinking(''), text('Hi.')] }, 'Hi.', 'end_turn'],
  ['redacted thinking', { content: [redacted, text('Hi.')] }, 'Hi.', 'end_turn'],
  ['thinking alone', { content: [thinking('hm')] }, '', 'end_turn', 'hm'],
  ['a cut text', { content: [text('Hal')], stopReason: 'max_tokens' }, 'Hal', 'max_tokens'],
  [
    'a cut call',
    { content: [text('Hal'), call('t1', 'add', { n: 1 })], stopReason: 'max_tokens' },
    'Hal | t1=add({"n":1})',
    'max_tokens',
  ],
  ['a cut thought', { content: [thinking('hm')], stopReason: 'max_tokens' }, '', 'max_tokens', 'hm'],
  [
    'a full context',
    { content: [text('Hal'), call('t1', 'add')], stopReason: 'model_context_window_exceeded' },
    'Hal | t1=add({})',
    'max_tokens',
  ],
  ['a stop sequence', { content: [text('One')], stopReason: 'stop_sequence' }, 'One', 'stop_sequence'],
  ['a refusal', { content: [text('I can')], stopReason: 'refusal' }, 'I can', 'safety'],
  ['a refused call', { content: [call('t1', 'add')], stopReason: 'refusal' }, ' | t1=add({})', 'safety'],
  ['a block of a new kind', { content: [{ type: 'hologram', data: 'x' }, text('Hi.')] }, 'Hi.', 'end_turn'],
];

describe.each([
  ['streamed', messagesStream],
  ['whole', messagesWhole],
])('an answer, %s,', (_, write) => {
  test.each(shapes.map(([name, answer, ...expected]) => ({ name, answer, expected })))(
    'has $name',
    async ({ answer, expected: [said, stop, thought] }) => {
      const { model } = await modelOf(write(answer));
      const { response, deltas, parts } = await ask(model, request());
      expect(brief(response)).toBe(said);
      const message = response.ok ? response.message : undefined;
      expect([message?.stopReason, message?.reasoning]).toEqual([stop, thought]);
      const written = message?.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
      expect(deltas.join('')).toBe(written);
      expect(
        parts
          .filter(([, part]) => part === 'reasoning')
          .map(([piece]) => piece)
          .join(''),
      ).toBe((thought ?? '').replaceAll('\n\n', ''));
    },
  );
});

test('a stream that comes byte by byte is read the same', async () => {
  const whole = messagesStream({
    content: [thinking('hm'), text('ä€😀'), call('t1', 'add', nested)],
    stopReason: 'tool_use',
  });
  const { model } = await modelOf({ ...whole, pieces: [...whole.pieces.join('')] });
  expect(brief((await ask(model, request())).response)).toBe(`ä€😀 | t1=add(${JSON.stringify(nested)})`);
});

test.each([
  ['cut', 'max_tokens', [thinking('hm')]],
  ['without a text', 'end_turn', [text('Hi.'), thinking('hm')]],
])('thinking that nothing follows does not go back: %s', async (_, stopReason, content) => {
  const { model } = await modelOf(messagesStream({ content, stopReason }));
  const { response } = await ask(model, request());
  expect(response.ok && response.message.fromProvider).toBeUndefined();
  expect(response.ok && response.message.reasoning).toBe('hm');
});

test('an integer beyond 2^53 keeps its digits in both directions', async () => {
  const whole = messagesWhole({ content: [call('t1', 'add', { n: 'BIG' })], stopReason: 'tool_use' });
  const digits = '9007199254740993';
  const { model, fake } = await modelOf({
    pieces: whole.pieces.map((piece) => String(piece).replace('"BIG"', digits)),
  });
  const { response } = await ask(model, request());
  expect(brief(response)).toBe(` | t1=add({"n":${digits}})`);
  if (!response.ok) return;
  await ask(model, request({ messages: [response.message] }));
  expect(fake.requests[1]?.text).toContain(`"input":{"n":${digits}}`);
});

test('the live stream tells the name of a call first, and which call a piece belongs to', async () => {
  const { model } = await modelOf(
    messagesStream({ content: [call('t1', 'add', { n: 1 }), call('t2', 'sub')], stopReason: 'tool_use' }),
  );
  const { parts } = await ask(model, request());
  const said = new Map<string, string>();
  for (const [piece, part] of parts) said.set(JSON.stringify(part), (said.get(JSON.stringify(part)) ?? '') + piece);
  expect([...said]).toEqual([
    ['{"call":0,"toolName":"add"}', '{"n":1}'],
    ['{"call":1,"toolName":"sub"}', '{}'],
  ]);
  expect(parts[0]?.[0]).toBe('');
});

describe('usage', () => {
  test.each([
    ['streamed', messagesStream],
    ['whole', messagesWhole],
  ])('counts what was read from the cache, written to it and thought, %s', async (_, write) => {
    const usage: JsonObject = {
      input_tokens: 10,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 40,
      output_tokens: 7,
      output_tokens_details: { thinking_tokens: 3 },
    };
    const { model } = await modelOf(write({ content: [text('Hi.')], usage }));
    const { response } = await ask(model, request());
    expect(response.usage).toEqual({
      inputTokens: 150,
      outputTokens: 7,
      cachedInputTokens: 100,
      cacheWriteTokens: 40,
      reasoningTokens: 3,
      modelCalls: 1,
    });
  });

  test('has no count of the cache if nothing was written, and takes counts of null for none', async () => {
    const usage: JsonObject = { input_tokens: 10, cache_read_input_tokens: null, output_tokens: 7 };
    const { model } = await modelOf(messagesWhole({ content: [text('Hi.')], usage }));
    expect((await ask(model, request())).response.usage).toEqual({
      inputTokens: 10,
      outputTokens: 7,
      cachedInputTokens: 0,
      reasoningTokens: 0,
      modelCalls: 1,
    });
  });
});

const refusal = (status: number, type: string, message: string, headers?: Record<string, string>): ProviderReply => ({
  status,
  ...(headers && { headers }),
  pieces: [JSON.stringify({ type: 'error', error: { type, message }, request_id: 'req_1' })],
});

describe('a refusal', () => {
  test.each([
    [
      400,
      'invalid_request_error',
      'max_tokens: Field required',
      /^! model_rejected: .*status 400\): max_tokens: Field required/,
    ],
    [400, 'invalid_request_error', 'prompt is too long: 300000 tokens > 200000 maximum', /^! model_context_overflow: /],
    [
      400,
      'invalid_request_error',
      'input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000',
      /^! model_context_overflow: /,
    ],
    [
      400,
      'invalid_request_error',
      'Your credit balance is too low to access the Anthropic API.',
      /credit balance is too low/,
    ],
    [401, 'authentication_error', `invalid x-api-key ${key}`, /^! model_auth: .*Set ANTHROPIC_API_KEY/],
    [403, 'permission_error', 'no access', /^! model_auth: /],
    [404, 'not_found_error', 'model: claude-none', /^! model_not_found: .*claude-none/],
    [413, 'request_too_large', 'Request exceeds the maximum size', /^! model_context_overflow: /],
  ])('%s %s of "%s" is not tried again', async (status, type, message, expected) => {
    const { model, fake } = await modelOf(refusal(status, type, message));
    const said = brief((await ask(model, request())).response);
    expect(said).toMatch(expected);
    expect(said).not.toContain(key);
    expect(fake.requests).toHaveLength(1);
  });

  test.each([
    [429, 'rate_limit_error', 'model_rate_limited'],
    [500, 'api_error', 'model_failed'],
    [529, 'overloaded_error', 'model_failed'],
  ])('%s %s is tried again', async (status, type, code) => {
    const { model, fake } = await modelOf(
      refusal(status, type, 'Later.', { 'retry-after': '7' }),
      messagesStream({ content: [text('Now.')] }),
    );
    const { response, logs } = await ask(model, request());
    expect(brief(response)).toBe('Now.');
    expect(logs).toEqual([
      expect.stringMatching(/^warning model_retry: .*Later\. Trying again in 7\.0 s \(1 of 2\)\.$/),
    ]);
    expect([fake.requests.length, response.requests]).toEqual([2, 2]);
    const always = await modelOf(refusal(status, type, 'Later.'));
    expect(brief((await ask(always.model, request())).response)).toMatch(new RegExp(`^! ${code}: .*Later`));
    expect(always.fake.requests).toHaveLength(3);
    await always.fake.close();
    await fake.close();
  });

  test('in a stream, before the first block, is tried again', async () => {
    const overloaded = eventText({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } });
    const [start] = messagesEvents({ content: [] });
    const { model } = await modelOf(
      { pieces: [eventText(start ?? {}), overloaded] },
      messagesStream({ content: [text('Now.')] }),
    );
    expect(brief((await ask(model, request())).response)).toBe('Now.');
  });

  test('in a stream, after the first block, is not', async () => {
    const overloaded = eventText({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } });
    const begun = messagesEvents({ content: [text('Half an answer')] })
      .slice(0, 4)
      .map(eventText);
    const { model, fake } = await modelOf({ pieces: [...begun, overloaded] });
    expect(brief((await ask(model, request())).response)).toMatch(/^! model_failed: .*Overloaded/);
    expect(fake.requests).toHaveLength(1);
  });
});

describe('a bad answer', () => {
  const bad = (stop: string): ProviderReply => messagesStream({ content: [text('Hi.')], stopReason: stop });
  test.each([
    ['a stop reason that nobody knows', bad('tea_time'), /^! model_bad_response: .*'tea_time'/],
    ['no JSON', { pieces: ['event: x\ndata: {not json\n\n'] }, /^! model_bad_response: .*not JSON/],
    ['an event without a type', { pieces: ['data: {"a":1}\n\n'] }, /^! model_bad_response: .*without a type/],
    ['a list', { pieces: ['[1]'] }, /^! model_bad_response: .*not an object/],
    ['a message without content', { pieces: ['{"type":"message"}'] }, /^! model_bad_response: .*without content/],
    ['nothing', { pieces: [''] }, /^! model_stream_ended: /],
    [
      'a stream without its end',
      {
        pieces: messagesEvents({ content: [text('Hi.')] })
          .slice(0, 4)
          .map(eventText),
      },
      /^! model_stream_ended: .*broke off/,
    ],
    [
      'a broken connection',
      {
        ...{
          pieces: messagesEvents({ content: [text('Hi.')] })
            .slice(0, 4)
            .map(eventText),
        },
        isCut: true,
      },
      /^! model_stream_ended: .*broke off/,
    ],
  ] satisfies [string, ProviderReply, RegExp][])('%s', async (_, reply, expected) => {
    const { model } = await modelOf(reply);
    expect(brief((await ask(model, request())).response)).toMatch(expected);
  });

  test('larger than the limit is not read to its end', async () => {
    const fake = await startFakeProvider(() => messagesStream({ content: [text('x'.repeat(10_000))] }));
    server = fake;
    const settings = { ...defaultSettings, limits: { ...defaultSettings.limits, max_answer_bytes: 4_000 } };
    const said = brief((await ask(at(fake.url, fakeClock(), settings), request())).response);
    expect(said).toMatch(/^! model_answer_too_large: .*larger than 4,000 bytes/);
  });

  test('a server that falls silent in an answer is left after streaming_timeout', async () => {
    const begun = messagesEvents({ content: [text('Half')] })
      .slice(0, 4)
      .map(eventText);
    const { model } = await modelOf({ pieces: begun, isHanging: true });
    const silent = request({ requestParams: { streaming_timeout: 0.5 } });
    expect(brief((await ask(model, silent)).response)).toMatch(/^! model_stream_ended: .*timed out/);
  });

  test('a server that never answers is left after streaming_timeout, and tried again', async () => {
    const fake = await startFakeProvider(() => new Promise<never>(() => {}));
    server = fake;
    const silent = request({ requestParams: { streaming_timeout: 0.05 } });
    const said = brief((await ask(at(fake.url, impatientClock()), silent)).response);
    expect(said).toMatch(/^! model_unreachable: .*no byte came within 0\.05 s/);
    expect(fake.requests).toHaveLength(3);
  });

  test('the text that came before an answer broke off is kept', async () => {
    const { model } = await modelOf({
      pieces: messagesEvents({ content: [text('Half')] })
        .slice(0, 5)
        .map(eventText),
      isCut: true,
    });
    expect((await ask(model, request())).response).toMatchObject({ ok: false, received: 'Half' });
  });

  test('an abort in the middle of an answer ends the request', async () => {
    const begun = messagesEvents({ content: [text('Half')] })
      .slice(0, 4)
      .map(eventText);
    const { model, fake } = await modelOf({ pieces: begun, isHanging: true });
    const stop = new AbortController();
    const answer = model.complete(request(), { signal: stop.signal, onDelta: () => stop.abort(), log() {} });
    expect(brief(await answer)).toMatch(/^! cancelled: /);
    expect(fake.requests).toHaveLength(1);
  });
});

test('a paused turn goes on with what the model has said', async () => {
  const { model, fake } = await modelOf(
    messagesStream({ content: [thinking('hm'), text('One,')], stopReason: 'pause_turn' }),
    messagesStream({ content: [text('two.')] }),
  );
  const { response } = await ask(model, request());
  expect([brief(response), response.usage.inputTokens, response.requests]).toEqual(['One,\ntwo.', 20, 2]);
  expect(fake.requests[1]?.body.messages).toMatchObject([
    { role: 'user' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 'sig' },
        { type: 'text', text: 'One,' },
      ],
    },
  ]);
});

test('a turn that pauses for ever is given up', async () => {
  const { model, fake } = await modelOf(messagesStream({ content: [text('.')], stopReason: 'pause_turn' }));
  expect(brief((await ask(model, request())).response)).toMatch(/^! model_bad_response: .*paused more than 8 times/);
  expect(fake.requests).toHaveLength(9);
});
