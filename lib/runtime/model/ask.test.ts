import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '@/lib/base/json';
import type { Settings } from '@/lib/cards/settings';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { RunEvent } from '@/lib/runtime/record/events';
import { type AssistantMessage, type Message, textOf } from '@/lib/runtime/record/messages';
import { fakeClock } from '@/lib/testing/fake-clock';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph, type TestRunInput } from '@/lib/testing/run-graph';
import { type ScriptedModel, scriptedModel, type TestScript } from '@/lib/testing/scripted-model';
import { askForJson, askForText, type JsonQuestion } from './ask';

/** What the instance does in place of the agent's loop. */
const { body } = vi.hoisted(() => ({ body: { run: async (_: Instance): Promise<unknown> => undefined } }));
vi.mock('@/lib/runtime/run/run-loop', () => ({ runLoop: (instance: Instance) => body.run(instance) }));

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const schema: JsonObject = {
  type: 'object',
  properties: { agent: { enum: ['writer', 'critic'] }, reason: { type: 'string' } },
  required: ['agent'],
};
const question: JsonQuestion = { instruction: 'Choose.', messages: [user('Who?')], schema, name: 'route' };
const repair = (reason: string) =>
  `The answer was not accepted: ${reason}. Send the whole answer again as JSON that fits the schema, and nothing else.`;

/** The instance asks for JSON and answers with what it got. */
async function asksOnce(instance: Instance) {
  const answer = await askForJson(instance, question);
  return answer.ok ? { ok: true, value: JSON.stringify(answer.value) } : answer;
}

beforeEach(() => {
  body.run = asksOnce;
});

interface Options extends Partial<Omit<TestRunInput, 'parsed' | 'model'>> {
  readonly settings?: Partial<Settings>;
}

async function run(script: TestScript | ScriptedModel, { settings, ...options }: Options = {}) {
  const clock = options.clock ?? fakeClock();
  const model = typeof script === 'object' && 'complete' in script ? script : scriptedModel({ lead: script }, clock);
  const done = await runGraph({ parsed: graphOf('lead', { settings }), model, ...options, clock });
  expect(model.unexpected).toEqual([]);
  return { ...done, model };
}

function steps(log: readonly RunEvent[]): readonly string[] {
  return log.flatMap((event) => (event.kind === 'model.ended' ? [event.step] : []));
}

function told({ messages }: { readonly messages: readonly Message[] }): readonly string[] {
  return messages.map((message) => (message.role === 'tool' ? '' : `${message.role}: ${textOf(message.content)}`));
}

function ending(text: string, stopReason: AssistantMessage['stopReason']): TestScript {
  const message: AssistantMessage = {
    role: 'assistant',
    content: text === '' ? [] : [{ type: 'text', text }],
    toolCalls: [],
    stopReason,
  };
  return [{ message }];
}

describe('an answer that must fit a schema', () => {
  it('is asked of the provider and by instruction, without tools, and is an ordinary step', async () => {
    const { outcome, log, model } = await run(['{"agent":"writer"}']);
    expect(outcome).toMatchObject({ status: 'completed', answer: '{"agent":"writer"}' });
    expect(steps(log)).toEqual(['lead#m1']);
    expect(model.requests[0]).toMatchObject({
      instruction: `Choose.\n\nAnswer with JSON that fits this JSON schema, and with nothing else:\n${JSON.stringify(schema)}`,
      messages: [user('Who?')],
      tools: [],
      responseFormat: { name: 'route', schema },
    });
    expect(outcome.usage).toMatchObject({ inputTokens: 10, outputTokens: 5 });
    expect(log.find(({ kind }) => kind === 'instance.ended')).toMatchObject({ usage: { inputTokens: 10 } });
  });

  it.each([
    ['in a code fence', 'Here:\n```json\n{"agent":"critic"}\n```', '{"agent":"critic"}'],
    ['with null for what is left out', '{"agent":"critic","reason":null}', '{"agent":"critic"}'],
    ['with more than is described', '{"agent":"critic","why":1}', '{"agent":"critic","why":1}'],
  ])('may come %s', async (_, text, expected) => {
    const { outcome } = await run([text]);
    expect(outcome.answer).toBe(expected);
  });

  it('is not shown to those who read along', async () => {
    const { sink } = await run(['{"agent":"writer"}']);
    expect(sink.deltas).toEqual([]);
  });

  it.each([
    ['words', 'it is not JSON'],
    ['{"agent":"poet"}', '/agent must be equal to one of the allowed values ("writer", "critic")'],
    ['{"reason":"none"}', "the answer must have required property 'agent'"],
    ['', 'it is not JSON'],
  ])('that does not fit is asked for once more with the reason: %s', async (text, reason) => {
    const { outcome, log, model } = await run([text, '{"agent":"writer"}']);
    expect(outcome.answer).toBe('{"agent":"writer"}');
    expect(steps(log)).toEqual(['lead#m1', 'lead#m2']);
    expect(model.requests.map(told)).toEqual([
      ['user: Who?'],
      ['user: Who?', `assistant: ${text || '(No response)'}`, `user: ${repair(reason)}`],
    ]);
    expect(model.requests[1]).toMatchObject({ responseFormat: { name: 'route', schema }, tools: [] });
  });

  it('that does not fit twice is an error that names what was wrong and the model', async () => {
    const { outcome, log } = await run(['words', '{}']);
    expect(outcome.error).toEqual({
      code: 'answer_invalid',
      message:
        "The answer (route) of model 'test-model' to agent 'lead' is not valid: the answer must have required property 'agent'. The model was told why and asked once more. Choose a model that follows JSON schemas.",
    });
    expect(steps(log)).toEqual(['lead#m1', 'lead#m2']);
  });

  it('goes without calls that nobody offered when it is asked for again', async () => {
    const { model } = await run([{ text: 'I look', calls: [{ tool: 'search' }] }, '{"agent":"writer"}']);
    expect(model.requests[1]?.messages[1]).toMatchObject({ role: 'assistant', toolCalls: [] });
  });

  it.each([
    ['answer_withheld', 'I cannot help.', 'safety', /was withheld by the provider.* Change what it is asked/],
    ['answer_withheld', '{"agent":"writer"}', 'safety', /was withheld by the provider/],
    ['answer_cut', '{"agent":"wri', 'max_tokens', /was cut at the limit of output tokens\. Raise 'max_tokens'/],
  ] as const)('%s: %s is not asked for again', async (code, text, stopReason, message) => {
    const { outcome, log } = await run(ending(text, stopReason));
    expect(outcome.error).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(steps(log)).toEqual(['lead#m1']);
  });

  it('that is whole is taken, although blanks after it were cut', async () => {
    const { outcome } = await run(ending('{"agent":"writer"}\n\n   ', 'max_tokens'));
    expect(outcome.answer).toBe('{"agent":"writer"}');
  });

  it('is not asked for with a schema that cannot be used', async () => {
    body.run = (instance) =>
      askForJson(instance, { ...question, schema: { type: 'object', properties: { a: { pattern: '(' } } } });
    const { outcome, model } = await run([]);
    expect(outcome.error?.code).toBe('answer_invalid');
    expect(outcome.error?.message).toMatch(
      /^Agent 'lead' cannot ask for an answer \(route\): its schema cannot be used: /,
    );
    expect(model.requests).toEqual([]);
  });

  it('gives the error of its model call', async () => {
    const down = { code: 'model_down', message: 'The model is down.' };
    expect((await run([{ error: down }])).outcome.error).toEqual(down);
    expect((await run(['words', { error: down }])).outcome.error).toEqual(down);
  });
});

describe('resumed', () => {
  it.each([
    ['repaired', ['words', '{"agent":"writer"}']],
    ['refused twice', ['words', 'more words']],
  ])(
    'at every event, an answer that is %s is decided as before, and no recorded call is made again',
    async (_, script) => {
      const whole = await run(script);
      for (let length = 1; length < whole.log.length; length++) {
        const log = whole.log.slice(0, length);
        const next = await run(script, { log });
        expect([next.outcome.answer, next.outcome.error]).toEqual([whole.outcome.answer, whole.outcome.error]);
        expect(next.outcome.usage).toEqual(whole.outcome.usage);
        expect(steps(next.log)).toEqual(steps(whole.log));
        expect(next.model.requests.map(({ step }) => step)).toEqual(
          steps(whole.log).filter((step) => !steps(log).includes(step)),
        );
      }
    },
  );
});

describe('stopped', () => {
  it('during the repair, the instance is cancelled and nothing is asked any more', async () => {
    const stop = new AbortController();
    const script = scriptedModel({
      lead: ({ turn }) => {
        if (turn === 2) stop.abort();
        return turn === 1 ? 'words' : '{"agent":"writer"}';
      },
    });
    const { outcome, log } = await run(script, { signal: stop.signal });
    expect(outcome.status).toBe('cancelled');
    expect(script.requests.map(({ turn }) => turn)).toEqual([1, 2]);
    expect(log.find((event) => event.kind === 'model.ended' && event.step === 'lead#m2')).toMatchObject({
      error: { code: 'cancelled' },
    });
  });

  it('by the budget between answer and repair, without a second call', async () => {
    const { outcome, model } = await run(['words', 'never'], { settings: limited({ max_tokens: 15 }) });
    expect(outcome.error?.code).toBe('max_tokens');
    expect(model.requests).toHaveLength(1);
  });
});

function limited(limits: Partial<Settings['limits']>): Partial<Settings> {
  return { limits: { ...graphOf('lead').settings.limits, ...limits } };
}

describe('a text', () => {
  it('is asked for without tools, format or added instruction, and is streamed', async () => {
    body.run = (instance) => askForText(instance, { instruction: 'Sum up.', messages: [user('All of it')] });
    const { outcome, model, sink } = await run(['In short.']);
    expect(outcome.answer).toBe('In short.');
    expect(model.requests[0]).toMatchObject({ instruction: 'Sum up.', messages: [user('All of it')], tools: [] });
    expect(model.requests[0]?.responseFormat).toBeUndefined();
    expect(sink.deltas.map(({ text }) => text)).toEqual(['In short.']);
  });

  it.each([
    ['', 'end_turn', '(No response)', ['answer_empty']],
    ['Half', 'end_turn', 'Half', []],
    ['Half of', 'max_tokens', 'Half of', ['answer_cut']],
  ] as const)('%j that ended with %s is %j', async (text, stopReason, expected, codes) => {
    body.run = (instance) => askForText(instance, { instruction: '', messages: [user('?')] });
    const { outcome, sink } = await run(ending(text, stopReason));
    expect(outcome.answer).toBe(expected);
    expect(sink.of('log').map(({ code }) => code)).toEqual(codes);
  });

  it('that was withheld is an error', async () => {
    body.run = (instance) => askForText(instance, { instruction: '', messages: [user('?')] });
    const { outcome } = await run(ending('I cannot', 'safety'));
    expect(outcome.error).toEqual({
      code: 'answer_withheld',
      message:
        "The answer of model 'test-model' to agent 'lead' was withheld by the provider, or a part of it was. Change what it is asked, or choose another model.",
    });
  });
});

it('asks after each other count on, mixed with each other', async () => {
  body.run = async (instance) => {
    const first = await askForJson(instance, question);
    const second = await askForText(instance, { instruction: 'Say it.', messages: [user(JSON.stringify(first))] });
    return second;
  };
  const { outcome, log } = await run(['words', '{"agent":"writer"}', 'done']);
  expect(outcome.answer).toBe('done');
  expect(steps(log)).toEqual(['lead#m1', 'lead#m2', 'lead#m3']);
});
