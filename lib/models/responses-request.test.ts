import { afterEach, describe, expect, test } from 'vitest';
import { brandAs } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import type { ProviderSections } from '@/lib/cards/config';
import { endpointOf } from '@/lib/cards/models/endpoint';
import { readConfig } from '@/lib/cards/read/read-config';
import { parseYaml } from '@/lib/cards/yaml/yaml-source';
import type { ModelRequest, ToolDescriptor } from '@/lib/runtime/ports';
import type { AssistantMessage, Message } from '@/lib/runtime/record/messages';
import { fakeClock } from '@/lib/testing/fake-clock';
import { type FakeProvider, startFakeProvider } from '@/lib/testing/fake-provider';
import { modelsWith } from '@/lib/testing/models-with';
import { responsesStream } from '@/lib/testing/responses-answers';
import { ask, brief, sampleRequest, userMessage } from '@/lib/testing/sample-request';

const key = 'sk-test-0123456789';
let server: FakeProvider | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

function sections(yaml: string): ProviderSections {
  return readConfig('fast-agent.yaml', yaml, parseYaml({ text: yaml, offset: 0 })).config.providers;
}

const ok = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'ok' }],
};
const native = 'openai: { wire: responses }';

/** Sends the request to a server and returns what the server got. `of` makes the request for the address of the server. */
async function sentFor(of: (fake: FakeProvider) => Partial<ModelRequest>, yaml = native) {
  const fake = await startFakeProvider(() => responsesStream({ output: [ok] }));
  server = fake;
  const variables = { OPENAI_API_KEY: key, OPENAI_BASE_URL: fake.url };
  const model = modelsWith(variables, fakeClock(), { providers: sections(yaml) });
  const { response } = await ask(model, sampleRequest({ model: 'openai.gpt-5-mini', ...of(fake) }));
  await fake.close();
  expect(brief(response)).toBe('ok');
  return fake.requests[0];
}

const sent = async (changes: Partial<ModelRequest> = {}, yaml = native) => (await sentFor(() => changes, yaml))?.body;

const tool = (name: string): ToolDescriptor => ({
  name,
  description: 'A tool.',
  inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
  source: 'mcp',
});

test('has the conversation in the format of the provider, which keeps nothing of it', async () => {
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
  const id = expect.stringMatching(/^call_[0-9a-f]{32}$/);
  const parameters = tool('add').inputSchema;
  expect(body).toEqual({
    model: 'gpt-5-mini',
    stream: true,
    store: false,
    include: ['reasoning.encrypted_content'],
    instructions: 'Be brief.',
    max_output_tokens: 100,
    tools: [
      { type: 'function', name: 'add', description: 'A tool.', parameters, strict: false },
      { type: 'function', name: 'odd_name_x', description: 'A tool.', parameters, strict: false },
    ],
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'look' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
        ],
      },
      { role: 'assistant', content: 'Well.' },
      { type: 'function_call', call_id: id, name: 'odd_name_x', arguments: '{}' },
      { type: 'function_call', call_id: 'c2', name: 'add', arguments: '{"not_a_json_object":"{not json"}' },
      {
        type: 'function_call_output',
        call_id: id,
        output: [
          { type: 'input_text', text: 'seen' },
          { type: 'input_image', image_url: 'data:image/jpeg;base64,BBBB', detail: 'auto' },
        ],
      },
      { type: 'function_call_output', call_id: 'c2', output: 'Error: no' },
    ],
  });
});

test('has files as the model can read them', async () => {
  const file = (uri: string, mimeType: string, more: { text?: string; blob?: string }) =>
    ({ type: 'resource', uri, mimeType, ...more }) as const;
  const body = await sent({
    messages: [
      {
        role: 'user',
        content: [
          file('a/report.pdf', 'application/pdf', { blob: 'JVBERi0=' }),
          file('a/picture.webp', 'image/webp', { blob: 'AAAA' }),
          file('a/notes.md', 'text/markdown', { text: '# Notes' }),
          { type: 'image', data: 'AAAA', mimeType: 'image/tiff' },
          { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
          { type: 'text', text: ' ' },
        ],
      },
      userMessage(''),
    ],
    instruction: ' ',
  });
  expect(body).not.toHaveProperty('instructions');
  expect(body?.input).toEqual([
    {
      role: 'user',
      content: [
        { type: 'input_file', filename: 'report.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
        { type: 'input_image', image_url: 'data:image/webp;base64,AAAA', detail: 'auto' },
        { type: 'input_text', text: 'File a/notes.md (text/markdown):\n# Notes' },
        { type: 'input_text', text: '[image image/tiff]' },
        { type: 'input_text', text: '[audio audio/wav]' },
      ],
    },
  ]);
});

describe('parameters', () => {
  const include = ['reasoning.encrypted_content'];
  test.each<[string, JsonObject, JsonObject]>([
    ['gpt-5-mini', {}, { include }],
    ['gpt-4o', { temperature: 0.2, top_p: 0.9, top_k: 5, stop_sequences: ['END'] }, { temperature: 0.2, top_p: 0.9 }],
    ['gpt-5-mini?reasoning=low', {}, { include, reasoning: { effort: 'low', summary: 'auto' } }],
    ['gpt-5-mini?reasoning=low', { reasoning: 'high' }, { include, reasoning: { effort: 'high', summary: 'auto' } }],
    ['gpt-5-mini?reasoning=off', {}, { include, reasoning: { effort: 'minimal' } }],
    ['gpt-5.1?reasoning=off', {}, { include, reasoning: { effort: 'none' } }],
    ['o3?reasoning=off', {}, { include, reasoning: { effort: 'low' } }],
    ['gpt-5-mini?reasoning=on', {}, { include, reasoning: { summary: 'auto' } }],
    ['gpt-5-mini?reasoning=2000', {}, { include, reasoning: { summary: 'auto' } }],
    ['gpt-5-mini?verbosity=low&max_tokens=3', {}, { include, text: { verbosity: 'low' }, max_output_tokens: 16 }],
    ['gpt-5-mini?service_tier=fast', {}, { include, service_tier: 'priority' }],
  ])('%s with %j', async (model, requestParams, expected) => {
    const body = await sent({ model: `openai.${model}`, requestParams });
    const { model: _, stream, store, instructions, input, ...rest } = body ?? {};
    expect(rest).toEqual(expected);
  });

  test('parallel calls can be forbidden', async () => {
    const body = await sent({ tools: [tool('add')], requestParams: { parallel_tool_calls: false } });
    expect(body?.parallel_tool_calls).toBe(false);
  });

  test('a form of the answer is asked of the provider', async () => {
    const schema: JsonObject = {
      type: 'object',
      properties: { agent: { type: 'string' } },
      required: ['agent'],
      additionalProperties: false,
    };
    const format = { type: 'json_schema', name: 'a_route', schema, strict: true };
    expect((await sent({ responseFormat: { name: 'a route', schema } }))?.text).toEqual({ format });
    const open = { type: 'object' };
    expect((await sent({ responseFormat: { name: 'route', schema: open } }))?.text).toEqual({
      format: { type: 'json_schema', name: 'route', schema: open, strict: false },
    });
  });
});

test('a parameter that the model refuses is left out from then on', async () => {
  const message = "Unsupported parameter: 'temperature' is not supported with this model.";
  const fake = await startFakeProvider(({ body }) =>
    body.temperature === undefined
      ? responsesStream({ output: [ok] })
      : { status: 400, pieces: [JSON.stringify({ error: { message, param: 'temperature', code: null } })] },
  );
  server = fake;
  const providers = sections(native);
  const model = modelsWith({ OPENAI_API_KEY: key, OPENAI_BASE_URL: fake.url }, fakeClock(), { providers });
  const request = sampleRequest({ model: 'openai.gpt-5-mini?temperature=0.2' });
  const { response, logs } = await ask(model, request);
  expect(brief(response)).toBe('ok');
  expect(logs).toEqual([
    expect.stringMatching(
      /^info parameter_refused: .*The parameter 'temperature' is left out or renamed for this model/,
    ),
    expect.stringMatching(/^warning parameter_ignored: .*does not take 'temperature'/),
  ]);
  await ask(model, request);
  expect(fake.requests).toHaveLength(3);
});

test('a summary and encrypted reasoning that the server refuses are left out from then on', async () => {
  const refusal = (message: string, param: string) => ({
    status: 400,
    pieces: [JSON.stringify({ error: { message, param, type: 'invalid_request_error', code: 'unsupported_value' } })],
  });
  const fake = await startFakeProvider(({ body }) => {
    if (body.include !== undefined) return refusal('Encrypted content is not supported with this model.', 'include');
    if (JSON.stringify(body.reasoning).includes('summary'))
      return refusal('Your organization must be verified to generate reasoning summaries.', 'reasoning.summary');
    return responsesStream({ output: [ok] });
  });
  server = fake;
  const providers = sections(native);
  const model = modelsWith({ OPENAI_API_KEY: key, OPENAI_BASE_URL: fake.url }, fakeClock(), { providers });
  const request = sampleRequest({ model: 'openai.gpt-5-mini?reasoning=low' });
  const { response } = await ask(model, request);
  expect([brief(response), response.requests]).toEqual(['ok', 3]);
  expect(brief((await ask(model, request)).response)).toBe('ok');
  expect(fake.requests).toHaveLength(4);
  expect(fake.requests[3]?.body.reasoning).toEqual({ effort: 'low' });
});

describe('what the provider added', () => {
  const reasoning = {
    type: 'reasoning',
    id: 'rs_1',
    summary: [{ type: 'summary_text', text: 'hm' }],
    encrypted_content: 'gAAA',
  };
  const layout: JsonObject[] = [reasoning, { text: 0, id: 'msg_1', phase: 'commentary' }, { call: 0, id: 'fc_1' }];
  const answer = (origin: string, data: JsonObject = { layout }): AssistantMessage => ({
    role: 'assistant',
    content: [{ type: 'text', text: 'Well.' }],
    toolCalls: [{ id: brandAs('c1'), name: 'add', argumentsText: '{"n":1}' }],
    stopReason: 'tool_use',
    fromProvider: { origin, data },
  });
  const result: Message = {
    role: 'tool',
    results: [{ callId: brandAs('c1'), result: { content: [{ type: 'text', text: '2' }], isError: false } }],
  };
  const inputFor = async (originOf: (host: string) => string, data?: JsonObject) => {
    const request = await sentFor((fake) => ({
      messages: [userMessage('go'), answer(originOf(new URL(fake.url).host), data), result],
    }));
    const input: unknown = request?.body.input;
    return Array.isArray(input) ? input.slice(1, -1) : [];
  };

  test('goes back unchanged and in its place', async () => {
    expect(await inputFor((host) => `responses ${host}`)).toEqual([
      reasoning,
      {
        type: 'message',
        role: 'assistant',
        id: 'msg_1',
        status: 'completed',
        phase: 'commentary',
        content: [{ type: 'output_text', text: 'Well.', annotations: [] }],
      },
      { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'add', arguments: '{"n":1}' },
    ]);
  });

  test('goes back with a call as the model wrote it, where a hook changed what is called', async () => {
    const written = { c1: { name: 'sub', argumentsText: '{"n":0}' } };
    expect(await inputFor((host) => `responses ${host}`, { layout, written })).toMatchObject([
      reasoning,
      { type: 'message' },
      { id: 'fc_1', name: 'sub', arguments: '{"n":0}' },
    ]);
    expect(await inputFor(() => 'chat elsewhere', { layout, written })).toEqual(plain);
  });

  const plain = [
    { role: 'assistant', content: 'Well.' },
    { type: 'function_call', call_id: 'c1', name: 'add', arguments: '{"n":1}' },
  ];

  test.each(['responses api.openai.com', 'chat elsewhere', 'messages api.anthropic.com'])(
    'of %s does not',
    async (origin) => {
      expect(await inputFor(() => origin)).toEqual(plain);
    },
  );

  test.each<[string, JsonObject]>([
    ['no layout', {}],
    ['a layout that is no list', { layout: 'x' }],
    ['a layout without the call', { layout: [{ text: 0 }] }],
    ['a layout of nonsense', { layout: [1, null, { text: 0 }, { call: 0 }, { type: 'reasoning' }] }],
  ])('with %s is left out, and the calls are not', async (_, data) => {
    expect(await inputFor((host) => `responses ${host}`, data)).toEqual(plain);
  });
});

describe('which format', () => {
  const wireOf = (model: string, yaml = '', variables: Record<string, string> = {}) => {
    const keys = { OPENAI_API_KEY: key, ANTHROPIC_API_KEY: key, META_AI_API_KEY: key, GROQ_API_KEY: key };
    const env = { variables: { ...keys, ...variables }, projectEnv: {}, hasValues: true };
    const found = endpointOf(model, sections(yaml), env);
    return found.ok ? found.value?.wire : found.error;
  };
  const own = { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' };

  test.each([
    ['responses.gpt-4.1', 'responses'],
    ['gpt-5-mini', 'responses'],
    ['openai.gpt-5-mini', 'responses'],
    ['openai.gpt-5.6-luna?reasoning=low', 'responses'],
    ['openai.o3', 'responses'],
    ['openai.o4-mini', 'responses'],
    ['openai.gpt-4o', 'chat'],
    ['openai.gpt-4.1-mini', 'chat'],
    ['openai.gpt-oss-120b', 'chat'],
    ['sonnet', 'messages'],
    ['anthropic.claude-opus-5', 'messages'],
    ['metaai.muse', 'responses'],
    ['openresponses.muse', 'responses'],
    ['groq.qwen', 'chat'],
    ['generic.llama', 'chat'],
  ])('%s is called with %s', (model, wire) => {
    expect(wireOf(model)).toBe(wire);
  });

  test("OpenAI's own address may be written", () => {
    expect(wireOf('openai.gpt-5-mini', '', { OPENAI_BASE_URL: 'https://api.openai.com' })).toBe('responses');
    expect(wireOf('openai.gpt-5-mini', 'openai: { base_url: "https://api.openai.com/v1" }')).toBe('responses');
  });

  test.each(['gpt-5-mini', 'openai.gpt-5-mini', 'responses.gpt-5-mini', 'o3'])(
    '%s at a server of your own is called with chat completions',
    (model) => {
      expect(wireOf(model, '', own)).toBe('chat');
      expect(wireOf(model, 'openai: { base_url: "http://127.0.0.1:1/v1" }')).toBe('chat');
    },
  );

  test('the section decides, and a word that it cannot mean is an issue', () => {
    expect(wireOf('openai.gpt-5-mini', 'openai: { wire: chat }')).toBe('chat');
    expect(wireOf('openai.gpt-4o', native)).toBe('responses');
    expect(wireOf('responses.gpt-5', native, own)).toBe('responses');
    expect(wireOf('sonnet', 'anthropic: { wire: chat }')).toBe('chat');
    const yaml = 'groq: { wire: messages }\nanthropic: { wire: 3, cache_mode: often }';
    const { issues } = readConfig('fast-agent.yaml', yaml, parseYaml({ text: yaml, offset: 0 }));
    expect(issues.map(({ message }) => message)).toEqual([
      "'wire' of 'anthropic' must be messages or chat.",
      "'cache_mode' of 'anthropic' must be off or prompt or auto.",
      "'wire' of 'groq' must be chat.",
    ]);
    expect(wireOf('groq.qwen', yaml)).toBe('chat');
  });
});
