import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/base/json';
import { endpointOf } from '@/lib/cards/models/endpoint';
import { keyVariables } from '@/lib/cards/models/providers';
import type { ModelRequest, ToolDescriptor } from '@/lib/runtime/ports';
import { fakeClock } from '@/lib/testing/fake-clock';
import { type FakeOpenAI, type FakeReply, type FakeRequest, startFakeOpenAI } from '@/lib/testing/fake-openai';
import { modelsWith } from '@/lib/testing/models-with';
import { ask, brief, sampleRequest } from '@/lib/testing/sample-request';
import { answerFormat, isAboutFormat } from './answer-format';

let server: FakeOpenAI | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

const strict: JsonObject = {
  type: 'object',
  properties: { agent: { type: 'string' } },
  required: ['agent'],
  additionalProperties: false,
};
const open: JsonObject = { type: 'object', properties: { agent: { type: 'string' } } };
const asked = (schema: JsonObject, changes: Partial<ModelRequest> = {}) =>
  sampleRequest({ model: 'gpt-test', responseFormat: { name: 'route', schema }, ...changes });
const tool: ToolDescriptor = { name: 'add', description: 'Adds.', inputSchema: { type: 'object' }, source: 'mcp' };

async function serve(respond: (request: FakeRequest) => FakeReply) {
  server = await startFakeOpenAI({ respond });
  const variables = { OPENAI_API_KEY: 'sk-test-0123456789', OPENAI_BASE_URL: server.url };
  return { fake: server, model: modelsWith(variables, fakeClock()) };
}

/** A server that takes no response format, in its own words. */
const refusesWith =
  (text: string, status = 400) =>
  (request: FakeRequest): FakeReply =>
    request.format ? { status, text } : { text: '{}' };

describe('the request', () => {
  it.each([
    ['strict', strict, true],
    ['not strict', open, false],
  ])('has the schema, %s', async (_, schema, isStrict) => {
    const { fake, model } = await serve(() => ({ text: '{}' }));
    expect(brief((await ask(model, asked(schema))).response)).toBe('{}');
    expect(fake.requests.map(({ format }) => format)).toEqual([
      { type: 'json_schema', name: 'route', strict: isStrict, schema },
    ]);
  });

  it('has a name that the API takes, whatever the name of the agent', async () => {
    const { fake, model } = await serve(() => ({ text: '{}' }));
    const request = asked(strict, { responseFormat: { name: `Ärzte & Co. ${'x'.repeat(80)}`, schema: strict } });
    await ask(model, request);
    expect(fake.requests.map(({ format }) => format?.name)).toEqual([`_rzte___Co__${'x'.repeat(52)}`]);
  });

  it('has none if the answer may be anything but an object, if no form is asked for, or with tools', async () => {
    const { fake, model } = await serve(() => ({ text: '{}' }));
    const others: JsonObject[] = [
      { type: 'array' },
      { enum: ['a'] },
      { anyOf: [strict] },
      { type: ['object', 'null'] },
    ];
    for (const schema of others) await ask(model, asked(schema));
    await ask(model, sampleRequest({ model: 'gpt-test' }));
    await ask(model, asked(strict, { tools: [tool] }));
    expect(fake.requests.map(({ body }) => 'response_format' in body)).toEqual(Array(6).fill(false));
  });
});

describe('a server that refuses the format', () => {
  it.each([
    ["Unsupported parameter: 'response_format' is not supported with this model.", 400],
    ['This model does not support response format `json_schema`.', 400],
    ["Function calling with a response mime type: 'application/json' is unsupported", 400],
    ['Json mode response is not supported when enable_thinking is true', 400],
    ['guided decoding: Structured output is off', 422],
  ])('is asked by the instruction alone, now and from now on: %s', async (words, status) => {
    const { fake, model } = await serve(refusesWith(words, status));
    const first = await ask(model, asked(strict));
    expect(first.response).toMatchObject({ ok: true, requests: 2 });
    expect(first.logs).toEqual([
      `info answer_format_refused: ${new URL(fake.url).host} rejected the request (status ${status}): ${words} The instruction alone asks for the form of the answer.`,
    ]);
    expect(await ask(model, asked(open))).toMatchObject({ response: { ok: true, requests: 1 }, logs: [] });
    expect(fake.requests.map(({ format }) => format?.type)).toEqual(['json_schema', undefined, undefined]);
    // Another model of the server may take it.
    await ask(model, asked(strict, { model: 'gpt-other' }));
    expect(fake.requests.at(-2)?.format?.type).toBe('json_schema');
  });

  it('is not asked with the same schema again if it refuses that schema, but with others', async () => {
    const words = "Invalid schema for response_format 'route': too many enum values.";
    const { fake, model } = await serve(({ format }) =>
      format?.schema && 'additionalProperties' in format.schema ? { status: 400, text: words } : { text: '{}' },
    );
    for (const schema of [strict, strict, open]) expect((await ask(model, asked(schema))).response.ok).toBe(true);
    expect(fake.requests.map(({ format }) => format?.type)).toEqual([
      'json_schema',
      undefined,
      undefined,
      'json_schema',
    ]);
  });

  it('gives its own error when the request is wrong in another way too', async () => {
    const { fake, model } = await serve(({ format }) => ({
      status: 400,
      text: format ? 'no response_format' : 'no luck',
    }));
    const { response } = await ask(model, asked(strict));
    expect(brief(response)).toMatch(/^! model_rejected: .*no luck$/);
    expect(fake.requests).toHaveLength(2);
  });

  it('is taken at its word when nothing about a format is wrong', async () => {
    const { fake, model } = await serve(() => ({ status: 400, text: 'The JSON body of the request cannot be read.' }));
    expect(brief((await ask(model, asked(strict))).response)).toMatch(/^! model_rejected: /);
    expect(fake.requests).toHaveLength(1);
    expect(isAboutFormat('The model is overloaded, in JSON')).toBe(false);
  });
});

describe('the providers', () => {
  const variables = Object.fromEntries(keyVariables.map((name) => [name, 'key-0123456789']));
  const formatAt = (model: string, tools: readonly ToolDescriptor[] = []) => {
    const azure = { AZURE_BASE_URL: 'https://mine.openai.azure.com', HF_BASE_URL: 'https://hf.example/v1' };
    const found = endpointOf(model, {}, { variables: { ...variables, ...azure }, projectEnv: {}, hasValues: true });
    if (!found.ok || !found.value) throw new Error(found.ok ? model : found.error);
    const text = answerFormat(asked(strict, { tools }), found.value);
    const format: unknown = text === undefined ? undefined : JSON.parse(text);
    return format === undefined ? 'nothing' : (format as { type: string }).type;
  };

  it.each([
    ['openai.m', 'json_schema', 'json_schema'],
    ['responses.m', 'json_schema', 'json_schema'],
    ['azure.m', 'json_schema', 'json_schema'],
    ['generic.m', 'json_schema', 'nothing'],
    ['google.m', 'json_schema', 'nothing'],
    ['hf.m', 'json_schema', 'nothing'],
    ['deepseek.m', 'json_object', 'nothing'],
    ['groq.m', 'json_object', 'nothing'],
    ['anthropic.m', 'json_schema', 'json_schema'],
  ])('%s gets %s, with tools %s', (model, alone, withTools) => {
    expect([formatAt(model), formatAt(model, [tool])]).toEqual([alone, withTools]);
  });
});
