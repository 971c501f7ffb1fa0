import { afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '@/lib/base/json';
import { readConfig } from '@/lib/cards/read/read-config';
import { parseYaml } from '@/lib/cards/yaml/yaml-source';
import type { ToolDescriptor } from '@/lib/runtime/ports';
import { fakeClock } from '@/lib/testing/fake-clock';
import { type FakeProvider, type ProviderReply, startFakeProvider } from '@/lib/testing/fake-provider';
import { messagesStream, messagesWhole } from '@/lib/testing/messages-answers';
import { modelsWith } from '@/lib/testing/models-with';
import { responsesStream, responsesWhole } from '@/lib/testing/responses-answers';
import { ask, brief, sampleRequest } from '@/lib/testing/sample-request';

type Body = Readonly<Record<string, unknown>>;

let server: FakeProvider | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const tool: ToolDescriptor = { name: 'add', description: '', inputSchema: { type: 'object' }, source: 'mcp' };
const said: JsonObject = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'ok' }],
};

/** A wire, how its server answers, and how it refuses. */
const wires = {
  responses: {
    env: (url: string) => ({ OPENAI_API_KEY: 'sk-test-0123456789', OPENAI_BASE_URL: url }),
    prefix: 'openai.',
    streamed: responsesStream({ output: [said] }),
    whole: responsesWhole({ output: [said] }),
    refusal: (message: string, param = '', code: string | null = null): ProviderReply => ({
      status: 400,
      pieces: [JSON.stringify({ error: { message, type: 'invalid_request_error', param, code } })],
    }),
  },
  messages: {
    env: (url: string) => ({ ANTHROPIC_API_KEY: 'sk-ant-test-0123456789', ANTHROPIC_BASE_URL: url }),
    prefix: 'anthropic.',
    streamed: messagesStream({ content: [{ type: 'text', text: 'ok' }] }),
    whole: messagesWhole({ content: [{ type: 'text', text: 'ok' }] }),
    refusal: (message: string): ProviderReply => ({
      status: 400,
      pieces: [JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } })],
    }),
  },
} as const;
type WireName = keyof typeof wires;

/** A server that refuses requests as `refuse` says, and answers the others. Each test has a model of its own. */
async function serve(wire: WireName, model: string, form: 'streamed' | 'whole', refuse: (body: Body) => unknown) {
  const { env, prefix } = wires[wire];
  const fake = await startFakeProvider(({ body }) => {
    const refusal = refuse(body);
    return isReply(refusal) ? refusal : wires[wire][form];
  });
  server = fake;
  const yaml = 'openai: { wire: responses }';
  const { providers } = readConfig('fast-agent.yaml', yaml, parseYaml({ text: yaml, offset: 0 })).config;
  const port = modelsWith(env(fake.url), fakeClock(), { providers });
  const answer = async (requestParams: JsonObject, tools: readonly ToolDescriptor[] = []) => {
    const { response, logs } = await ask(port, sampleRequest({ model: `${prefix}${model}`, requestParams, tools }));
    return {
      said: brief(response),
      requests: response.requests,
      logs: logs.map((line) => line.split(':')[0]),
      lines: logs,
    };
  };
  return { fake, answer };
}

function isReply(value: unknown): value is ProviderReply {
  return typeof value === 'object' && value !== null && 'pieces' in value;
}

/** The member at a dotted place. */
function at(body: Body, place: string): unknown {
  return place
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], body);
}

const [responses, messages] = [wires.responses.refusal, wires.messages.refusal];
const unsupported = (name: string) => `Unsupported parameter: '${name}' is not supported with this model.`;
/** OpenAI's words for a value, which name the value and not the parameter. */
const levels = (value: unknown) =>
  `Unsupported value: '${String(value)}' is not supported with the 'm' model. Supported values are: 'low' and 'high'.`;

interface Row {
  readonly name: string;
  readonly wire: WireName;
  readonly model: string;
  readonly params: JsonObject;
  /** The member that the server refuses, and how. */
  readonly place: string;
  readonly refusal: (value: unknown) => ProviderReply;
  /** What the request is without then, if it is not `place`. */
  readonly gone?: string;
  /** How the log names it, if not as `place`; nothing if nobody set it. */
  readonly told?: string | undefined;
}

const gpt = { wire: 'responses', model: 'gpt-5-mini' } as const;
const haiku = { wire: 'messages', model: 'claude-haiku-4-5' } as const;
const opus = { wire: 'messages', model: 'claude-opus-5' } as const;

/** Everything that a parameter may be refused as. Claude Haiku 4.5 thinks with a budget, Opus 5 by an effort. */
const parameters: readonly Row[] = [
  ...['temperature', 'top_p', 'service_tier', 'max_output_tokens', 'parallel_tool_calls'].map(
    (place): Row => ({
      name: place,
      ...gpt,
      params: { temperature: 0.5, top_p: 0.5, service_tier: 'flex', max_tokens: 100, parallel_tool_calls: false },
      place,
      refusal: () => responses(unsupported(place), place, 'unsupported_parameter'),
    }),
  ),
  {
    name: 'effort',
    ...gpt,
    params: { reasoning: 'low' },
    place: 'reasoning.effort',
    refusal: () => responses(unsupported('reasoning.effort'), 'reasoning.effort', 'unsupported_parameter'),
  },
  {
    name: 'effort, by its last name alone',
    ...gpt,
    params: { reasoning: 'low' },
    place: 'reasoning.effort',
    refusal: () => responses("Unknown field 'effort'"),
  },
  {
    name: 'all of reasoning',
    ...gpt,
    params: { reasoning: 'low' },
    place: 'reasoning',
    refusal: () => responses(unsupported('reasoning'), 'reasoning', 'unsupported_parameter'),
  },
  {
    name: 'summaries',
    ...gpt,
    params: { reasoning: 'low' },
    place: 'reasoning.summary',
    refusal: () => responses('Your organization must be verified to generate reasoning summaries.'),
    told: undefined,
  },
  {
    name: 'verbosity',
    ...gpt,
    params: { verbosity: 'low' },
    place: 'text.verbosity',
    refusal: () => responses(unsupported('text.verbosity'), 'text.verbosity', 'unsupported_parameter'),
  },
  ...['temperature', 'top_p', 'top_k'].map(
    (place): Row => ({
      name: place,
      ...haiku,
      params: { temperature: 0.5, top_p: 0.5, top_k: 5 },
      place,
      refusal: () => messages(`\`${place}\` is deprecated for this model.`),
    }),
  ),
  ...['service_tier', 'stop_sequences'].map(
    (place): Row => ({
      name: place,
      ...haiku,
      params: { service_tier: 'auto', stop_sequences: ['END'] },
      place,
      refusal: () => messages(`${place}: Extra inputs are not permitted`),
    }),
  ),
  {
    name: 'the choice of parallel calls',
    ...haiku,
    params: { parallel_tool_calls: false },
    place: 'tool_choice',
    refusal: () => messages('tool_choice.disable_parallel_tool_use: Extra inputs are not permitted'),
  },
  {
    name: 'the budget of thinking',
    ...haiku,
    params: { reasoning: 2_000 },
    place: 'thinking.budget_tokens',
    refusal: () => messages('thinking.enabled.budget_tokens: Extra inputs are not permitted'),
    gone: 'thinking',
  },
  {
    name: 'all of thinking',
    ...haiku,
    params: { reasoning: 2_000 },
    place: 'thinking',
    refusal: () => messages('thinking: Extra inputs are not permitted'),
  },
  {
    name: 'effort',
    ...opus,
    params: { reasoning: 'low' },
    place: 'output_config.effort',
    refusal: () => messages('This model does not support the effort parameter.'),
  },
  {
    name: 'effort, by what is around it',
    ...opus,
    params: { reasoning: 'low' },
    place: 'output_config.effort',
    refusal: () => messages('output_config: Extra inputs are not permitted'),
  },
  {
    name: 'thinking by itself',
    ...opus,
    params: { reasoning: 'on' },
    place: 'thinking.type',
    refusal: () => messages('adaptive thinking is not supported on this model'),
    gone: 'thinking',
    told: 'thinking.type: adaptive',
  },
];

const forms = ['streamed', 'whole'] as const;
const both = (rows: readonly Row[]) =>
  rows.flatMap((row) => forms.map((form) => [`${row.wire}: ${row.name}, ${form}`, form, row] as const));
let models = 0;

/** The name of a model that no other test has. It ends in a date, so it is of the same kind. */
const fresh = (model: string) => `${model}-2025${String(++models).padStart(4, '0')}`;

describe('a parameter that a model refuses is left out from then on, and the rest is sent', () => {
  test.each(both(parameters))('%s', async (_, form, row) => {
    const { place, gone = place, params, refusal } = row;
    const { fake, answer } = await serve(row.wire, fresh(row.model), form, (body) => {
      const value = at(body, place);
      return value === undefined ? undefined : refusal(value);
    });
    const told = 'told' in row ? row.told : place;
    const first = await answer(params, [tool]);
    expect([first.said, first.requests]).toEqual(['ok', 2]);
    expect(first.logs).toEqual([
      'info parameter_refused',
      ...(told === undefined ? [] : ['warning parameter_ignored']),
    ]);
    if (told !== undefined) expect(first.lines[1]).toContain(`does not take '${told}'. What the card sets there`);
    const second = await answer(params, [tool]);
    expect([second.said, second.requests]).toEqual(['ok', 1]);
    const [before = {}, after = {}] = fake.requests.map(({ body }) => body);
    expect(at(before, gone)).toBeDefined();
    expect(at(after, gone)).toBeUndefined();
    const [top = ''] = gone.split('.');
    const others = ({ [top]: _gone, ...rest }: Body) => rest;
    expect(others(after)).toEqual(others(before));
  });
});

/** A value that is refused, one that is taken, and the place of both. */
const values: readonly (Row & { readonly other: JsonObject })[] = [
  {
    name: 'effort',
    ...gpt,
    params: { reasoning: 'minimal' },
    other: { reasoning: 'low' },
    place: 'reasoning.effort',
    refusal: (value) => responses(levels(value), 'reasoning.effort', 'unsupported_value'),
    told: 'reasoning.effort: minimal',
  },
  {
    name: 'effort, in words alone',
    ...gpt,
    params: { reasoning: 'xhigh' },
    other: { reasoning: 'low' },
    place: 'reasoning.effort',
    refusal: (value) => responses(`'${String(value)}' is not supported for reasoning.effort`),
    told: 'reasoning.effort: xhigh',
  },
  {
    name: 'service tier',
    ...gpt,
    params: { service_tier: 'flex' },
    other: { service_tier: 'priority' },
    place: 'service_tier',
    refusal: (value) => responses(levels(value), 'service_tier', 'unsupported_value'),
    told: 'service_tier: flex',
  },
  {
    name: 'temperature',
    ...gpt,
    params: { temperature: 0.5 },
    other: { temperature: 1 },
    place: 'temperature',
    refusal: (value) => responses(levels(value), 'temperature', 'unsupported_value'),
    told: 'temperature: 0.5',
  },
  {
    name: 'max tokens',
    ...gpt,
    params: { max_tokens: 90_000 },
    other: { max_tokens: 9_000 },
    place: 'max_output_tokens',
    refusal: (value) => responses(levels(value), 'max_output_tokens', 'unsupported_value'),
    told: 'max_output_tokens: 90000',
  },
  {
    name: 'budget of thinking',
    ...haiku,
    params: { reasoning: 50_000 },
    other: { reasoning: 2_000 },
    place: 'thinking.budget_tokens',
    refusal: (value) => messages(`thinking.budget_tokens: the value ${String(value)} is not supported`),
    gone: 'thinking',
    told: 'thinking.budget_tokens: 50000',
  },
  {
    name: 'effort',
    ...opus,
    params: { reasoning: 'max' },
    other: { reasoning: 'high' },
    place: 'output_config.effort',
    refusal: (value) => messages(`output_config.effort: '${String(value)}' is not supported on this model`),
    told: 'output_config.effort: max',
  },
  {
    name: 'kind of thinking',
    ...haiku,
    params: { reasoning: 2_000 },
    other: { reasoning: 'off' },
    place: 'thinking.type',
    refusal: () => messages('"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive".'),
    gone: 'thinking',
    told: 'thinking.type: enabled',
  },
];

describe('a value that a model refuses is left out from then on, and other values are sent', () => {
  test.each(both(values))('%s', async (_, form, row) => {
    const { place, gone = place, params, refusal, told } = row;
    const other = values.find((one) => one === row)?.other ?? {};
    let refused: unknown;
    const { fake, answer } = await serve(row.wire, fresh(row.model), form, (body) => {
      const value = at(body, place);
      refused ??= value;
      return value !== undefined && value === refused ? refusal(value) : undefined;
    });
    const first = await answer(params);
    expect([first.said, first.requests]).toEqual(['ok', 2]);
    expect(first.lines[0]).toContain(`The value ${JSON.stringify(refused)} of '${place}' is left out`);
    expect(first.lines[1]).toContain(`does not take '${told}'. What the card sets there is ignored.`);
    const taken = await answer(other);
    expect([taken.said, taken.requests, taken.logs]).toEqual(['ok', 1, []]);
    expect(at(fake.requests[2]?.body ?? {}, place)).not.toBe(refused);
    expect(at(fake.requests[2]?.body ?? {}, place)).toBeDefined();
    const again = await answer({ ...params });
    expect([again.said, again.requests, again.logs]).toEqual(['ok', 1, ['warning parameter_ignored']]);
    expect(at(fake.requests[3]?.body ?? {}, gone)).toBeUndefined();
  });

  test('all values are left out when only the default is taken', async () => {
    const only =
      "Unsupported value: 'temperature' does not support 0.5 with this model. Only the default (1) value is supported.";
    const { answer } = await serve('responses', fresh('gpt-5-mini'), 'streamed', (body) =>
      body.temperature === undefined ? undefined : responses(only, 'temperature', 'unsupported_value'),
    );
    expect((await answer({ temperature: 0.5 })).requests).toBe(2);
    expect((await answer({ temperature: 0.7 })).requests).toBe(1);
  });
});

describe('a refusal of what no request can do without', () => {
  const rows: readonly (readonly [string, WireName, JsonObject, ProviderReply, string])[] = [
    ['an unknown parameter', 'responses', {}, responses("Unknown parameter: 'x'.", 'x', 'unknown_parameter'), "'x'"],
    [
      'a parameter that was not sent',
      'responses',
      { temperature: 0.5 },
      responses("Unsupported parameter: 'top_k'. Use 'temperature' instead.", 'top_k', 'unsupported_parameter'),
      "'top_k'",
    ],
    [
      'that the provider shall keep nothing',
      'responses',
      {},
      responses("Unsupported value: 'store' must be true.", 'store', 'unsupported_value'),
      "'store'",
    ],
    [
      'a part of the conversation that has the name of a parameter',
      'responses',
      { temperature: 0.5 },
      responses("Unsupported parameter: 'input[0].temperature'.", 'input[0].temperature', 'unsupported_parameter'),
      'input[0].temperature',
    ],
    [
      'a value out of range',
      'responses',
      { temperature: 5 },
      responses("Invalid 'temperature': decimal above maximum value.", 'temperature', 'decimal_above_max_value'),
      'decimal above maximum value',
    ],
    [
      'a limit of tokens that is too high',
      'messages',
      { max_tokens: 90_000 },
      messages('max_tokens: 90000 > 64000, which is the maximum allowed number of output tokens'),
      '90000 > 64000',
    ],
    [
      'the limit of tokens',
      'messages',
      {},
      messages('max_tokens: Extra inputs are not permitted'),
      'max_tokens: Extra',
    ],
    [
      'a picture',
      'messages',
      { temperature: 0.5 },
      messages('messages.0.content.0: image input is not supported; the `temperature` is fine'),
      'image input is not supported',
    ],
    [
      'an unknown parameter',
      'messages',
      { temperature: 0.5 },
      messages('context_management: Extra inputs are not permitted'),
      'context_management',
    ],
  ];
  test.each(rows.flatMap((row) => forms.map((form) => [`${row[1]}: ${row[0]}, ${form}`, form, row] as const)))(
    'ends the call after one try: %s',
    async (_, form, [, wire, params, reply, words]) => {
      const model = wire === 'responses' ? 'gpt-5-mini' : 'claude-haiku-4-5';
      const { fake, answer } = await serve(wire, fresh(model), form, () => reply);
      const { said: answered, logs } = await answer(params);
      expect(answered).toMatch(/^! model_rejected: /);
      expect(answered).toContain(words);
      expect([fake.requests.length, logs]).toEqual([1, []]);
    },
  );
});

describe.each(forms)('several refusals, %s,', (form) => {
  test.each([
    ['responses', 'gpt-5-mini', 'temperature', 'reasoning.effort', { temperature: 0.5, reasoning: 'low' }],
    ['messages', 'claude-haiku-4-5', 'temperature', 'top_p', { temperature: 0.5, top_p: 0.5 }],
  ] as const)('in a row are all learnt: %s', async (wire, model, one, two, params) => {
    const { answer } = await serve(wire, fresh(model), form, (body) => {
      const place = [one, two].find((name) => at(body, name) !== undefined);
      return place === undefined ? undefined : wires[wire].refusal(unsupported(place), place);
    });
    const first = await answer(params);
    expect([first.said, first.requests]).toEqual(['ok', 3]);
    expect((await answer(params)).requests).toBe(1);
  });

  test.each([
    ['responses', 'gpt-5-mini', { temperature: 0.5 }],
    ['messages', 'claude-haiku-4-5', { temperature: 0.5 }],
  ] as const)('of the same for ever end the call: %s', async (wire, model, params) => {
    const { fake, answer } = await serve(wire, fresh(model), form, () =>
      wires[wire].refusal(unsupported('temperature'), 'temperature', 'unsupported_parameter'),
    );
    expect((await answer(params)).said).toMatch(/^! model_rejected: .*'temperature' is not supported/);
    expect(fake.requests).toHaveLength(2);
  });

  test('of one thing after the other end the call when nothing is left', async () => {
    const places = [
      'temperature',
      'top_p',
      'service_tier',
      'max_output_tokens',
      'include',
      'reasoning',
      'stream',
      'model',
    ];
    const { fake, answer } = await serve('responses', fresh('gpt-5-mini'), form, (body) => {
      const place = places.find((name) => at(body, name) !== undefined) ?? '';
      return responses(unsupported(place), place, 'unsupported_parameter');
    });
    const params = { temperature: 0.5, top_p: 0.5, service_tier: 'flex', max_tokens: 100, reasoning: 'low' };
    expect((await answer(params)).said).toMatch(/^! model_rejected: .*'model' is not supported/);
    expect(fake.requests).toHaveLength(places.length);
  });
});
