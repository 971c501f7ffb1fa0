import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '@/lib/runtime/ports';
import type { EventOf, RunEvent } from '@/lib/runtime/record/events';
import { fakeClock } from '@/lib/testing/fake-clock';
import { type FakeTool, fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { randomGraphs } from '@/lib/testing/random-graphs';
import { runGraph } from '@/lib/testing/run-graph';
import { type ScriptedModel, scriptedModel } from '@/lib/testing/scripted-model';
import { tries } from '@/lib/testing/tries';
import { conversationOf, modelCallJson } from './model-conversation';
import { type ModelRequestRecord, resolveRequest } from './model-request';

describe('the request of every model call can be read from the log', () => {
  it('for an agent with tools, children and several turns', async () => {
    const model = lead();
    const { log } = await runGraph({ parsed, model, tools });
    expect(model.requests).toHaveLength(5);
    expectSame(log, model.requests);
  });

  it('for any graph, also when the run goes on from a log cut anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(randomGraphs(), fc.nat(1_000), async (graph, at) => {
        const clock = fakeClock();
        const first = graph.fakes(clock);
        const whole = await runGraph({ ...graph, model: first.model, tools: { mcp: first.tools }, clock });
        expectSame(whole.log, first.model.requests);
        const later = fakeClock();
        const second = graph.fakes(later);
        const cut = whole.log.slice(0, Math.round((at / 1_000) * whole.log.length));
        const next = { ...graph, model: second.model, tools: { mcp: second.tools }, clock: later, log: cut };
        expectSame((await runGraph(next)).log, second.model.requests);
      }),
      { numRuns: tries(100) },
    );
  });

  it('and nothing that another event has is recorded again', async () => {
    const { log } = await runGraph({ parsed, model: lead(), tools });
    const requests = startsOf(log).flatMap(({ request }) => request ?? []);
    expect(requests.flatMap(({ added }) => added).filter((one) => 'message' in one)).toEqual([]);
    const texts = requests.map(({ instruction }) => instruction).filter((one) => typeof one === 'string');
    expect(texts).toHaveLength(new Set(texts).size);
  });
});

it('what is new does not depend on calls that a tool asked for meanwhile', async () => {
  const ask: FakeTool = async (_, { sample }) => {
    const question = { model: undefined, instruction: 'Be short', requestParams: {} };
    await sample?.({ ...question, messages: [{ role: 'user', content: [{ type: 'text', text: 'Why?' }] }] });
    return 'asked';
  };
  const model = scriptedModel({
    lead: ({ step, turn }) =>
      step.includes('.s') ? 'Because' : turn === 1 ? { calls: [{ tool: 'own__ask' }] } : 'done',
  });
  const { log } = await runGraph({ parsed: graphOf('lead'), model, tools: { mcp: fakeTools({ own__ask: ask }) } });
  expectSame(log, model.requests);
  expect(startsOf(log).map((call) => [call.step, read(call, log).newFrom])).toEqual([
    ['lead#m1', 0],
    ['lead#t1.s1', 0],
    ['lead#m2', 1],
  ]);
});

it('events that were not given are named, and a log without requests says so', async () => {
  const { log } = await runGraph({ parsed, model: lead(), tools });
  const last = startsOf(log).findLast(({ path }) => path === 'lead');
  if (last === undefined) throw new Error('The lead makes calls.');
  expect(resolveRequest(last, [])).toEqual({
    missing: { steps: expect.arrayContaining(['lead#m1', 'lead#m2', 'lead#t3']), paths: [] },
  });
  const { request: _, ...old } = last;
  expect(resolveRequest(old, log)).toEqual({ unrecorded: true });
});

it('a conversation says what is new, what was asked and what came back, and hides secrets', async () => {
  const { log } = await runGraph({ parsed, model: lead(), tools });
  const call = startsOf(log).filter(({ path }) => path === 'lead')[1];
  if (call === undefined) throw new Error('The lead makes three calls.');
  const ended = log.find((event) => event.kind === 'model.ended' && event.step === call.step);
  const entries = conversationOf(read(call, log), ended?.kind === 'model.ended' ? ended : undefined);
  expect(entries.map(({ role, title, isNew }) => [role, title, isNew])).toEqual([
    ['system', 'System', false],
    ['user', 'User', false],
    ['assistant', 'Calls agent__kid', true],
    ['assistant', 'Calls agent__kid', true],
    ['tool', 'Result of agent__kid', true],
    ['tool', 'Result of agent__kid', true],
    ['answer', 'Calls time__now', true],
  ]);
  expect(entries.at(-1)?.text).toContain('[redacted]');
  expect(JSON.stringify(modelCallJson(call, read(call, log), undefined))).not.toContain('hunter2');
});

const tools = { mcp: fakeTools({ time__now: () => 'noon' }) };
const parsed = graphOf('lead > kid', {
  cards: { lead: { instruction: 'You lead.' }, kid: { instruction: 'You help.' } },
});

function lead(): ScriptedModel {
  return scriptedModel({
    lead: [
      {
        calls: [
          { tool: 'agent__kid', arguments: { text: 'a' } },
          { tool: 'agent__kid', arguments: { text: 'b' } },
        ],
      },
      { calls: [{ tool: 'time__now', arguments: { password: 'hunter2' } }] },
      'done',
    ],
    kid: 'helped',
  });
}

function startsOf(log: readonly RunEvent[]): readonly EventOf<'model.started'>[] {
  return log.flatMap((event) => (event.kind === 'model.started' ? [event] : []));
}

function read(call: EventOf<'model.started'>, log: readonly RunEvent[]): ModelRequestRecord {
  const resolved = resolveRequest(call, log);
  if (!('request' in resolved)) throw new Error(`Not resolved: ${JSON.stringify(resolved)}`);
  return resolved.request;
}

/** Expects the last start of each requested step to resolve to what the model was asked. */
function expectSame(log: readonly RunEvent[], requests: readonly ModelRequest[]): void {
  for (const asked of requests) {
    const call = startsOf(log).findLast(({ step }) => step === asked.step);
    if (call === undefined) throw new Error(`No start of ${asked.step}.`);
    const { instruction, messages, tools: offered, params } = read(call, log);
    expect({ step: asked.step, instruction, messages, params, tools: offered }).toEqual({
      step: asked.step,
      instruction: asked.instruction,
      messages: asked.messages,
      params: asked.requestParams,
      tools: asked.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    });
  }
}
