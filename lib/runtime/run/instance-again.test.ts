import { describe, expect, it } from 'vitest';
import type { ToolChoice } from '@/lib/base/again';
import type { JsonObject } from '@/lib/base/json';
import { pinnedAnswers, recordedAnswers } from '@/lib/runtime/record/given-answers';
import { readInstanceRecord } from '@/lib/runtime/record/instance-record';
import { textOf } from '@/lib/runtime/record/messages';
import { checkLog } from '@/lib/testing/check-log';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph, type TestRun } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';
import { startOfInstance } from './start-instance';

const parsed = graphOf('lead > kid; kid > helper');
const call = (tool: string, text: string) => ({ tool, arguments: { text } });
const answer = { content: [{ type: 'text' as const, text: 'pinned' }], isError: false };

function fakes() {
  const model = scriptedModel({
    lead: [{ calls: [call('agent__kid', 'one'), call('agent__kid', 'two')] }, 'end'],
    kid: (request) => {
      const said = request.messages[0];
      const text = said?.role === 'user' ? textOf(said.content) : '';
      if (request.turn === 1) return { calls: [call('box__work', text), call('agent__helper', text)] };
      const results = request.messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
      return `${text}: ${results.map(({ result }) => textOf(result.content)).join(', ')}`;
    },
    helper: ({ messages: [said] }) => `helped ${said?.role === 'user' ? textOf(said.content) : ''}`,
  });
  return { model, tools: fakeTools({ box__work: (args) => `worked on ${String(args.text)}` }) };
}

describe('one instance of a run, run again alone', () => {
  it('does what it did, without its parent', async () => {
    const { again } = await runKid({});
    expect(again.outcome.answer).toBe('two: worked on two, helped two');
    expect(again.ran).toEqual(['kid#m1', 'kid/helper[1]#m1', 'kid#m2', 'kid#t1']);
  });

  it('calls no tool for which the record was chosen', async () => {
    const { again } = await runKid({ box__work: 'record', agent__helper: 'record' });
    expect(again.outcome.answer).toBe('two: worked on two, helped two');
    expect(again.ran).toEqual(['kid#m1', 'kid#m2']);
    expect(codes(again)).toEqual(['answer_recorded', 'answer_recorded']);
    const helper = again.log.find((event) => event.kind === 'instance.ended' && event.path === 'kid/helper[1]');
    expect(helper).toMatchObject({ status: 'completed', cached: true });
  });

  it('takes other arguments, and says where a recorded answer was to other ones', async () => {
    const { again } = await runKid({ box__work: 'record' }, { text: 'three' });
    expect(again.outcome.answer).toBe('three: worked on two, helped three');
    expect(again.log.filter((event) => event.kind === 'log')).toMatchObject([
      { level: 'warning', message: expect.stringContaining('a recorded one to other arguments') },
    ]);
  });

  it('refuses arguments that its schema does not allow', async () => {
    const strict = graphOf('lead > kid', { settings: { delegations: { lead: { kid: { input_mode: 'request' } } } } });
    const { model } = fakes();
    const whole = await runGraph({ parsed, model });
    const record = readInstanceRecord(whole.log, 'lead/kid[2]');
    if (record === undefined) throw new Error('The run has no such instance');
    const start = startOfInstance(record, [], { text: 'x' }, { folder: new Map(), parsed: strict });
    expect(start).toMatchObject({
      ok: false,
      error: { code: 'again_arguments', message: expect.stringContaining("'request'") },
    });
  });

  it('never runs a tool that shall be answered from the record and is not in it', () => {
    const given = recordedAnswers([], { box__work: 'record' });
    const asked = { agentName: 'kid', tool: 'box__work', place: '#t1', arguments: {} };
    expect(given(asked)).toMatchObject({ result: { isError: true }, level: 'warning' });
    expect(given({ ...asked, tool: 'other' })).toBeUndefined();
  });
});

describe('pinned results', () => {
  const pin = { agentName: 'kid', tool: 'box__work', arguments: { text: 'one' }, result: answer };

  it('answer calls with equal arguments in place of the tool, in every instance of the agent', async () => {
    const { model, tools } = fakes();
    const { log, outcome } = await runGraph({ parsed, model, tools: { mcp: tools }, ...withPins([pin]) });
    expect(tools.calls.map(({ args }) => args.text)).toEqual(['two']);
    expect(outcome.status).toBe('completed');
    expect(log.find((event) => event.kind === 'log')).toMatchObject({ code: 'answer_pinned', step: 'lead/kid[1]#t1' });
    expect(log.find((event) => event.kind === 'tool.ended' && event.step === 'lead/kid[1]#t1')).toMatchObject({
      result: answer,
    });
    checkLog(log);
  });

  it('answer every call of the tool, where no arguments are named', async () => {
    const { model, tools } = fakes();
    await runGraph({ parsed, model, tools: { mcp: tools }, ...withPins([{ ...pin, arguments: undefined }]) });
    expect(tools.calls).toEqual([]);
  });

  it('say nothing about another agent', async () => {
    const { model, tools } = fakes();
    await runGraph({ parsed, model, tools: { mcp: tools }, ...withPins([{ ...pin, agentName: 'lead' }]) });
    expect(tools.calls).toHaveLength(2);
  });
});

function withPins(pins: Parameters<typeof pinnedAnswers>[0]) {
  const answers = pinnedAnswers(pins);
  return answers === undefined ? {} : { answers };
}

/** Runs the graph, and then its second kid alone. */
async function runKid(choices: Readonly<Record<string, ToolChoice>>, args?: JsonObject) {
  const first = fakes();
  const whole = await runGraph({ parsed, model: first.model, tools: { mcp: first.tools } });
  const record = readInstanceRecord(whole.log, 'lead/kid[2]');
  if (record === undefined) throw new Error('The run has no such instance');
  const start = startOfInstance(record, [], args, { folder: new Map(), parsed });
  if (!start.ok) throw new Error(start.error.message);
  const { model, tools } = fakes();
  const again = await runGraph({
    parsed,
    model,
    tools: { mcp: tools },
    request: { agent: 'kid', message: start.value.input },
    instance: start.value,
    answers: recordedAnswers(record.calls, choices),
  });
  checkLog(again.log);
  const ran = [...model.requests.map(({ step }) => step), ...tools.calls.map(({ step }) => step)];
  return { whole, again: { ...again, ran } };
}

function codes({ log }: TestRun): readonly string[] {
  return log.flatMap((event) => (event.kind === 'log' ? [event.code] : []));
}
