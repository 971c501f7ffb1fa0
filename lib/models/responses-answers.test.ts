import { afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '@/lib/base/json';
import type { ProviderSections } from '@/lib/cards/config';
import { readConfig } from '@/lib/cards/read/read-config';
import { defaultSettings } from '@/lib/cards/settings';
import { parseYaml } from '@/lib/cards/yaml/yaml-source';
import type { ModelPort } from '@/lib/runtime/ports';
import { type FakeClock, fakeClock } from '@/lib/testing/fake-clock';
import { type FakeProvider, type ProviderReply, startFakeProvider } from '@/lib/testing/fake-provider';
import { eventText } from '@/lib/testing/messages-answers';
import { modelsWith } from '@/lib/testing/models-with';
import {
  type ResponsesAnswer,
  responsesEvents,
  responsesStream,
  responsesWhole,
} from '@/lib/testing/responses-answers';
import { ask, brief, sampleRequest } from '@/lib/testing/sample-request';

const key = 'sk-test-0123456789';
let server: FakeProvider | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** A clock whose sleeps take no time but advance it. */
function impatientClock(): FakeClock {
  const clock = fakeClock(1_000);
  return { ...clock, sleep: async (ms) => clock.advance(ms) };
}

/** A model whose server sends these replies in order, and then repeats the last one. */
async function modelOf(...replies: readonly ProviderReply[]) {
  const fake = await startFakeProvider(({ number }) => replies[number - 1] ?? replies.at(-1) ?? { pieces: [] });
  server = fake;
  return { fake, model: at(fake.url, impatientClock()) };
}

function sections(yaml: string): ProviderSections {
  return readConfig('fast-agent.yaml', yaml, parseYaml({ text: yaml, offset: 0 })).config.providers;
}

function at(url: string, clock: FakeClock, settings = defaultSettings): ModelPort {
  const providers = sections('openai: { wire: responses }');
  return modelsWith({ OPENAI_API_KEY: key, OPENAI_BASE_URL: url }, clock, { settings, providers });
}

const request = (changes: Parameters<typeof sampleRequest>[0] = {}) =>
  sampleRequest({ model: 'openai.gpt-5-mini', ...changes });

const text = (said: string, more: JsonObject = {}): JsonObject => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: said, annotations: [] }],
  ...more,
});
const refusal = (said: string): JsonObject => text('', { content: [{ type: 'refusal', refusal: said }] });
const thinking = (...said: string[]): JsonObject => ({
  type: 'reasoning',
  id: 'rs_1',
  summary: said.map((part) => ({ type: 'summary_text', text: part })),
  encrypted_content: 'gAAA',
});
const call = (id: string, name: string, args = '{}'): JsonObject => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name,
  arguments: args,
  status: 'completed',
});
const nested = '{"list":[1,{"deep":[null,true,"x\\"y\\\\z"]}],"text":"ä€😀\\n"}';
const cut = { status: 'incomplete', incomplete: 'max_output_tokens' };
const filtered = { status: 'incomplete', incomplete: 'content_filter' };

/** What is read of each answer: text, calls, stop reason and thinking. */
const shapes: [string, ResponsesAnswer, string, string, string?][] = [
  ['a text', { output: [text('Hello.')] }, 'Hello.', 'end_turn'],
  ['a text of one letter', { output: [text('x')] }, 'x', 'end_turn'],
  ['a text of many scripts', { output: [text('ä€😀 שלום')] }, 'ä€😀 שלום', 'end_turn'],
  [
    'a text with the end of an event in it',
    { output: [text('data: [DONE]\n\nevent: x')] },
    'data: [DONE]\n\nevent: x',
    'end_turn',
  ],
  ['two messages', { output: [text('One.'), text('Two.')] }, 'One.\nTwo.', 'end_turn'],
  [
    'two parts of a message',
    {
      output: [
        text('', {
          content: [
            { type: 'output_text', text: 'One.' },
            { type: 'output_text', text: 'Two.' },
          ],
        }),
      ],
    },
    'One.Two.',
    'end_turn',
  ],
  ['no output', { output: [] }, '', 'end_turn'],
  ['a blank text', { output: [text('')] }, '', 'end_turn'],
  ['a message without content', { output: [text('', { content: [] })] }, '', 'end_turn'],
  ['a call', { output: [call('c1', 'add', '{"n":1}')] }, ' | c1=add({"n":1})', 'tool_use'],
  ['a call without arguments', { output: [call('c1', 'add', '')] }, ' | c1=add({})', 'tool_use'],
  ['a call with nested arguments', { output: [call('c1', 'add', nested)] }, ` | c1=add(${nested})`, 'tool_use'],
  [
    'a call whose arguments are not JSON',
    { output: [call('c1', 'add', '{not json')] },
    ' | c1=add({not json)',
    'tool_use',
  ],
  ['a text and a call', { output: [text('Well.'), call('c1', 'add')] }, 'Well. | c1=add({})', 'tool_use'],
  ['two calls', { output: [call('c1', 'add'), call('c2', 'sub')] }, ' | c1=add({}) | c2=sub({})', 'tool_use'],
  [
    'a call, a text, a call',
    { output: [call('c1', 'add'), text('And.'), call('c2', 'sub')] },
    'And. | c1=add({}) | c2=sub({})',
    'tool_use',
  ],
  ['a call without an id', { output: [call('', 'add')] }, ' | lead#m1-c1=add({})', 'tool_use'],
  ['reasoning and a text', { output: [thinking('hm'), text('Hi.')] }, 'Hi.', 'end_turn', 'hm'],
  ['reasoning and a call', { output: [thinking('hm'), call('c1', 'add')] }, ' | c1=add({})', 'tool_use', 'hm'],
  ['reasoning of two parts', { output: [thinking('a', 'b'), text('Hi.')] }, 'Hi.', 'end_turn', 'a\n\nb'],
  [
    'two items of reasoning',
    { output: [thinking('a'), text('Hi.'), thinking('b'), text('Ho.')] },
    'Hi.\nHo.',
    'end_turn',
    'a\n\nb',
  ],
  ['reasoning without a summary', { output: [thinking(), text('Hi.')] }, 'Hi.', 'end_turn'],
  [
    'reasoning without encrypted content',
    { output: [{ ...thinking('hm'), encrypted_content: null }, text('Hi.')] },
    'Hi.',
    'end_turn',
    'hm',
  ],
  ['reasoning alone', { output: [thinking('hm')] }, '', 'end_turn', 'hm'],
  [
    'a comment before a call',
    { output: [text('Looking.', { phase: 'commentary' }), call('c1', 'add')] },
    'Looking. | c1=add({})',
    'tool_use',
  ],
  ['a cut text', { output: [text('Hal')], ...cut }, 'Hal', 'max_tokens'],
  ['a cut call', { output: [text('Hal'), call('c1', 'add', '{"n":')], ...cut }, 'Hal | c1=add({"n":)', 'max_tokens'],
  ['cut reasoning', { output: [thinking('hm')], ...cut }, '', 'max_tokens', 'hm'],
  ['a filtered text', { output: [text('Hal')], ...filtered }, 'Hal', 'safety'],
  ['a filtered call', { output: [call('c1', 'add')], ...filtered }, ' | c1=add({})', 'safety'],
  ['a refusal', { output: [refusal('I will not.')] }, 'I will not.', 'safety'],
  ['a refusal beside a call', { output: [refusal('No.'), call('c1', 'add')] }, 'No. | c1=add({})', 'safety'],
  ['an item of a new kind', { output: [{ type: 'hologram', id: 'h1' }, text('Hi.')] }, 'Hi.', 'end_turn'],
];

describe.each([
  ['streamed', responsesStream],
  ['whole', responsesWhole],
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
      const pieces = parts.filter(([, part]) => part === 'reasoning').map(([piece]) => piece);
      expect(pieces.join('').replaceAll('\n\n', '')).toBe((thought ?? '').replaceAll('\n\n', ''));
    },
  );
});

test.each([
  ['cut', { output: [thinking('hm')], ...cut }],
  ['without a text', { output: [text('Hi.'), thinking('hm')] }],
])('reasoning that nothing follows does not go back: %s', async (_, answer) => {
  const { model } = await modelOf(responsesStream(answer));
  const { response } = await ask(model, request());
  expect(response.ok && response.message.fromProvider).toBeUndefined();
  expect(response.ok && response.message.reasoning).toBe('hm');
});

test('a stream that comes byte by byte is read the same', async () => {
  const whole = responsesStream({ output: [thinking('hm'), text('ä€😀'), call('c1', 'add', nested)] });
  const { model } = await modelOf({ ...whole, pieces: [...whole.pieces.join('')] });
  expect(brief((await ask(model, request())).response)).toBe(`ä€😀 | c1=add(${nested})`);
});

test('a stream that tells nothing before its end is read from there', async () => {
  const answer = { output: [thinking('hm'), text('Hi.'), call('c1', 'add')] };
  const { model } = await modelOf({ pieces: responsesEvents(answer).slice(-1).map(eventText) });
  const { response } = await ask(model, request());
  expect(brief(response)).toBe('Hi. | c1=add({})');
});

test('counts what was read from the cache, written to it and reasoned', async () => {
  const usage: JsonObject = {
    input_tokens: 150,
    input_tokens_details: { cached_tokens: 100, cache_write_tokens: 40 },
    output_tokens: 7,
    output_tokens_details: { reasoning_tokens: 3 },
  };
  const { model } = await modelOf(responsesStream({ output: [text('Hi.')], usage }));
  expect((await ask(model, request())).response.usage).toEqual({
    inputTokens: 150,
    outputTokens: 7,
    cachedInputTokens: 100,
    cacheWriteTokens: 40,
    reasoningTokens: 3,
    modelCalls: 1,
  });
});

const refused = (status: number, error: JsonObject, headers?: Record<string, string>): ProviderReply => ({
  status,
  ...(headers && { headers }),
  pieces: [JSON.stringify({ error })],
});

describe('a refusal of the server', () => {
  test.each<[number, JsonObject, RegExp]>([
    [400, { message: "Unknown parameter: 'x'.", param: 'x' }, /^! model_rejected: .*Unknown parameter/],
    [400, { message: 'Too long', code: 'context_length_exceeded' }, /^! model_context_overflow: /],
    [401, { message: `Incorrect API key provided: ${key}` }, /^! model_auth: .*OPENAI_API_KEY/],
    [403, { message: 'Country not supported' }, /^! model_auth: /],
    [404, { message: "The model 'gpt-none' does not exist" }, /^! model_not_found: .*gpt-none/],
    [429, { message: 'You exceeded your current quota', code: 'insufficient_quota' }, /^! model_rate_limited: .*quota/],
  ])('%s %j is not tried again', async (status, error, expected) => {
    const { model, fake } = await modelOf(refused(status, error));
    const said = brief((await ask(model, request())).response);
    expect(said).toMatch(expected);
    expect(said).not.toContain(key);
    expect(fake.requests.map(({ path }) => path)).toEqual(['/v1/responses']);
  });

  test.each([429, 500, 503])('%s is tried again', async (status) => {
    const later = refused(status, { message: 'Later.' }, { 'retry-after': '7' });
    const { model } = await modelOf(later, responsesStream({ output: [text('Now.')] }));
    const { response, logs } = await ask(model, request());
    expect([brief(response), response.requests]).toEqual(['Now.', 2]);
    expect(logs).toEqual([expect.stringMatching(/Later\. Trying again in 7\.0 s \(1 of 2\)\.$/)]);
  });

  test.each<[string, ProviderReply]>([
    ['as an event', { pieces: [eventText({ type: 'error', code: 'server_error', message: 'Oops.' })] }],
    [
      'as a failed answer',
      responsesStream({ output: [], status: 'failed', error: { code: 'server_error', message: 'Oops.' } }),
    ],
    [
      'as a whole failed answer',
      responsesWhole({ output: [], status: 'failed', error: { code: 'rate_limit_exceeded', message: 'Oops.' } }),
    ],
    ['in the body of a good status', { pieces: ['{"error":{"message":"Oops.","type":"server_error"}}'] }],
  ])('%s, before the answer began, is tried again', async (_, reply) => {
    const { model, fake } = await modelOf(reply, responsesStream({ output: [text('Now.')] }));
    expect(brief((await ask(model, request())).response)).toBe('Now.');
    expect(fake.requests).toHaveLength(2);
  });

  test.each(['invalid_prompt', 'bio_policy', 'image_too_large'])('%s in a failed answer is final', async (code) => {
    const failed = { output: [], status: 'failed', error: { code, message: 'Not this.' } };
    const { model, fake } = await modelOf(responsesStream(failed));
    expect(brief((await ask(model, request())).response)).toMatch(/^! model_rejected: .*Not this/);
    expect(fake.requests).toHaveLength(1);
  });

  test('after the answer began is not tried again', async () => {
    const begun = responsesEvents({ output: [text('Half an answer')] })
      .slice(0, 5)
      .map(eventText);
    const oops = eventText({ type: 'error', code: 'server_error', message: 'Oops.' });
    const { model, fake } = await modelOf({ pieces: [...begun, oops] });
    expect(brief((await ask(model, request())).response)).toMatch(/^! model_failed: .*Oops/);
    expect(fake.requests).toHaveLength(1);
  });
});

describe('a bad answer', () => {
  const half = responsesEvents({ output: [text('Half')] })
    .slice(0, 5)
    .map(eventText);

  test.each<[string, ProviderReply, RegExp]>([
    [
      'incomplete for a reason that nobody knows',
      responsesStream({ output: [], status: 'incomplete', incomplete: 'tea_time' }),
      /^! model_bad_response: .*'tea_time'/,
    ],
    [
      'of a status that nobody knows',
      responsesWhole({ output: [], status: 'resting' }),
      /^! model_bad_response: .*'resting'/,
    ],
    ['no JSON', { pieces: ['event: x\ndata: {not json\n\n'] }, /^! model_bad_response: .*not JSON/],
    ['an event without a type', { pieces: ['data: {"a":1}\n\n'] }, /^! model_bad_response: .*without a type/],
    ['a list', { pieces: ['[1]'] }, /^! model_bad_response: .*not an object/],
    [
      'without output',
      { pieces: ['{"object":"response","status":"completed"}'] },
      /^! model_bad_response: .*without output/,
    ],
    ['nothing', { pieces: [''] }, /^! model_stream_ended: /],
    ['a stream without its end', { pieces: half }, /^! model_stream_ended: .*broke off/],
    ['a broken connection', { pieces: half, isCut: true }, /^! model_stream_ended: .*broke off/],
  ])('%s', async (_, reply, expected) => {
    const { model } = await modelOf(reply);
    expect(brief((await ask(model, request())).response)).toMatch(expected);
  });

  test('larger than the limit is not read to its end, encrypted reasoning included', async () => {
    const output = [{ ...thinking(), encrypted_content: 'x'.repeat(10_000) }, text('Hi.')];
    const fake = await startFakeProvider(() => responsesStream({ output }));
    server = fake;
    const settings = { ...defaultSettings, limits: { ...defaultSettings.limits, max_answer_bytes: 4_000 } };
    const said = brief((await ask(at(fake.url, fakeClock(), settings), request())).response);
    expect(said).toMatch(/^! model_answer_too_large: .*larger than 4,000 bytes/);
  });

  test('a server that falls silent in an answer is left after streaming_timeout', async () => {
    const { model } = await modelOf({ pieces: half, isHanging: true });
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
      pieces: responsesEvents({ output: [text('Half')] })
        .slice(0, 6)
        .map(eventText),
      isCut: true,
    });
    expect((await ask(model, request())).response).toMatchObject({ ok: false, received: 'Half' });
  });

  test('an abort in the middle of an answer ends the request', async () => {
    const { model, fake } = await modelOf({ pieces: half, isHanging: true });
    const stop = new AbortController();
    const answer = model.complete(request(), { signal: stop.signal, onDelta: () => stop.abort(), log() {} });
    expect(brief(await answer)).toMatch(/^! cancelled: /);
    expect(fake.requests).toHaveLength(1);
  });
});
