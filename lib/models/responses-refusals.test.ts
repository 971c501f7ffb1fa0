import { afterEach, expect, test } from 'vitest';
import { brandAs } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import { readConfig } from '@/lib/cards/read/read-config';
import { parseYaml } from '@/lib/cards/yaml/yaml-source';
import type { AssistantMessage } from '@/lib/runtime/record/messages';
import { fakeClock } from '@/lib/testing/fake-clock';
import { type FakeProvider, type ProviderReply, startFakeProvider } from '@/lib/testing/fake-provider';
import { eventText } from '@/lib/testing/messages-answers';
import { modelsWith } from '@/lib/testing/models-with';
import { responsesEvents, responsesStream, responsesWhole } from '@/lib/testing/responses-answers';
import { ask, brief, sampleRequest } from '@/lib/testing/sample-request';

const key = 'sk-test-0123456789';
const text = (words: string, id = 'msg_1'): JsonObject => ({
  type: 'message',
  id,
  role: 'assistant',
  content: [{ type: 'output_text', text: words }],
});
const call = (id: string, name: string): JsonObject => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name,
  arguments: `{"n":"${id}"}`,
});
let server: FakeProvider | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function serve(reply: (body: Readonly<Record<string, unknown>>) => ProviderReply) {
  const fake = await startFakeProvider(({ body }) => reply(body));
  server = fake;
  const yaml = 'openai: { wire: responses }';
  const { providers } = readConfig('fast-agent.yaml', yaml, parseYaml({ text: yaml, offset: 0 })).config;
  return { fake, port: modelsWith({ OPENAI_API_KEY: key, OPENAI_BASE_URL: fake.url }, fakeClock(), { providers }) };
}

const refusal = (message: string, param = '', code = 'unsupported_value'): ProviderReply => ({
  status: 400,
  pieces: [JSON.stringify({ error: { message, param, type: 'invalid_request_error', code } })],
});

test('what a server refuses is left out of each of many requests that are made at once', async () => {
  const { fake, port } = await serve((body) => {
    if (body.temperature !== undefined) return refusal("Unsupported parameter: 'temperature'.", 'temperature');
    if (JSON.stringify(body.reasoning ?? '').includes('summary'))
      return refusal('Your organization must be verified to generate reasoning summaries.', 'reasoning.summary');
    return responsesStream({ output: [text('ok')] });
  });
  const request = sampleRequest({ model: 'openai.gpt-5-mini?temperature=0.2&reasoning=low' });
  const answers = await Promise.all(Array.from({ length: 6 }, () => ask(port, request)));
  expect(answers.map(({ response }) => brief(response))).toEqual(Array(6).fill('ok'));
  expect(fake.requests.length).toBeLessThanOrEqual(18);
});

test('a model that may not be streamed to this account is asked for the whole answer', async () => {
  const { fake, port } = await serve((body) =>
    body.stream === true
      ? refusal('Your organization must be verified to stream this model.', 'stream')
      : responsesWhole({ output: [text('ok')] }),
  );
  expect(brief((await ask(port, sampleRequest({ model: 'openai.gpt-5' }))).response)).toBe('ok');
  expect(fake.requests).toHaveLength(2);
});

test('reasoning that the provider cannot read any more is left out once, and reasoning is asked for as before', async () => {
  const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' };
  const { fake, port } = await serve((body) =>
    JSON.stringify(body.input).includes('gAAA')
      ? refusal('The encrypted content gAAA could not be verified.', '', 'invalid_encrypted_content')
      : responsesStream({ output: [text('ok')] }),
  );
  const earlier: AssistantMessage = {
    role: 'assistant',
    content: [{ type: 'text', text: 'Well.' }],
    toolCalls: [{ id: brandAs('c1'), name: 'add', argumentsText: '{"n":1}' }],
    stopReason: 'tool_use',
    fromProvider: {
      origin: `responses ${new URL(fake.url).host}`,
      data: { layout: [reasoning, { text: 0, id: 'msg_1' }, { call: 0, id: 'fc_1' }] },
    },
  };
  const request = sampleRequest({
    model: 'openai.gpt-5-mini',
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Add.' }] },
      earlier,
      { role: 'tool', results: [{ callId: brandAs('c1'), result: { content: [], isError: false } }] },
    ],
  });
  expect(brief((await ask(port, request)).response)).toBe('ok');
  expect(fake.requests).toHaveLength(2);
  expect(fake.requests[0]?.body).toMatchObject({ include: ['reasoning.encrypted_content'] });
  expect(fake.requests[1]?.body).toMatchObject({ include: ['reasoning.encrypted_content'] });
});

test('items of a server that does not number them keep their own text and arguments', async () => {
  const thinking = { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }] };
  const output = [thinking, text('Well.'), call('c1', 'add'), call('c2', 'add')];
  const { port } = await serve(() => ({
    pieces: responsesEvents({ output }).map(({ output_index: _, ...event }) => eventText(event)),
    headers: { 'content-type': 'text/event-stream' },
  }));
  const { response } = await ask(port, sampleRequest({ model: 'openai.gpt-5-mini' }));
  expect(brief(response)).toBe('Well. | c1=add({"n":"c1"}) | c2=add({"n":"c2"})');
});
