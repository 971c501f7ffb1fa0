import { afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '@/lib/base/json';
import type { ToolDescriptor } from '@/lib/runtime/ports';
import { fakeClock } from '@/lib/testing/fake-clock';
import { type FakeOpenAI, type FakeReply, type FakeRequest, startFakeOpenAI } from '@/lib/testing/fake-openai';
import { modelsWith } from '@/lib/testing/models-with';
import { ask, brief, sampleRequest } from '@/lib/testing/sample-request';

let server: FakeOpenAI | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function modelOf(respond: (request: FakeRequest) => FakeReply) {
  const fake = await startFakeOpenAI({ respond });
  server = fake;
  const clock = fakeClock(1_000);
  const port = modelsWith({ OPENAI_BASE_URL: fake.url }, { ...clock, sleep: (ms) => clock.advance(ms) });
  return { fake, port };
}

const tool: ToolDescriptor = { name: 'add', description: '', inputSchema: { type: 'object' }, source: 'mcp' };
const refusal = (error: object): FakeReply => ({ status: 400, raw: JSON.stringify({ error }) });

const openAi = (name: string) =>
  refusal({
    message: `Unsupported parameter: '${name}' is not supported with this model.`,
    param: name,
    code: 'unsupported_parameter',
  });
const words = (name: string) => refusal({ message: `unknown field \`${name}\`` });
const fastApi = (name: string): FakeReply => ({
  status: 422,
  raw: JSON.stringify({
    detail: [{ loc: ['body', name], msg: 'Extra inputs are not permitted', type: 'extra_forbidden' }],
  }),
});

/** A card that sets everything. */
const params: JsonObject = {
  ...{ max_tokens: 100, temperature: 0.5, top_p: 0.5, presence_penalty: 1, frequency_penalty: 1, top_k: 5, min_p: 0.1 },
  ...{ repetition_penalty: 1.1, verbosity: 'low', reasoning: 'low', service_tier: 'flex', stop_sequences: ['END'] },
  parallel_tool_calls: false,
};
const ofCard = [
  ...['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'top_k', 'min_p', 'repetition_penalty'],
  ...['verbosity', 'reasoning_effort', 'service_tier', 'stop', 'parallel_tool_calls'],
];
const own = ['stream', 'stream_options'];
const forms = [openAi, words, fastApi] as const;

describe('a parameter that a server refuses by its name', () => {
  test.each([...ofCard, ...own].flatMap((name) => forms.map((form) => [name, form.name, form] as const)))(
    'is left out from then on: %s (%s)',
    async (name, _, form) => {
      const { fake, port } = await modelOf(({ body }) =>
        body[name] === undefined ? { text: 'Fine.', plain: body.stream === undefined } : form(name),
      );
      const request = sampleRequest({ model: `gpt-${name}`, requestParams: { ...params }, tools: [tool] });
      const first = await ask(port, request);
      expect(brief(first.response)).toBe('Fine.');
      expect(first.response.requests).toBe(2);
      const isOwn = own.includes(name);
      expect(first.logs.map((line) => line.split(':')[0])).toEqual([
        'info parameter_refused',
        ...(isOwn ? [] : ['warning parameter_ignored']),
      ]);
      if (!isOwn) expect(first.logs[1]).toContain(`does not take '${name}'. What the card sets there is ignored.`);
      const second = await ask(port, request);
      expect([second.response.requests, second.logs, fake.requests.length]).toEqual([1, [], 3]);
      const { [name]: left, ...others } = fake.requests[0]?.body ?? {};
      expect(left).toBeDefined();
      const { stream_options: _options, ...withoutOptions } = others;
      expect(fake.requests[1]?.body).toEqual(name === 'stream' ? withoutOptions : others);
    },
  );

  test('is told again to another run of the same model', async () => {
    const { port } = await modelOf(({ body }) =>
      body.temperature === undefined ? { text: 'Fine.' } : openAi('temperature'),
    );
    await ask(port, sampleRequest({ model: 'gpt-two-runs', requestParams: { temperature: 0.5 } }));
    const { response, logs } = await ask(
      port,
      sampleRequest({ model: 'gpt-two-runs', requestParams: { temperature: 0.5 } }),
    );
    expect([response.requests, logs.map((line) => line.split(':')[0])]).toEqual([1, ['warning parameter_ignored']]);
  });

  test.each([
    ['max_tokens', 'max_completion_tokens'],
    ['max_completion_tokens', 'max_tokens'],
  ])('has its other name: %s', async (refused, other) => {
    const { fake, port } = await modelOf(({ body }) =>
      body[refused] === undefined ? { text: 'Fine.' } : openAi(refused),
    );
    const model = `gpt-limit-${refused}`;
    const { response, logs } = await ask(port, sampleRequest({ model, requestParams: { max_tokens: 100 } }));
    expect(brief(response)).toBe('Fine.');
    expect(fake.requests.at(-1)?.body).toMatchObject(refused === 'max_tokens' ? { [other]: 100 } : { max_tokens: 100 });
    expect(logs.some((line) => line.includes('ignored'))).toBe(false);
  });

  test('may be one of several', async () => {
    const taken = new Set(['model', 'messages', 'stream', 'stream_options', 'max_completion_tokens']);
    const { port } = await modelOf(({ body }) => {
      const wrong = Object.keys(body).find((name) => !taken.has(name));
      return wrong === undefined ? { text: 'Fine.' } : openAi(wrong);
    });
    const requestParams = { max_tokens: 100, temperature: 0.5, top_p: 0.5 };
    const { response } = await ask(port, sampleRequest({ model: 'gpt-several', requestParams }));
    expect([brief(response), response.requests]).toEqual(['Fine.', 4]);
  });
});

describe('a value that a server refuses', () => {
  const takes = (model: string, ...values: readonly string[]) =>
    modelOf(({ body }) => {
      const effort = body.reasoning_effort;
      if (effort === undefined || values.includes(String(effort))) return { text: `Thought: ${String(effort)}.` };
      const message = `Unsupported value: 'reasoning_effort' does not support '${String(effort)}' with this model.`;
      return refusal({ message, param: 'reasoning_effort', code: 'unsupported_value' });
    }).then(({ fake, port }) => ({
      fake,
      answer: (reasoning: string) => ask(port, sampleRequest({ model, requestParams: { reasoning } })),
    }));

  test('is left out from then on, and other values of the parameter are still sent', async () => {
    const { fake, answer } = await takes('gpt-efforts', 'low');
    const refused = await answer('minimal');
    expect([brief(refused.response), refused.response.requests]).toEqual(['Thought: undefined.', 2]);
    expect(refused.logs[1]).toContain(
      "does not take 'reasoning_effort: minimal'. What the card sets there is ignored.",
    );
    const other = await answer('low');
    expect([brief(other.response), other.response.requests, other.logs]).toEqual(['Thought: low.', 1, []]);
    const again = await answer('minimal');
    expect([brief(again.response), again.response.requests]).toEqual(['Thought: undefined.', 1]);
    expect(fake.requests).toHaveLength(4);
  });

  test('is kept as long as no 64 others were refused, and each request goes on without it', async () => {
    const { fake, port } = await modelOf(({ body }) => {
      if (body.temperature === undefined) return { text: 'Fine.' };
      const message = `Unsupported value: 'temperature' does not support ${String(body.temperature)} with this model.`;
      return refusal({ message, param: 'temperature', code: 'unsupported_value' });
    });
    const requestsAt = async (number: number) => {
      const requestParams = { temperature: number / 100 };
      const { response } = await ask(port, sampleRequest({ model: 'gpt-many-values', requestParams }));
      expect(brief(response)).toBe('Fine.');
      return response.requests;
    };
    for (let number = 0; number <= 64; number += 1) expect(await requestsAt(number)).toBe(2);
    expect([await requestsAt(1), await requestsAt(0)]).toEqual([1, 2]);
    expect(fake.requests).toHaveLength(65 * 2 + 3);
  });

  test.each([
    ['stream', {}],
    ['max_tokens', { max_completion_tokens: 100 }],
  ])('is the parameter itself where no other value is tried: %s', async (name, instead) => {
    const { fake, port } = await modelOf(({ body }) =>
      body[name] === undefined
        ? { text: 'Fine.', plain: body.stream === undefined }
        : refusal({
            message: `Your organization must be verified to use '${name}'.`,
            param: name,
            code: 'unsupported_value',
          }),
    );
    const request = sampleRequest({ model: `gpt-value-${name}`, requestParams: { max_tokens: 100 } });
    const { response, logs } = await ask(port, request);
    expect([brief(response), response.requests]).toEqual(['Fine.', 2]);
    expect(fake.requests[1]?.body).toMatchObject(instead);
    expect(logs.some((line) => line.includes('ignored'))).toBe(false);
  });

  test('stands for all of them when only the default is taken', async () => {
    const { port } = await modelOf(({ body }) =>
      body.temperature === undefined
        ? { text: 'Fine.' }
        : refusal({
            message:
              "Unsupported value: 'temperature' does not support 0.5 with this model. Only the default (1) value is supported.",
            param: 'temperature',
            code: 'unsupported_value',
          }),
    );
    const at = (temperature: number) =>
      ask(port, sampleRequest({ model: 'gpt-one-value', requestParams: { temperature } }));
    expect((await at(0.5)).response.requests).toBe(2);
    expect((await at(0.7)).response.requests).toBe(1);
  });
});

describe('a refusal that is about something else', () => {
  test.each([
    [
      'a value',
      {
        message: "Invalid 'temperature': decimal above maximum value.",
        param: 'temperature',
        code: 'decimal_above_max_value',
      },
    ],
    [
      'a parameter that was not sent',
      { message: "Unsupported parameter: 'top_k'", param: 'top_k', code: 'unsupported_parameter' },
    ],
    ['the word stop in a sentence', { message: 'The model does not support this request; stop sending it.' }],
    ['an image', { message: 'image input is not supported', param: 'messages' }],
  ])('ends the call: %s', async (_, error) => {
    const { fake, port } = await modelOf(() => refusal(error));
    const requestParams = { temperature: 5, stop_sequences: ['END'] };
    const { response } = await ask(port, sampleRequest({ model: 'gpt-other', requestParams }));
    expect(response.ok ? 'ok' : response.error.code).toBe('model_rejected');
    expect(fake.requests.length).toBe(1);
  });
});
