import { afterEach, describe, expect, test } from 'vitest';
import { brandAs, type CallId } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import type { ProviderSections } from '@/lib/cards/config';
import { readConfig } from '@/lib/cards/read/read-config';
import { parseYaml } from '@/lib/cards/yaml/yaml-source';
import type { ModelRequest, ToolDescriptor } from '@/lib/runtime/ports';
import type { AssistantMessage, ContentBlock, Message } from '@/lib/runtime/record/messages';
import { fakeClock } from '@/lib/testing/fake-clock';
import { type FakeProvider, startFakeProvider } from '@/lib/testing/fake-provider';
import { messagesStream } from '@/lib/testing/messages-answers';
import { modelsWith } from '@/lib/testing/models-with';
import { ask, assistantMessage, brief, sampleRequest, userMessage } from '@/lib/testing/sample-request';

const key = 'sk-ant-test-0123456789';
let server: FakeProvider | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

function sections(yaml: string): ProviderSections {
  return readConfig('fast-agent.yaml', yaml, parseYaml({ text: yaml, offset: 0 })).config.providers;
}

/** Sends the request and returns the body that the server got. */
async function sent(changes: Partial<ModelRequest> = {}, yaml = ''): Promise<Readonly<Record<string, unknown>>> {
  const { request } = await sentTo(changes, yaml);
  return request?.body ?? {};
}

async function sentTo(changes: Partial<ModelRequest> = {}, yaml = '', path = '/v1') {
  const fake = await startFakeProvider(() => messagesStream({ content: [{ type: 'text', text: 'ok' }] }));
  server = fake;
  const variables = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: fake.url.replace('/v1', path) };
  const model = modelsWith(variables, fakeClock(), { providers: sections(yaml) });
  const { response } = await ask(model, sampleRequest({ model: 'anthropic.claude-haiku-4-5', ...changes }));
  await fake.close();
  expect(brief(response)).toBe('ok');
  return { request: fake.requests[0] };
}

const tool = (name: string): ToolDescriptor => ({
  name,
  description: 'A tool.',
  inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
  source: 'mcp',
});
const point = { cache_control: { type: 'ephemeral' } };

test.each(['', '/v1'])(
  'goes to /v1/messages with the key in its own header, whatever the address ends in (%j)',
  async (path) => {
    const { request } = await sentTo({}, '', path);
    expect(request?.path).toBe('/v1/messages');
    expect(request?.headers).toMatchObject({ 'x-api-key': key, 'anthropic-version': '2023-06-01' });
    expect(request?.headers.authorization).toBeUndefined();
  },
);

test('the package takes no key and no header from the environment', async () => {
  process.env.ANTHROPIC_AUTH_TOKEN = 'token-of-the-environment';
  process.env.ANTHROPIC_CUSTOM_HEADERS = 'x-from-environment: yes';
  try {
    const { request } = await sentTo();
    expect(JSON.stringify(request?.headers)).not.toMatch(/environment/);
  } finally {
    delete process.env.ANTHROPIC_AUTH_TOKEN;
    delete process.env.ANTHROPIC_CUSTOM_HEADERS;
  }
});

test('has the conversation in the format of the provider', async () => {
  const messages: Message[] = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'look' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      ],
    },
    {
      role: 'assistant',
      content: [{ type: 'text', text: 'Well.' }],
      toolCalls: [
        { id: brandAs('lead#m1-c1'), name: 'odd name.x', argumentsText: '' },
        { id: brandAs('c2'), name: 'add', argumentsText: '{not json' },
      ],
      stopReason: 'tool_use',
    },
    {
      role: 'tool',
      results: [
        {
          callId: brandAs('lead#m1-c1'),
          result: {
            content: [
              { type: 'text', text: 'seen' },
              { type: 'image', data: 'BBBB', mimeType: 'image/jpeg' },
            ],
            isError: false,
          },
        },
        { callId: brandAs('c2'), result: { content: [{ type: 'text', text: 'no' }], isError: true } },
      ],
    },
  ];
  const body = await sent({ messages, tools: [tool('add'), tool('odd name.x')], requestParams: { maxTokens: 100 } });
  const first = expect.stringMatching(/^call_[0-9a-f]{32}$/);
  expect(body).toEqual({
    model: 'claude-haiku-4-5',
    stream: true,
    max_tokens: 100,
    system: [{ type: 'text', text: 'Be brief.', ...point }],
    tools: [
      { name: 'add', description: 'A tool.', input_schema: tool('add').inputSchema },
      { name: 'odd_name_x', description: 'A tool.', input_schema: tool('add').inputSchema, ...point },
    ],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' }, ...point },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Well.' },
          { type: 'tool_use', id: first, name: 'odd_name_x', input: {} },
          { type: 'tool_use', id: 'c2', name: 'add', input: { not_a_json_object: '{not json' } },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: first,
            content: [
              { type: 'text', text: 'seen' },
              { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'BBBB' } },
            ],
          },
          { type: 'tool_result', tool_use_id: 'c2', is_error: true, content: [{ type: 'text', text: 'no' }], ...point },
        ],
      },
    ],
  });
});

test('has files as the model can read them', async () => {
  const file = (uri: string, mimeType: string, more: { text?: string; blob?: string }) =>
    ({ type: 'resource', uri, mimeType, ...more }) as const;
  const blob = (text: string) => Buffer.from(text).toString('base64');
  const body = await sent(
    {
      messages: [
        {
          role: 'user',
          content: [
            file('a/report.pdf', 'application/pdf', { blob: 'JVBERi0=' }),
            file('a/picture.webp', 'image/webp', { blob: 'AAAA' }),
            file('a/notes.md', 'text/markdown', { text: '# Notes' }),
            file('a/data.csv', 'text/csv', { blob: blob('a,b') }),
            file('a/tune.zip', 'application/zip', { blob: 'AAAA' }),
            { type: 'image', data: 'AAAA', mimeType: 'image/tiff' },
            { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
            { type: 'text', text: ' ' },
          ],
        },
      ],
    },
    'anthropic: { cache_mode: prompt }',
  );
  expect(body.messages).toEqual([
    {
      role: 'user',
      content: [
        {
          type: 'document',
          source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
          title: 'report.pdf',
        },
        { type: 'image', source: { type: 'base64', media_type: 'image/webp', data: 'AAAA' } },
        { type: 'text', text: 'File a/notes.md (text/markdown):\n# Notes' },
        { type: 'text', text: 'File a/data.csv (text/csv):\na,b' },
        { type: 'text', text: '[resource a/tune.zip]' },
        { type: 'text', text: '[image image/tiff]' },
        { type: 'text', text: '[audio audio/wav]' },
      ],
    },
  ]);
});

test('a message without content is left out, and a conversation begins with the user', async () => {
  const body = await sent({
    messages: [assistantMessage('Hello.'), userMessage(''), userMessage('go')],
    instruction: '',
  });
  expect(body.messages).toEqual([
    { role: 'user', content: [{ type: 'text', text: '(No text)', ...point }] },
    { role: 'assistant', content: [{ type: 'text', text: 'Hello.' }] },
    { role: 'user', content: [{ type: 'text', text: 'go', ...point }] },
  ]);
  expect(body).not.toHaveProperty('system');
});

test('the result of a failed call is text alone', async () => {
  const failed = (content: readonly ContentBlock[]): Message => ({
    role: 'tool',
    results: [{ callId: brandAs('c1'), result: { content, isError: true } }],
  });
  const picture = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const;
  const { messages } = await sent(
    { messages: [userMessage('go'), failed([picture]), failed([])] },
    'anthropic: { cache_mode: off }',
  );
  const result = (text: string) => [
    { type: 'tool_result', tool_use_id: 'c1', is_error: true, content: [{ type: 'text', text }] },
  ];
  expect(messages).toMatchObject([
    {},
    { content: result('[image image/png]') },
    { content: result('The call failed.') },
  ]);
});

describe('points of the cache', () => {
  const messages = [userMessage('a'), assistantMessage('b'), userMessage('c'), assistantMessage('d'), userMessage('e')];
  const pointsOf = (body: Readonly<Record<string, unknown>>) =>
    JSON.stringify(body).split('"cache_control"').length - 1;

  test('are at the tools, the instruction and the end of the last two turns', async () => {
    const body = await sent({ messages, tools: [tool('add')] });
    expect(pointsOf(body)).toBe(4);
    expect(body.messages).toMatchObject([{}, {}, { content: [point] }, {}, { content: [point] }]);
  });

  test('are not in the conversation with cache_mode: prompt', async () => {
    expect(pointsOf(await sent({ messages, tools: [tool('add')] }, 'anthropic: { cache_mode: prompt }'))).toBe(2);
  });

  test('are nowhere with cache_mode: off', async () => {
    expect(pointsOf(await sent({ messages, tools: [tool('add')] }, 'anthropic: { cache_mode: off }'))).toBe(0);
  });
});

describe('parameters', () => {
  test.each<[string, JsonObject, JsonObject]>([
    ['claude-haiku-4-5', {}, { max_tokens: 32_000 }],
    ['claude-3-5-haiku-latest', {}, { max_tokens: 8_192 }],
    ['claude-3-5-haiku-latest?reasoning=high', {}, { max_tokens: 8_192 }],
    [
      'claude-haiku-4-5?temperature=0.2&top_k=5',
      { topP: 0.9 },
      { max_tokens: 32_000, temperature: 0.2, top_p: 0.9, top_k: 5 },
    ],
    ['claude-opus-4-8?temperature=0.2', {}, { max_tokens: 32_000 }],
    ['claude-sonnet-4-6?temperature=0.2', {}, { max_tokens: 32_000, temperature: 0.2 }],
    [
      'claude-haiku-4-5?reasoning=low',
      { temperature: 0.2 },
      { max_tokens: 32_000, thinking: { type: 'enabled', budget_tokens: 1024 } },
    ],
    [
      'claude-haiku-4-5?reasoning=medium',
      {},
      { max_tokens: 32_000, thinking: { type: 'enabled', budget_tokens: 16_000 } },
    ],
    [
      'claude-opus-4-1?reasoning=high',
      {},
      { max_tokens: 32_000, thinking: { type: 'enabled', budget_tokens: 23_808 } },
    ],
    [
      'claude-sonnet-4-20250514?reasoning=2000',
      { max_tokens: 1_000 },
      { max_tokens: 10_192, thinking: { type: 'enabled', budget_tokens: 2_000 } },
    ],
    ['claude-haiku-4-5?reasoning=on', {}, { max_tokens: 32_000, thinking: { type: 'enabled', budget_tokens: 1024 } }],
    ['claude-haiku-4-5?reasoning=off', {}, { max_tokens: 32_000, thinking: { type: 'disabled' } }],
    [
      'claude-haiku-4-5?reasoning=0',
      { reasoning: 4096 },
      { max_tokens: 32_000, thinking: { type: 'enabled', budget_tokens: 4096 } },
    ],
    [
      'claude-opus-4-6?reasoning=xhigh',
      {},
      { max_tokens: 32_000, thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'max' } },
    ],
    [
      'claude-opus-4-8?reasoning=xhigh',
      {},
      { max_tokens: 32_000, thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'xhigh' } },
    ],
    [
      'claude-sonnet-5?reasoning=minimal',
      {},
      { max_tokens: 32_000, thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'low' } },
    ],
    [
      'claude-sonnet-5?reasoning=auto',
      {},
      { max_tokens: 32_000, thinking: { type: 'adaptive', display: 'summarized' } },
    ],
    [
      'claude-sonnet-5?reasoning=8000',
      {},
      { max_tokens: 32_000, thinking: { type: 'adaptive', display: 'summarized' } },
    ],
    ['claude-opus-5?reasoning=off', {}, { max_tokens: 32_000, thinking: { type: 'disabled' } }],
    ['claude-fable-5?reasoning=off', {}, { max_tokens: 32_000 }],
    [
      'claude-fable-5?reasoning=max',
      {},
      { max_tokens: 32_000, thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'xhigh' } },
    ],
    [
      'claude-opus-5?service_tier=fast',
      { stop_sequences: ['END', ' '] },
      { max_tokens: 32_000, stop_sequences: ['END'] },
    ],
  ])('%s with %j', async (model, requestParams, expected) => {
    const { model: _, stream, system, messages, ...rest } = await sent({ model: `anthropic.${model}`, requestParams });
    expect(rest).toEqual(expected);
  });

  test('reasoning of the section holds for budgets too', async () => {
    const body = await sent({}, 'anthropic: { reasoning: 3000 }');
    expect(body.thinking).toEqual({ type: 'enabled', budget_tokens: 3000 });
  });

  test('parallel calls can be forbidden', async () => {
    const body = await sent({ tools: [tool('add')], requestParams: { parallel_tool_calls: false } });
    expect(body.tool_choice).toEqual({ type: 'auto', disable_parallel_tool_use: true });
  });
});

describe('what the provider added', () => {
  const host = (fake: FakeProvider) => new URL(fake.url).host;
  const layout: JsonObject[] = [
    { type: 'thinking', thinking: 'hm', signature: 'sig-1' },
    { text: 0 },
    { type: 'redacted_thinking', data: 'EmwK' },
    { call: 0 },
  ];
  const answer = (origin: string, data: JsonObject, more: Partial<AssistantMessage> = {}): AssistantMessage => ({
    role: 'assistant',
    content: [{ type: 'text', text: 'Well.' }],
    reasoning: 'hm',
    toolCalls: [{ id: brandAs('t1'), name: 'add', argumentsText: '{"n":1}' }],
    stopReason: 'tool_use',
    fromProvider: { origin, data },
    ...more,
  });
  const result: Message = {
    role: 'tool',
    results: [{ callId: brandAs('t1'), result: { content: [{ type: 'text', text: '2' }], isError: false } }],
  };

  async function second(
    originOf: (fake: FakeProvider) => string,
    more: Partial<AssistantMessage> = {},
    model = 'claude-haiku-4-5?reasoning=low',
    data: JsonObject = { layout },
  ) {
    const fake = await startFakeProvider(() => messagesStream({ content: [{ type: 'text', text: 'ok' }] }));
    server = fake;
    const port = modelsWith({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: fake.url }, fakeClock());
    const messages = [userMessage('go'), answer(originOf(fake), data, more), result];
    await ask(port, sampleRequest({ model: `anthropic.${model}`, messages, tools: [tool('add')] }));
    const body = fake.requests[0]?.body ?? {};
    const sentMessages: unknown = body.messages;
    return { thinking: body.thinking, content: Array.isArray(sentMessages) ? sentMessages[1]?.content : undefined };
  }

  test('goes back unchanged and in its place', async () => {
    expect(await second((fake) => `messages ${host(fake)}`)).toEqual({
      thinking: { type: 'enabled', budget_tokens: 1024 },
      content: [
        { type: 'thinking', thinking: 'hm', signature: 'sig-1' },
        { type: 'text', text: 'Well.' },
        { type: 'redacted_thinking', data: 'EmwK' },
        { type: 'tool_use', id: 't1', name: 'add', input: { n: 1 } },
      ],
    });
  });

  test('goes back with a call as the model wrote it, where a hook changed what is called', async () => {
    const written = { t1: { name: 'add', argumentsText: '{"n":1}' } };
    const toolCalls = [{ id: brandAs<CallId>('t1'), name: 'sub', argumentsText: '{"n":2}' }];
    const sentTo = async (originOf: (fake: FakeProvider) => string) => {
      const body = await second(originOf, { toolCalls }, 'claude-haiku-4-5?reasoning=low', { layout, written });
      return body.content;
    };
    expect(await sentTo((fake) => `messages ${host(fake)}`)).toMatchObject([
      { signature: 'sig-1' },
      {},
      {},
      { name: 'add', input: { n: 1 } },
    ]);
    expect(await sentTo(() => 'elsewhere')).toMatchObject([{ type: 'text' }, { name: 'sub', input: { n: 2 } }]);
  });

  const plain = [
    { type: 'text', text: 'Well.' },
    { type: 'tool_use', id: 't1', name: 'add', input: { n: 1 } },
  ];

  test.each(['messages api.anthropic.com', 'chat elsewhere', 'responses api.openai.com'])(
    'of %s does not, and a model with a budget does not think until its calls are answered',
    async (origin) => {
      expect(await second(() => origin)).toEqual({ thinking: undefined, content: plain });
    },
  );

  test('of another provider does not, and a model that decides itself thinks', async () => {
    const body = await second(() => 'chat elsewhere', {}, 'claude-sonnet-5?reasoning=low');
    expect(body).toEqual({ thinking: { type: 'adaptive', display: 'summarized' }, content: plain });
  });

  test.each<[string, JsonObject]>([
    ['no layout', {}],
    ['a layout that is no list', { layout: 'x' }],
    ['a layout without the call', { layout: [{ text: 0 }] }],
    ['a layout of nonsense', { layout: [1, null, { text: 0 }, { call: 0 }, { type: 'thinking' }] }],
  ])('with %s is left out, and the calls are not', async (_, data) => {
    const found = await second((fake) => `messages ${host(fake)}`, { fromProvider: { origin: `messages`, data } });
    expect(found.content).toEqual(plain);
    await server?.close();
    const same = await startFakeProvider(() => messagesStream({ content: [] }));
    server = same;
    const port = modelsWith({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: same.url }, fakeClock());
    const messages = [userMessage('go'), answer(`messages ${host(same)}`, data), result];
    await ask(port, sampleRequest({ model: 'anthropic.claude-haiku-4-5', messages }));
    expect(same.requests[0]?.body.messages).toMatchObject([{}, { content: plain }, {}]);
  });
});

describe('a form of the answer', () => {
  const schema: JsonObject = {
    type: 'object',
    properties: { agent: { type: 'string' } },
    required: ['agent'],
    additionalProperties: false,
  };

  test('is asked of the provider, with tools too', async () => {
    const body = await sent({ responseFormat: { name: 'route', schema }, tools: [tool('add')] });
    expect(body.output_config).toEqual({ format: { type: 'json_schema', schema } });
  });

  test.each<[string, string, JsonObject]>([
    ['a model without it', 'claude-3-5-haiku-latest', schema],
    ['an open schema', 'claude-haiku-4-5', { type: 'object', properties: { agent: { type: 'string' } } }],
    ['a schema with a limit', 'claude-haiku-4-5', { ...schema, properties: { agent: { type: 'number', minimum: 1 } } }],
  ])('is left to the instruction for %s', async (_, model, given) => {
    const body = await sent({ model: `anthropic.${model}`, responseFormat: { name: 'route', schema: given } });
    expect(body).not.toHaveProperty('output_config');
  });

  test('that the server refuses is asked for by the instruction alone, from then on', async () => {
    const message = 'output_config.format: Extra inputs are not permitted';
    const fake = await startFakeProvider(({ body }) =>
      body.output_config === undefined
        ? messagesStream({ content: [{ type: 'text', text: '{}' }] })
        : {
            status: 400,
            pieces: [JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } })],
          },
    );
    server = fake;
    const port = modelsWith({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: fake.url }, fakeClock());
    const request = sampleRequest({ model: 'anthropic.claude-haiku-4-5', responseFormat: { name: 'route', schema } });
    const { response, logs } = await ask(port, request);
    expect([brief(response), response.requests]).toEqual(['{}', 2]);
    expect(logs).toEqual([expect.stringMatching(/^info answer_format_refused: /)]);
    await ask(port, request);
    expect(fake.requests).toHaveLength(3);
  });
});
