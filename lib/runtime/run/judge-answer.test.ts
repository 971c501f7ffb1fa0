import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/base/json';
import type { AgentCard } from '@/lib/cards/card';
import type { DelegationOptions } from '@/lib/cards/delegation-settings';
import type { ModelRequest } from '@/lib/runtime/ports';
import type { RunEvent } from '@/lib/runtime/record/events';
import { type AssistantMessage, textOf } from '@/lib/runtime/record/messages';
import { fakeHooks, hookRef } from '@/lib/testing/fake-hooks';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph, type TestRunInput } from '@/lib/testing/run-graph';
import { scriptedModel, type TestScript } from '@/lib/testing/scripted-model';

const schema: JsonObject = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
const fits = '{"n":1}';
const repair = (reason: string) =>
  `user: The answer was not accepted: ${reason}. Send the whole answer again as JSON that fits the schema, and nothing else.`;

interface Options extends Partial<Omit<TestRunInput, 'parsed' | 'model'>> {
  readonly delegation?: DelegationOptions;
  readonly card?: Partial<AgentCard>;
}

/** Lead calls kid once, whose answer must fit. */
async function run(kid: TestScript, { delegation, card, ...options }: Options = {}) {
  const model = scriptedModel({
    lead: [{ calls: [{ tool: 'agent__kid', arguments: { text: 'count' } }] }, 'end'],
    kid,
  });
  const settings = { delegations: { lead: { kid: { output_schema: schema, ...delegation } } } };
  const parsed = graphOf('lead > kid', { settings, cards: card && { kid: card } });
  const done = await runGraph({ parsed, model, ...options });
  const result = done.log.flatMap((event) =>
    event.kind === 'tool.ended' && event.path === 'lead' ? [event.result] : [],
  );
  const asked = model.requests.filter(({ agentName }) => agentName === 'kid');
  return { ...done, model, result: result[0], asked };
}

function told({ messages }: ModelRequest): readonly string[] {
  return messages.map((message) =>
    message.role === 'tool'
      ? `tool: ${message.results.map(({ result }) => textOf(result.content)).join(' | ')}`
      : `${message.role}: ${textOf(message.content)}`,
  );
}

function modelSteps(log: readonly RunEvent[]): readonly string[] {
  return log.flatMap((event) => (event.kind === 'model.ended' ? [event.step] : []));
}

function logged(log: readonly RunEvent[]): readonly string[] {
  return log.flatMap((event) =>
    event.kind === 'log' ? [`${event.path} ${event.level} ${event.code}: ${event.message}`] : [],
  );
}

const cut = (text: string, stopReason: AssistantMessage['stopReason']): TestScript => [
  { message: { role: 'assistant', content: [{ type: 'text', text }], toolCalls: [], stopReason } },
];

describe('an answer that does not fit the output_schema', () => {
  it('is asked for once more in the same instance, with the reason', async () => {
    const { result, asked, log, outcome } = await run(['words', fits]);
    expect(result).toMatchObject({ isError: false, structuredContent: { n: 1 } });
    expect(asked.map(told)).toEqual([['user: count'], ['user: count', 'assistant: words', repair('it is not JSON')]]);
    expect(modelSteps(log)).toEqual(['lead#m1', 'lead/kid[1]#m1', 'lead/kid[1]#m2', 'lead#m2']);
    expect(logged(log)).toEqual([
      "lead/kid[1] info answer_asked_again: Agent 'kid': the answer of its model call 1 was not accepted: it is not JSON. The model is asked once more.",
    ]);
    expect(outcome.answer).toBe('end');
  });

  it.each([
    ['in tags', `<think>\nMaybe {"n": 2}.\n</think>\n\n${fits}`],
    ['after which only the closing tag is left', `Maybe {"n": 2}.\n</think>\n${fits}`],
    ['before a code fence', `<thinking>hm</thinking>\n\`\`\`json\n${fits}\n\`\`\``],
  ])('is read after thoughts %s', async (_, answer) => {
    const { result, asked } = await run([answer]);
    expect(result).toMatchObject({ isError: false, structuredContent: { n: 1 } });
    expect(asked.length).toBe(1);
  });

  it('keeps a tag within a JSON text', async () => {
    const text = '{"n":1,"say":"</think>"}';
    expect((await run([text])).result).toMatchObject({ structuredContent: { n: 1, say: '</think>' } });
  });

  it('asks the provider for the schema, by the name of the agent; other agents are asked for nothing', async () => {
    const { model } = await run([fits]);
    expect(model.requests.map(({ responseFormat }) => responseFormat)).toEqual([
      undefined,
      { name: 'kid', schema },
      undefined,
    ]);
  });

  it('fails the instance the second time, and the next attempt begins anew with the reason', async () => {
    const { result, asked, log } = await run(
      ({ instanceName, turn }) => (instanceName === 'kid[1]' ? ['words', '{}'][turn - 1] : fits) ?? 'never',
      { delegation: { max_attempts: 2 } },
    );
    expect(result).toMatchObject({ structuredContent: { n: 1 } });
    expect(modelSteps(log).filter((step) => step.includes('kid'))).toEqual([
      'lead/kid[1]#m1',
      'lead/kid[1]#m2',
      'lead/kid[1.2]#m1',
    ]);
    expect(asked.at(-1)?.messages).toHaveLength(1);
    expect(told(asked.at(-1) as ModelRequest)[0]).toMatch(
      /An earlier attempt was not accepted\..*required property 'n'/,
    );
    const ended = log.flatMap((event) =>
      event.kind === 'instance.ended' ? [[event.path, event.status, event.answer]] : [],
    );
    expect(ended.slice(0, 2)).toEqual([
      ['lead/kid[1]', 'failed', '{}'],
      ['lead/kid[1.2]', 'completed', fits],
    ]);
  });

  it('may be repaired with the help of tools', async () => {
    const { result, asked } = await run(['words', { calls: [{ tool: 'nowhere' }] }, fits]);
    expect(result).toMatchObject({ structuredContent: { n: 1 } });
    expect(asked.map(({ messages }) => messages.length)).toEqual([1, 3, 5]);
  });

  it('is not asked for again beyond the limit of model calls', async () => {
    const { result, log } = await run([{ calls: [{ tool: 'nowhere' }] }, 'words'], {
      card: { requestParams: { max_iterations: 1 } },
    });
    expect(result).toMatchObject({ errorCode: 'OUTPUT_VALIDATION' });
    expect(modelSteps(log)).toEqual(['lead#m1', 'lead/kid[1]#m1', 'lead/kid[1]#m2', 'lead#m2']);
  });

  it('that is empty is read again as a message that is not', async () => {
    const { asked } = await run(['', fits]);
    expect(asked.map(told).at(-1)).toEqual(['user: count', 'assistant: (No response)', repair('it is not JSON')]);
  });

  it.each([
    ['max_tokens', '{"n":', 'it was cut at the limit of output tokens'],
    ['safety', 'I cannot.', 'the provider withheld it or a part of it'],
  ] as const)('that ended with %s is not asked for again, and says so', async (stopReason, text, reason) => {
    const { result, log } = await run(cut(text, stopReason));
    expect(result).toEqual({
      isError: true,
      errorCode: 'OUTPUT_VALIDATION',
      content: [{ type: 'text', text: `Error: The answer of agent 'kid' is not valid: ${reason}.` }],
    });
    expect(modelSteps(log)).toEqual(['lead#m1', 'lead/kid[1]#m1', 'lead#m2']);
    expect(log.find((event) => event.kind === 'instance.ended')).toMatchObject({ status: 'failed', answer: text });
  });

  it('may have null for an optional property, also below', async () => {
    const nested: JsonObject = {
      type: 'object',
      properties: { steps: { type: 'array', items: schema }, note: { type: 'string' } },
    };
    const delegation = {
      output_schema: { ...nested, properties: { ...(nested.properties as JsonObject), n: nested } },
    };
    const text = '{"note":null,"steps":[{"n":1}],"n":{"note":null,"steps":null}}';
    const { result, log } = await run([text], { delegation });
    expect(result).toMatchObject({ structuredContent: { steps: [{ n: 1 }], n: {} } });
    expect(log.find((event) => event.kind === 'instance.ended')).toMatchObject({ answer: text });
  });

  it('is left to a hook that may change the answer of the turn', async () => {
    const message = {
      role: 'assistant',
      content: [{ type: 'text', text: fits }],
      toolCalls: [],
      stopReason: 'end_turn',
    };
    const hooks = fakeHooks({ correct: { phase: () => ({ message }) } });
    const card: Partial<AgentCard> = {
      toolHooks: { form: 'phases', phases: { after_turn_complete: hookRef('correct') } },
    };
    const { log, result } = await run(['words'], { card, hooks });
    expect(result).toMatchObject({ structuredContent: { n: 1 } });
    expect(modelSteps(log)).toEqual(['lead#m1', 'lead/kid[1]#m1', 'lead#m2']);
  });
});

describe('resumed', () => {
  it('at every event, decides as before and asks for nothing that is recorded', async () => {
    const script = ['words', fits];
    const whole = await run(script);
    for (let length = 1; length < whole.log.length; length++) {
      const log = whole.log.slice(0, length);
      const next = await run(script, { log });
      expect(next.outcome).toEqual(whole.outcome);
      expect(next.result).toEqual(whole.result);
      expect(modelSteps(next.log)).toEqual(modelSteps(whole.log));
      expect(logged(next.log)).toEqual(logged(whole.log));
      expect(next.model.requests.map(({ step }) => step)).toEqual(
        modelSteps(whole.log).filter((step) => !modelSteps(log).includes(step)),
      );
    }
  });
});
