import { afterEach, expect, test } from 'vitest';
import type { JsonObject } from '@/lib/base/json';
import type { ProviderSections } from '@/lib/cards/config';
import { readConfig } from '@/lib/cards/read/read-config';
import { parseYaml } from '@/lib/cards/yaml/yaml-source';
import type { ModelPort } from '@/lib/runtime/ports';
import type { RunEvent } from '@/lib/runtime/record/events';
import { fakeClock } from '@/lib/testing/fake-clock';
import { startFakeOpenAI } from '@/lib/testing/fake-openai';
import { type FakeProvider, startFakeProvider } from '@/lib/testing/fake-provider';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { messagesStream } from '@/lib/testing/messages-answers';
import { modelsWith } from '@/lib/testing/models-with';
import { responsesStream } from '@/lib/testing/responses-answers';
import { runGraph } from '@/lib/testing/run-graph';

/** What the model says in each of its three turns. */
const turns = [
  {
    thought: 'Two things.',
    text: 'I look.',
    calls: [
      ['box__add', { n: 1 }],
      ['box__look', {}],
    ],
  },
  { thought: 'One more.', text: '', calls: [['box__add', { n: 2 }]] },
  { thought: '', text: 'All done.', calls: [] },
] as const satisfies readonly {
  readonly thought: string;
  readonly text: string;
  readonly calls: readonly (readonly [string, JsonObject])[];
}[];
const usage = { input: 40, output: 12, cached: 30, thinking: 4 };

const servers: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** The turn of a request is the number of answers in its conversation. */
const turnOf = (roles: readonly unknown[]) => turns[roles.filter((role) => role === 'assistant').length] ?? turns[2];
const callId = (turn: (typeof turns)[number], index: number) => `call_${turns.indexOf(turn) + 1}_${index}`;

function sections(yaml: string): ProviderSections {
  return readConfig('fast-agent.yaml', yaml, parseYaml({ text: yaml, offset: 0 })).config.providers;
}

interface Served {
  readonly model: ModelPort;
  readonly name: string;
  readonly bodies: () => readonly JsonObject[];
}

async function chat(): Promise<Served> {
  const fake = await startFakeOpenAI({
    respond({ messages }) {
      const turn = turnOf(messages.map(({ role }) => role));
      return {
        text: turn.text,
        ...(turn.thought !== '' && { reasoning: turn.thought }),
        toolCalls: turn.calls.map(([name, args]) => ({ name, arguments: args })),
        usage: {
          prompt_tokens: usage.input,
          completion_tokens: usage.output,
          cached_tokens: usage.cached,
          reasoning_tokens: usage.thinking,
        },
      };
    },
  });
  servers.push(fake);
  const env = { OPENAI_API_KEY: 'sk-0123456789', OPENAI_BASE_URL: fake.url };
  return { model: modelsWith(env, fakeClock()), name: 'openai.m', bodies: () => [] };
}

const bodiesOf = (fake: FakeProvider) => () => fake.requests.map(({ body }) => JSON.parse(JSON.stringify(body)));
const rolesIn = (list: unknown) => (Array.isArray(list) ? list.map((one) => one?.role) : []);

async function messages(): Promise<Served> {
  const fake = await startFakeProvider(({ body, number }) => {
    const turn = turnOf(rolesIn(body.messages));
    return messagesStream({
      content: [
        ...(turn.thought === '' ? [] : [{ type: 'thinking', thinking: turn.thought, signature: `sig-${number}` }]),
        ...(turn.text === '' ? [] : [{ type: 'text', text: turn.text }]),
        ...turn.calls.map(([name, input], index) => ({ type: 'tool_use', id: callId(turn, index), name, input })),
      ],
      stopReason: turn.calls.length > 0 ? 'tool_use' : 'end_turn',
      usage: {
        input_tokens: usage.input - usage.cached,
        cache_read_input_tokens: usage.cached,
        output_tokens: usage.output,
        output_tokens_details: { thinking_tokens: usage.thinking },
      },
    });
  });
  servers.push(fake);
  const env = { ANTHROPIC_API_KEY: 'sk-0123456789', ANTHROPIC_BASE_URL: fake.url };
  return { model: modelsWith(env, fakeClock()), name: 'anthropic.m?reasoning=low', bodies: bodiesOf(fake) };
}

async function responses(): Promise<Served> {
  const fake = await startFakeProvider(({ body, number }) => {
    const input = Array.isArray(body.input) ? body.input : [];
    // An answer is several items of input. The reasoning of the first two is one of each.
    const turn = turns[input.filter((item) => item.type === 'reasoning').length] ?? turns[2];
    const summary = [{ type: 'summary_text', text: turn.thought }];
    return responsesStream({
      output: [
        ...(turn.thought === ''
          ? []
          : [{ type: 'reasoning', id: `rs_${number}`, summary, encrypted_content: `enc-${number}` }]),
        ...(turn.text === ''
          ? []
          : [
              {
                type: 'message',
                id: `msg_${number}`,
                role: 'assistant',
                content: [{ type: 'output_text', text: turn.text }],
              },
            ]),
        ...turn.calls.map(([name, args], index) => ({
          type: 'function_call',
          id: `fc_${number}_${index}`,
          call_id: callId(turn, index),
          name,
          arguments: JSON.stringify(args),
        })),
      ],
      usage: {
        input_tokens: usage.input,
        input_tokens_details: { cached_tokens: usage.cached },
        output_tokens: usage.output,
        output_tokens_details: { reasoning_tokens: usage.thinking },
      },
    });
  });
  servers.push(fake);
  const env = { OPENAI_API_KEY: 'sk-0123456789', OPENAI_BASE_URL: fake.url };
  const providers = sections('openai: { wire: responses }');
  return { model: modelsWith(env, fakeClock(), { providers }), name: 'openai.m', bodies: bodiesOf(fake) };
}

function graph(model: string) {
  return graphOf('lead', { cards: { lead: { model } } });
}

/** A clock that waits for real servers instead of advancing past the time limit of the run. */
const clock = () => ({ ...fakeClock(), runUntil: <T>(work: Promise<T>) => work });
const tools = () => ({ mcp: fakeTools({ box__add: () => 'added', box__look: () => 'seen' }) });

/** The record without what names the provider and what the provider adds. */
function common(log: readonly RunEvent[]): unknown {
  return JSON.parse(
    JSON.stringify(log, (key, value: unknown) =>
      ['fromProvider', 'model', 'provider', 'modelName', 'firstTokenMs', 'costUsd'].includes(key) ? undefined : value,
    ),
  );
}

test('an agent with two tools has the same record on all wires, but for what the provider adds', async () => {
  const logs: unknown[] = [];
  for (const serve of [chat, messages, responses]) {
    const { model, name } = await serve();
    const { outcome, log } = await runGraph({ parsed: graph(name), model, tools: tools(), clock: clock() });
    expect(outcome).toMatchObject({ status: 'completed', answer: 'All done.' });
    logs.push(common(log));
  }
  const [ofChat, ofMessages, ofResponses] = logs;
  expect(ofMessages).toEqual(ofChat);
  expect(ofResponses).toEqual(ofChat);
});

test.each([
  ['messages', messages],
  ['responses', responses],
])('a run that is resumed after a crash sends back what the provider added, with %s', async (_, serve) => {
  const whole = await serve();
  const { log } = await runGraph({ parsed: graph(whole.name), model: whole.model, tools: tools(), clock: clock() });
  const expected = whole.bodies().at(-1);
  for (const [length, event] of log.entries()) {
    // The log is read again from its text, as it is after a crash.
    const cut: RunEvent[] = JSON.parse(JSON.stringify(log.slice(0, length)));
    if (!cut.some(({ kind }) => kind === 'model.ended') || event.kind === 'run.finished') continue;
    const before = whole.bodies().length;
    const { outcome } = await runGraph({
      parsed: graph(whole.name),
      model: whole.model,
      tools: tools(),
      log: cut,
      clock: clock(),
    });
    expect(outcome.status).toBe('completed');
    const sent = whole.bodies().slice(before);
    if (sent.length > 0)
      expect(JSON.stringify(sent.at(-1)).replace(/(sig|enc|rs|msg|fc)[-_]\d+/g, '$1')).toBe(
        JSON.stringify(expected).replace(/(sig|enc|rs|msg|fc)[-_]\d+/g, '$1'),
      );
  }
  expect(JSON.stringify(expected)).toMatch(/sig-1|enc-1/);
});
