import { describe, expect, it } from 'vitest';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';
import { costOf } from '@/lib/trace/cost';

const work = { calls: [{ tool: 'box__work' }] };
const tools = () => ({ mcp: fakeTools({ box__work: () => 'ok' }) });
/** Ten input and five output tokens a call: a dollar a token is 15 dollars a call. */
const dollarATokenOf = (known: string) => (usage: { inputTokens: number; outputTokens: number }, model: string) =>
  model === known ? usage.inputTokens + usage.outputTokens : undefined;

function lead(maxCostUsd: number, model = 'priced') {
  return graphOf('lead', { cards: { lead: { model } }, settings: { limits: { max_cost_usd: maxCostUsd } } });
}

describe('limits.max_cost_usd', () => {
  it('starts no further model call once the money is used up', async () => {
    const model = scriptedModel({ lead: () => work });
    const { outcome, log } = await runGraph({
      parsed: lead(40),
      model,
      tools: tools(),
      costOf: dollarATokenOf('priced'),
    });
    expect(model.requests).toHaveLength(3);
    expect(outcome).toMatchObject({
      status: 'failed',
      error: {
        code: 'max_cost',
        message: "The run has reached its cost limit of $40. Raise 'limits.max_cost_usd' in callboard.yaml.",
      },
    });
    expect(log.slice(-3).map(({ kind }) => kind)).toEqual(['log', 'instance.ended', 'run.finished']);
  });

  it('counts by the prices of the app: cached tokens for less', async () => {
    const usage = { inputTokens: 1_000_000, outputTokens: 0, cachedInputTokens: 1_000_000 };
    const turns = (request: { turn: number }) => ({ ...(request.turn < 3 ? work : { text: 'done' }), usage });
    const cheap = await runGraph({
      parsed: lead(2.6, 'gpt-4o'),
      model: scriptedModel({ lead: turns }),
      tools: tools(),
      costOf,
    });
    expect(cheap.outcome.status).toBe('completed');
    const dear = await runGraph({
      parsed: lead(2.5, 'gpt-4o'),
      model: scriptedModel({ lead: turns }),
      tools: tools(),
      costOf,
    });
    expect(dear.outcome.error?.code).toBe('max_cost');
  });

  it('goes on with a model of unknown price, and says once that it cannot count it', async () => {
    const model = scriptedModel({ lead: [work, work, 'done'] });
    const { outcome, sink } = await runGraph({
      parsed: lead(1, 'mystery'),
      model,
      tools: tools(),
      costOf: dollarATokenOf('priced'),
    });
    expect(outcome.status).toBe('completed');
    expect(sink.of('log').map(({ level, code, message, path }) => ({ level, code, message, path }))).toEqual([
      {
        level: 'warning',
        code: 'cost_unknown',
        message:
          "The price of model 'mystery' is not known: 'limits.max_cost_usd' cannot count what it costs. Set 'limits.max_tokens' too.",
        path: undefined,
      },
    ]);
  });

  it('says nothing of prices where there is no limit', async () => {
    const model = scriptedModel({ lead: 'done' });
    const { sink } = await runGraph({ parsed: graphOf('lead'), model, costOf: () => undefined });
    expect(sink.of('log')).toEqual([]);
  });

  it('counts what children cost', async () => {
    const parsed = graphOf('lead > kid', {
      cards: { lead: { model: 'priced' }, kid: { model: 'priced' } },
      settings: { limits: { max_cost_usd: 30 } },
    });
    const model = scriptedModel({ lead: [{ calls: [{ tool: 'agent__kid' }] }, 'done'], kid: 'k' });
    const { outcome } = await runGraph({ parsed, model, costOf: dollarATokenOf('priced') });
    expect(model.requests).toHaveLength(2);
    expect(outcome.error?.code).toBe('max_cost');
  });

  it('writes down what a call, an instance, an agent and the run cost; what is not known is absent, not 0', async () => {
    const parsed = graphOf('lead > kid, pal', {
      cards: { lead: { model: 'priced' }, kid: { model: 'priced' }, pal: { model: 'mystery' } },
    });
    const calls = ['kid', 'kid', 'pal'].map((name) => ({ tool: `agent__${name}` }));
    const model = scriptedModel({ lead: [{ calls }, 'done'], kid: 'k', pal: 'p' });
    const { sink, log } = await runGraph({ parsed, model, costOf: dollarATokenOf('priced') });
    const cost = ({ costUsd, unpriced }: { costUsd?: number; unpriced?: readonly string[] }) => [costUsd, unpriced];
    expect(sink.of('model.ended').map(({ step, costUsd }) => [step, costUsd])).toEqual([
      ['lead#m1', 15],
      ['lead/kid[1]#m1', 15],
      ['lead/kid[2]#m1', 15],
      ['lead/pal[1]#m1', undefined],
      ['lead#m2', 15],
    ]);
    expect(sink.of('instance.ended').map((event) => [event.path, ...cost(event)])).toEqual([
      ['lead/kid[1]', 15, undefined],
      ['lead/kid[2]', 15, undefined],
      ['lead/pal[1]', undefined, ['mystery']],
      ['lead', 30, undefined],
    ]);
    const [finished] = sink.of('run.finished');
    expect(finished).toMatchObject({ costUsd: 60, unpriced: ['mystery'], usage: { modelCalls: 5 } });
    expect(finished?.agents?.map((agent) => [agent.agentName, agent.usage.modelCalls, ...cost(agent)])).toEqual([
      ['lead', 2, 30, undefined],
      ['kid', 2, 30, undefined],
      ['pal', 1, undefined, ['mystery']],
    ]);

    const cut = log.findIndex((event) => event.kind === 'tool.ended');
    const rest = scriptedModel({ lead: [{ calls }, 'done'], kid: 'k', pal: 'p' });
    const resumed = await runGraph({ parsed, model: rest, costOf: dollarATokenOf('priced'), log: log.slice(0, cut) });
    const sameEnd = (events: typeof log) => events.find((event) => event.kind === 'run.finished');
    expect({ ...sameEnd(resumed.log), seq: 0, at: 0 }).toEqual({ ...sameEnd(log), seq: 0, at: 0 });
  });

  it('counts what was recorded before a crash, and does not repeat the warning', async () => {
    const input = { parsed: lead(40), tools: tools(), costOf: dollarATokenOf('priced') };
    const whole = await runGraph({ ...input, model: scriptedModel({ lead: () => work }) });
    const second = whole.log.findIndex((event) => event.kind === 'model.ended' && event.step === 'lead#m2');
    const model = scriptedModel({ lead: () => work });
    const resumed = await runGraph({ ...input, model, log: whole.log.slice(0, second + 1) });
    expect(model.requests).toHaveLength(1);
    expect(resumed.outcome).toEqual(whole.outcome);

    const unknown = { ...input, parsed: lead(40, 'mystery') };
    const first = await runGraph({ ...unknown, model: scriptedModel({ lead: [work, work, 'done'] }) });
    const cut = first.log.findIndex((event) => event.kind === 'model.ended' && event.step === 'lead#m1');
    const later = await runGraph({
      ...unknown,
      model: scriptedModel({ lead: [work, work, 'done'] }),
      log: first.log.slice(0, cut + 1),
    });
    expect(later.log.filter((event) => event.kind === 'log').map(({ code }) => code)).toEqual(['cost_unknown']);
  });

  it('ends as it did when the log has the decision already', async () => {
    const input = { parsed: lead(40), tools: tools(), costOf: dollarATokenOf('priced') };
    const whole = await runGraph({ ...input, model: scriptedModel({ lead: () => work }) });
    const decided = whole.log.findIndex((event) => event.kind === 'log' && event.code === 'max_cost');
    const model = scriptedModel({});
    const resumed = await runGraph({ ...input, model, log: whole.log.slice(0, decided + 1) });
    expect(model.requests).toEqual([]);
    expect(resumed.outcome).toEqual(whole.outcome);
  });
});

describe('the budget of the project', () => {
  const isSpentAfter = (calls: number) => {
    let asked = 0;
    return async () => {
      asked += 1;
      return asked > calls ? 'The month is used up.' : undefined;
    };
  };

  it('starts no further model call once it is spent, and the log says why', async () => {
    const model = scriptedModel({ lead: () => work });
    const { outcome, log } = await runGraph({
      parsed: graphOf('lead'),
      model,
      tools: tools(),
      findSpentBudget: isSpentAfter(2),
    });
    expect(model.requests).toHaveLength(2);
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { code: 'over_budget', message: 'The month is used up.' },
    });
    expect(log.slice(-3)).toMatchObject([
      { code: 'over_budget' },
      { kind: 'instance.ended' },
      { kind: 'run.finished' },
    ]);
    // A worker that dies before the end is written: the next one finds the decision in the log.
    const again = await runGraph({
      parsed: graphOf('lead'),
      model: scriptedModel({ lead: () => work }),
      tools: tools(),
      log: log.slice(0, -2),
    });
    expect(again.outcome.error).toEqual({ code: 'over_budget', message: 'The month is used up.' });
  });
});
