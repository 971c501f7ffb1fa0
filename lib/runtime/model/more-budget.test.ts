import { expect, it } from 'vitest';
import type { RunEvent } from '@/lib/runtime/record/events';
import { type FakePerson, fakePeople } from '@/lib/testing/fake-people';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';

const work = { calls: [{ tool: 'box__work' }] };
const kids = { calls: [1, 2].map((n) => ({ tool: 'agent__kid', arguments: { text: `part ${n}` } })) };

/** Each model call costs 15 dollars and uses 15 tokens. */
function runSpending(person: FakePerson, limits: object, log: readonly RunEvent[] = []) {
  const people = fakePeople(person, [], log);
  const model = scriptedModel({ lead: [kids, 'done'], kid: [work, 'kid done'] });
  const given = { priced: { model: 'priced' } };
  const parsed = graphOf('lead > kid', {
    cards: { lead: given.priced, kid: given.priced },
    settings: { limits: { when_spent: 'ask', ...limits } },
  });
  return runGraph({
    parsed,
    model,
    tools: { mcp: fakeTools({ box__work: () => 'ok' }) },
    costOf: (usage) => usage.inputTokens + usage.outputTokens,
    people,
    onSink: people.watch,
    log,
  }).then((run) => ({ ...run, asked: people.asked, requests: model.requests }));
}

it('a spent budget asks once for all instances, and approving adds the limit once more', async () => {
  const { outcome, asked, requests } = await runSpending(() => ({}), { max_cost_usd: 40 });
  expect(asked).toMatchObject([
    {
      what: 'budget',
      path: 'lead',
      sentence: 'The run has used $45 of its $40. May it use more?',
      arguments: { limit: 'max_cost_usd', allowed: 40, spent: 45 },
      form: { properties: { raise: { default: 40 } } },
    },
  ]);
  expect(requests).toHaveLength(6);
  expect(outcome.answer).toBe('done');
});

it('an answer adds what it names, and asks again when that is spent', async () => {
  const { outcome, asked } = await runSpending(() => ({ decision: 'answer', content: { raise: 20 } }), {
    max_tokens: 40,
  });
  expect(asked.map(({ sentence }) => sentence)).toEqual([
    'The run has used 45 tokens of its 40 tokens. May it use more?',
    'The run has used 75 tokens of its 60 tokens. May it use more?',
  ]);
  expect(outcome.answer).toBe('done');
});

it('a denial, an answer that is no number, and nobody to ask stop the run as without the setting', async () => {
  const denied = await runSpending(() => ({ decision: 'deny' }), { max_cost_usd: 40 });
  expect(denied.outcome.error?.code).toBe('max_cost');
  const odd = await runSpending(() => ({ decision: 'answer', content: { raise: -5 } }), { max_cost_usd: 40 });
  expect([odd.outcome.error?.code, odd.asked.length]).toEqual(['max_cost', 1]);
  const stopped = await runSpending(() => ({}), { max_cost_usd: 40, when_spent: 'stop' });
  expect([stopped.outcome.error?.code, stopped.asked]).toEqual(['max_cost', []]);
});

it('a run that is cut anywhere asks the same once', async () => {
  const person: FakePerson = () => ({ decision: 'answer', content: { raise: 20 } });
  const whole = await runSpending(person, { max_cost_usd: 40 });
  for (let length = 0; length < whole.log.length; length += 1) {
    const { outcome, log } = await runSpending(person, { max_cost_usd: 40 }, whole.log.slice(0, length));
    const where = `cut after ${length}`;
    expect(outcome.answer, where).toBe('done');
    const items = log.flatMap((event) => (event.kind === 'person.answered' ? [event.item] : []));
    expect(new Set(items).size, where).toBe(items.length);
    expect(items, where).toHaveLength(2);
  }
});
