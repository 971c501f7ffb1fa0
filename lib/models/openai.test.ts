import http from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { brandAs, type CallId } from '@/lib/base/ids';
import type { ModelPort, ToolDescriptor } from '@/lib/runtime/ports';
import { type FakeClock, fakeClock } from '@/lib/testing/fake-clock';
import { type FakeOpenAI, type FakeReply, type FakeRequest, startFakeOpenAI } from '@/lib/testing/fake-openai';
import { modelsWith } from '@/lib/testing/models-with';
import { startRequestTrap } from '@/lib/testing/request-trap';
import { ask, brief, sampleRequest, userMessage } from '@/lib/testing/sample-request';

const key = 'sk-test-0123456789';
let server: FakeOpenAI | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** A model whose server sends these replies in order, and then repeats the last one. */
async function modelOf(...replies: (FakeReply | ((request: FakeRequest) => FakeReply | Promise<FakeReply>))[]) {
  let next = 0;
  const fake = await startFakeOpenAI({
    respond(request) {
      const reply = replies[Math.min(next, replies.length - 1)] ?? {};
      next += 1;
      return typeof reply === 'function' ? reply(request) : reply;
    },
  });
  server = fake;
  const clock = impatientClock();
  return { fake, clock, model: at(fake.url, clock) };
}

function at(url: string, clock: FakeClock): ModelPort {
  return modelsWith({ OPENAI_API_KEY: key, OPENAI_BASE_URL: url }, clock);
}

/** A clock whose sleeps take no time but advance it. */
function impatientClock(): FakeClock & { slept: number[] } {
  const clock = fakeClock(1_000);
  const slept: number[] = [];
  return {
    ...clock,
    slept,
    sleep: async (ms) => {
      slept.push(ms);
      await clock.advance(ms);
    },
  };
}

const request = (changes: Parameters<typeof sampleRequest>[0] = {}) => sampleRequest({ model: 'gpt-test', ...changes });

const tool = (name: string): ToolDescriptor => ({
  name,
  description: 'A tool.',
  inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
  source: 'mcp',
});

test('streams text and counts usage', async () => {
  const usage = { prompt_tokens: 30, completion_tokens: 7, cached_tokens: 20, reasoning_tokens: 3 };
  const { model, fake } = await modelOf({
    text: 'A longer answer in pieces: ä€😀.',
    reasoning: 'hm',
    usage,
    sliceBytes: 7,
  });
  const { response, deltas, parts } = await ask(model, request());
  expect(response).toEqual({
    ok: true,
    message: {
      role: 'assistant',
      content: [{ type: 'text', text: 'A longer answer in pieces: ä€😀.' }],
      reasoning: 'hm',
      toolCalls: [],
      stopReason: 'end_turn',
      fromProvider: { origin: `chat ${new URL(fake.url).host}`, data: { as: 'reasoning_content' } },
    },
    usage: { inputTokens: 30, outputTokens: 7, cachedInputTokens: 20, reasoningTokens: 3, modelCalls: 1 },
    firstTokenMs: 0,
    requests: 1,
  });
  expect(deltas.length).toBeGreaterThan(2);
  expect(deltas.join('')).toBe('A longer answer in pieces: ä€😀.');
  expect(parts).toEqual([['hm', 'reasoning']]);
  expect(fake.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
});

test.each([{ plain: false }, { plain: true }])('reads parallel tool calls, JSON or not (%j)', async ({ plain }) => {
  const { model } = await modelOf({
    plain,
    text: 'Two.',
    toolCalls: [
      { name: 'add', arguments: { n: 1 } },
      { name: 'add', arguments: '{not json' },
    ],
  });
  const { response, deltas, parts } = await ask(model, request({ tools: [tool('add')] }));
  expect(brief(response)).toBe('Two. | call_1_0=add({"n":1}) | call_1_1=add({not json)');
  expect(response.ok && response.message.stopReason).toBe('tool_use');
  expect(deltas.join('')).toBe('Two.');
  const said = new Map<unknown, string>();
  for (const [text, part] of parts) said.set(part, (said.get(part) ?? '') + text);
  expect([...said]).toEqual([
    [{ call: 0, toolName: 'add' }, '{"n":1}'],
    [{ call: 1, toolName: 'add' }, '{not json'],
  ]);
});

test('200 calls in one answer stay apart and in order', async () => {
  const toolCalls = Array.from({ length: 200 }, (_, n) => ({ name: 'add', arguments: { n } }));
  const { model } = await modelOf({ toolCalls });
  const { response } = await ask(model, request({ tools: [tool('add')] }));
  const calls = response.ok ? response.message.toolCalls : [];
  expect(calls.map((call) => call.argumentsText)).toEqual(toolCalls.map((call) => JSON.stringify(call.arguments)));
  expect(new Set(calls.map((call) => call.id)).size).toBe(200);
});

test('sends the conversation in the wire format', async () => {
  const { model, fake } = await modelOf({ text: 'ok' });
  const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const;
  await ask(
    model,
    request({
      model: 'openai.gpt-test:free?reasoning=low&temperature=0.2',
      requestParams: {
        maxTokens: 100,
        stop_sequences: ['END'],
        parallel_tool_calls: false,
        temperature: 0.7,
        unknown: 1,
      },
      tools: [tool('add'), tool('odd name.x')],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'look' }, image] },
        {
          role: 'assistant',
          content: [],
          toolCalls: [{ id: brandAs('c1'), name: 'odd name.x', argumentsText: '' }],
          stopReason: 'tool_use',
        },
        {
          role: 'tool',
          results: [
            { callId: brandAs('c1'), result: { content: [{ type: 'text', text: 'seen' }, image], isError: false } },
          ],
        },
      ],
    }),
  );
  const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
  const parameters = { type: 'object', properties: { n: { type: 'number' } } };
  expect(fake.requests[0]?.body).toEqual({
    model: 'gpt-test:free',
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: 100,
    temperature: 0.7,
    reasoning_effort: 'low',
    stop: ['END'],
    parallel_tool_calls: false,
    tools: [
      { type: 'function', function: { name: 'add', description: 'A tool.', parameters } },
      { type: 'function', function: { name: 'odd_name_x', description: 'A tool.', parameters } },
    ],
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'look' }, picture] },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'odd_name_x', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'seen\n[image image/png]' },
      { role: 'user', content: [{ type: 'text', text: 'Returned by tool call c1:' }, picture] },
    ],
  });
});

test('gives a tool its own name back', async () => {
  const { model } = await modelOf({ toolCalls: [{ name: 'odd_name_x', arguments: {} }] });
  const { response } = await ask(model, request({ tools: [tool('odd name.x')] }));
  expect(brief(response)).toBe(' | call_1_0=odd name.x({})');
});

test('tries again when told to wait, and says so', async () => {
  const { model, clock } = await modelOf(
    { status: 429, text: 'slow down', headers: { 'retry-after': '7' } },
    { status: 503, text: 'busy', headers: { 'retry-after': new Date(20_000).toUTCString() } },
    { text: 'ok' },
  );
  const { response, logs } = await ask(model, request());
  expect(brief(response)).toBe('ok');
  expect(response.requests).toBe(3);
  expect(clock.slept).toEqual([7_000, 12_000]);
  expect(logs[0]).toMatch(
    /^warning model_retry: 127\.0\.0\.1:\d+ is rate limited \(status 429\): slow down Trying again in 7\.0 s \(1 of 2\)\.$/,
  );
});

test.each<[string, FakeReply, RegExp, number]>([
  [
    'a refused key',
    { status: 401, text: `Incorrect API key ${key}` },
    /^! model_auth: .* refused the API key for model 'gpt-test' \(status 401\)\. Set OPENAI_API_KEY/,
    1,
  ],
  ['an unknown model', { status: 404, text: 'no such model' }, /^! model_not_found: .* knows no model 'gpt-test'/, 1],
  [
    'a context overflow',
    { status: 400, raw: '{"error":{"message":"too long","code":"context_length_exceeded"}}' },
    /^! model_context_overflow: .*too long\. Shorten/,
    1,
  ],
  ['a rejected request', { status: 422, text: `bad field ${key}` }, /^! model_rejected: .*bad field \*\*\*$/, 1],
  ['too many requests', { status: 429, text: 'slow down' }, /^! model_rate_limited: .*slow down$/, 3],
  [
    'an empty account',
    { status: 429, raw: '{"error":{"message":"pay","code":"insufficient_quota"}}' },
    /^! model_rate_limited: .*pay$/,
    1,
  ],
  ['a wait beyond reason', { status: 429, headers: { 'retry-after': '9999' } }, /^! model_rate_limited/, 1],
  ['a failing server', { status: 500, raw: '<html>oops</html>' }, /^! model_failed: .*status 500.*oops/, 3],
  [
    'a redirect',
    { status: 302, headers: { location: 'http://elsewhere' } },
    /^! model_bad_response: .*redirects to http:\/\/elsewhere/,
    1,
  ],
  ['a stream that ends with nothing', { text: 'x', endAfter: 1 }, /^! model_stream_ended: .*without an answer/, 3],
  ['a stream that is cut with nothing', { text: 'x', cutAfter: 1 }, /^! model_stream_ended/, 3],
  [
    'a stream that is cut in the middle',
    { text: 'some words to say here', cutAfter: 3 },
    /^! model_stream_ended: .*broke off/,
    1,
  ],
  [
    'a stream that ends in the middle',
    { text: 'some words to say here', endAfter: 3 },
    /^! model_stream_ended: .*broke off/,
    1,
  ],
  ['nonsense in the stream', { raw: 'data: {"oops\n\n' }, /^! model_bad_response: .*not JSON: \{"oops$/, 1],
  ['a web page', { raw: '<html>hello</html>' }, /^! model_bad_response: .*not JSON: <html>/, 1],
  ['null', { raw: 'null' }, /^! model_bad_response: Expected an object with choices, but .* sent: null$/, 1],
  ['null in the stream', { raw: 'data: null\n\n' }, /^! model_bad_response: Expected an object with .* sent: null$/, 1],
  ['a list', { raw: '[1]' }, /^! model_bad_response: Expected an object with choices, but .* sent: \[1\]$/, 1],
  ['JSON of another kind', { raw: '{"hello": 1}' }, /^! model_bad_response: .*without choices/, 1],
  ['an error in the stream', { raw: 'data: {"error":{"message":"crashed"}}\n\n' }, /^! model_failed: .*crashed/, 3],
])('%s is a clear error without the key', async (_, reply, expected, requests) => {
  const { model } = await modelOf(reply);
  const { response, logs } = await ask(model, request());
  expect(brief(response)).toMatch(expected);
  expect(response.requests).toBe(requests);
  expect(JSON.stringify([response, logs])).not.toContain(key);
});

test('a server that is not there is named, after two more tries', async () => {
  const clock = impatientClock();
  const { response } = await ask(at('http://127.0.0.1:9/v1', clock), request());
  expect(brief(response)).toBe(
    "! model_unreachable: Could not reach the model's server at 127.0.0.1:9: ECONNREFUSED. Check that it runs and can be reached from here, or set OPENAI_BASE_URL.",
  );
  expect(response.requests).toBe(3);
  const nowhere = await ask(at('nowhere', clock), request());
  expect(brief(nowhere.response)).toBe(
    "! model_not_served: Model 'gpt-test' is not served: 'nowhere' is not an address. Write it as https://host/path.",
  );
});

test('a missing key names the variable to set', async () => {
  const model = modelsWith({}, fakeClock());
  expect(brief((await ask(model, request({ model: 'openai.gpt-test' }))).response)).toBe(
    "! model_not_served: Model 'openai.gpt-test' is not served: there is no key for OpenAI. Set OPENAI_API_KEY in Settings, Models and keys; a command line takes it from its environment.",
  );
});

test('an abort ends the request at once, before and during the answer', async () => {
  const early = new AbortController();
  const { model, fake } = await modelOf(
    () => {
      early.abort();
      return new Promise<FakeReply>(() => undefined);
    },
    { text: 'one two three four five six', sliceBytes: 200 },
  );
  expect(brief((await ask(model, request(), early.signal)).response)).toBe(
    '! cancelled: The model call was cancelled.',
  );

  const late = new AbortController();
  const response = await model.complete(request(), {
    signal: late.signal,
    onDelta: () => late.abort(),
    log: () => undefined,
  });
  expect(brief(response)).toBe('! cancelled: The model call was cancelled.');
  expect((await ask(model, request(), late.signal)).response.requests).toBe(0);
  expect(fake.requests).toHaveLength(2);
});

test('a conversation of a megabyte passes', async () => {
  const { model, fake } = await modelOf({ text: 'ok' });
  await ask(model, request({ messages: [userMessage('x'.repeat(1_000_000))] }));
  expect(fake.requests[0]?.messages[1]?.text).toHaveLength(1_000_000);
});

test('a kept connection that the server closed meanwhile is not a failed attempt', async () => {
  const { model, fake } = await modelOf({ text: 'ok', headers: { connection: 'keep-alive' } });
  expect((await ask(model, request())).response.requests).toBe(1);
  const port = Number(new URL(fake.url).port);
  await fake.close();
  server = await startFakeOpenAI({ respond: () => ({ text: 'again' }), port });
  const { response } = await ask(model, request());
  // Two, since the server may have read the first one before it closed the connection.
  expect([brief(response), response.requests]).toEqual(['again', 2]);
});

test('a server that closes every kept connection gets no more requests than are recorded', async () => {
  let received = 0;
  const held: http.ServerResponse[] = [];
  const raw = http.createServer((incoming, outgoing) => {
    received += 1;
    incoming.resume();
    // The first four are held, so that each gets a connection of its own.
    if (received <= 4) held.push(outgoing);
    if (received === 4) for (const each of held) each.end('{"choices":[{"message":{"content":"ok"}}]}');
    if (received <= 4) return;
    if (received === 6) outgoing.writeHead(503).end('busy');
    else incoming.socket.destroy();
  });
  await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
  try {
    const address = raw.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const model = at(`http://127.0.0.1:${port}/v1`, impatientClock());
    // Four kept-alive connections, each of which would fail once.
    await Promise.all([1, 2, 3, 4].map(() => ask(model, request())));
    expect(received).toBe(4);
    const { response } = await ask(model, request());
    expect(response.ok).toBe(false);
    expect(response.requests).toBe(received - 4);
    expect(received - 4).toBeLessThanOrEqual(6);
  } finally {
    raw.closeAllConnections();
    raw.close();
  }
});

test('the result of a failed tool says that it is an error', async () => {
  const { model, fake } = await modelOf({ text: 'ok' });
  const results = ['disk full', 'Error: no such file', 'error 404'].map((text, index) => ({
    callId: brandAs<CallId>(`c${index}`),
    result: { content: [{ type: 'text' as const, text }], isError: true },
  }));
  await ask(model, request({ messages: [userMessage('go'), { role: 'tool', results }] }));
  expect(fake.requests[0]?.messages.slice(-3).map(({ text }) => text)).toEqual([
    'Error: disk full',
    'Error: no such file',
    'error 404',
  ]);
});

test.each([301, 302, 303, 307, 308])(
  'a redirect (%i) is not followed, so the key goes to no other host',
  async (status) => {
    const trap = await startRequestTrap();
    const { model, fake } = await modelOf({ status, headers: { location: `${trap.url}/v1/chat/completions` } });
    expect(brief((await ask(model, request())).response)).toMatch(/^! model_bad_response: .*redirects/);
    expect(fake.requests).toHaveLength(1);
    await trap.close();
    expect(trap.requests).toEqual([]);
  },
);
