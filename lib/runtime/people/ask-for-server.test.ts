import { describe, expect, it } from 'vitest';
import type { Json } from '@/lib/base/json';
import type { ItemEnd } from '@/lib/base/pending';
import { hasLeft } from '@/lib/base/run-left';
import type { AskedByServer } from '@/lib/runtime/ports';
import type { RunEvent } from '@/lib/runtime/record/events';
import { textOf } from '@/lib/runtime/record/messages';
import { fakeClock } from '@/lib/testing/fake-clock';
import { type FakePerson, fakePeople } from '@/lib/testing/fake-people';
import { type FakeTool, fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { ended } from '@/lib/testing/people-desk';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';

const form = { type: 'object', properties: { account: { type: 'string' } }, required: ['account'] };
const which: AskedByServer = {
  what: 'question',
  server: { serverName: 'bank', message: 'Which account?', waits: true },
  form,
};
const sure: AskedByServer = { ...which, server: { ...which.server, message: 'Are you sure?' } };
const giro: ItemEnd = ended({ decision: 'answer', content: { account: 'giro' } });

/** A server's tool that asks, and gives what it was told. */
function asking(...questions: readonly AskedByServer[]): FakeTool {
  return async (_, { ask }) => {
    const ends = await Promise.all(questions.map(async (one) => await ask?.(one)));
    return JSON.stringify(
      ends.map((end) => (end?.outcome === 'answered' ? (end.answer.content ?? end.answer.decision) : end?.outcome)),
    );
  };
}

const model = () => scriptedModel({ lead: [{ calls: [{ tool: 'bank__pay', arguments: { sum: 5 } }] }, 'done'] });

async function run(tool: FakeTool, person: FakePerson | undefined, log: readonly RunEvent[] = []) {
  const people = person && fakePeople(person, [], log);
  const tools = fakeTools({ bank__pay: tool });
  const done = await runGraph({
    parsed: graphOf('lead'),
    model: model(),
    tools: { mcp: tools },
    log,
    ...(people && { people, onSink: people.watch }),
  });
  const [end] = done.log.flatMap((event) => (event.kind === 'tool.ended' ? [event.result.content[0]] : []));
  return { ...done, calls: tools.calls.length, asked: people?.asked ?? [], told: end?.type === 'text' ? end.text : '' };
}

describe('what a server asks in a call', () => {
  it('is an item that names the server, and its answer goes to the server', async () => {
    const { asked, told, log } = await run(asking(which), () => ({ decision: 'answer', content: { account: 'giro' } }));
    expect(asked).toMatchObject([
      {
        what: 'question',
        step: 'lead#t1.q',
        sentence: "Server 'bank' asks: Which account?",
        server: { serverName: 'bank', message: 'Which account?', waits: true },
        form,
      },
    ]);
    expect(told).toBe('[{"account":"giro"}]');
    expect(log.filter(({ kind }) => kind.startsWith('person.')).map(({ kind }) => kind)).toEqual([
      'person.asked',
      'person.answered',
    ]);
  });

  it('has nobody to ask in a run without people', async () => {
    expect((await run(asking(which), undefined)).told).toBe('[null]');
  });

  it('stops the clocks, and keeps the run in its worker although only a person is waited for', async () => {
    const clock = fakeClock();
    const { outcome, log } = await runGraph({
      parsed: graphOf('lead', { settings: { limits: { run_timeout_ms: 10_000 } } }),
      model: model(),
      tools: { mcp: fakeTools({ bank__pay: asking(which) }) },
      clock,
      people: {
        holdMs: () => 0,
        async answerOf() {
          await clock.sleep(60_000);
          return giro;
        },
      },
    });
    expect(outcome).toMatchObject({ status: 'completed', answer: 'done' });
    expect(log.some(({ kind }) => kind === 'run.suspended')).toBe(false);
    expect(clock.now()).toBeGreaterThanOrEqual(60_000);
  });

  it('may be suspended with the run if the server does not wait', async () => {
    const { waits: _, ...server } = which.server;
    const signals: AbortSignal[] = [];
    const pay: FakeTool = (args, context) => {
      signals.push(context.signal);
      return asking({ ...which, server })(args, context);
    };
    const { outcome, log } = await runGraph({
      parsed: graphOf('lead'),
      model: model(),
      tools: { mcp: fakeTools({ bank__pay: pay }) },
      people: { holdMs: () => 0, answerOf: () => new Promise(() => {}) },
    });
    expect(outcome.status).toBe('suspended');
    expect(log.at(-1)?.kind).toBe('run.suspended');
    // What the server goes on with must not be cancelled there.
    expect(signals.map(hasLeft)).toEqual([true]);
  });

  it('is withdrawn when the server does not wait any longer', async () => {
    const gone = new AbortController();
    const { told, log } = await run(asking({ ...which, signal: gone.signal }), () => {
      gone.abort();
      return undefined;
    });
    expect(told).toBe('["withdrawn"]');
    expect(log).toContainEqual(expect.objectContaining({ kind: 'person.answered', outcome: 'withdrawn' }));
  });

  it('takes no permit when it is withdrawn at the end of its call', async () => {
    const { waits: _, ...server } = which.server;
    const clock = fakeClock();
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const tools = fakeTools({
      async bank__pay(__, { ask }) {
        const gone = new AbortController();
        void ask?.({ ...which, server, signal: gone.signal });
        await begun;
        gone.abort();
        return 'paid';
      },
      async bank__list() {
        begin();
        await clock.sleep(10);
        return 'listed';
      },
      bank__close: () => 'closed',
    });
    const calls = ['bank__pay', 'bank__list', 'bank__close'].map((tool) => ({ tool }));
    const { outcome } = await runGraph({
      parsed: graphOf('lead', { settings: { limits: { max_parallel: 1 } } }),
      model: scriptedModel({ lead: [{ calls }, 'done'] }),
      tools: { mcp: tools },
      clock,
      people: { holdMs: () => 60_000, answerOf: () => new Promise(() => {}) },
    });
    expect(outcome).toMatchObject({ status: 'completed', answer: 'done' });
  });
});

describe('a worker that is killed', () => {
  const cutAfter = (log: readonly RunEvent[], kind: RunEvent['kind'], count = 1) => {
    const places = log.flatMap((event, index) => (event.kind === kind ? [index] : []));
    return log.slice(0, (places[count - 1] ?? 0) + 1);
  };
  const account: FakePerson = () => ({ decision: 'answer', content: { account: 'giro' } });

  it('between the question and its answer: the tool is called again, and the question is the same item', async () => {
    const first = await run(asking(which), account);
    const cut = cutAfter(first.log, 'person.asked');
    const second = await run(asking(which), account, cut);
    expect([second.calls, second.told]).toEqual([1, '[{"account":"giro"}]']);
    expect(second.asked.map(({ item }) => item)).toEqual(first.asked.map(({ item }) => item));
    expect(second.log.filter(({ kind }) => kind === 'person.asked')).toHaveLength(1);
  });

  it('after the answer: the server gets the recorded one, in whatever order it asks now', async () => {
    const person: FakePerson = ({ server }) => ({ decision: 'answer', content: { account: server?.message ?? '' } });
    const first = await run(asking(which, sure), person);
    const second = await run(asking(sure, which), undefined, cutAfter(first.log, 'person.answered', 2));
    // Without people there is no function to ask with, so people who never answer are given.
    expect(second.told).toBe('[null,null]');
    const third = await run(asking(sure, which), () => undefined, cutAfter(first.log, 'person.answered', 2));
    expect(third.told).toBe('[{"account":"Are you sure?"},{"account":"Which account?"}]');
    expect(third.asked).toEqual([]);
  });

  it('a question with another text or another form is asked anew', async () => {
    const first = await run(asking(which), account);
    const cut = cutAfter(first.log, 'person.answered');
    const other = { ...which, form: { type: 'object', properties: {} } };
    for (const question of [sure, other]) {
      const second = await run(asking(question), account, cut);
      expect(second.asked).toHaveLength(1);
      expect(second.asked[0]?.item).not.toBe(first.asked[0]?.item);
    }
  });

  it('the answer to a call that has ended does not answer a later call', async () => {
    const again = scriptedModel({
      lead: [{ calls: [{ tool: 'bank__pay' }] }, { calls: [{ tool: 'bank__pay' }] }, 'done'],
    });
    const people = fakePeople(account);
    const { log } = await runGraph({
      parsed: graphOf('lead'),
      model: again,
      tools: { mcp: fakeTools({ bank__pay: asking(which) }) },
      people,
      onSink: people.watch,
    });
    expect(people.asked).toHaveLength(2);
    const later = fakePeople(account, [], cutAfter(log, 'tool.started', 2));
    await runGraph({
      parsed: graphOf('lead'),
      model: again,
      tools: { mcp: fakeTools({ bank__pay: asking(which) }) },
      people: later,
      onSink: later.watch,
      log: cutAfter(log, 'tool.started', 2),
    });
    expect(later.asked).toHaveLength(1);
  });
});

it('what a call keeps is read by the worker that takes it over, also when its server asked nothing, and by no new call', async () => {
  const kept = new Map<string, Json>();
  const reads: string[] = [];
  const people = (log: readonly RunEvent[] = []) => ({
    ...fakePeople(() => undefined, [], log),
    keptFor: (step: string) => ({
      read: async () => {
        reads.push(step);
        return kept.get(step);
      },
      write: async (value: Json | undefined) => void (value === undefined ? kept.delete(step) : kept.set(step, value)),
    }),
  });
  const tools = fakeTools({
    async own__long(_, context) {
      const before = await context.kept?.read();
      await context.kept?.write('task 7');
      return `kept ${JSON.stringify(before)}`;
    },
  });
  const model = () => scriptedModel({ lead: [{ calls: [{ tool: 'own__long' }] }, 'end'] });
  const first = await runGraph({ parsed: graphOf('lead'), model: model(), tools: { mcp: tools }, people: people() });
  expect(first.sink.of('tool.ended').map(({ result }) => textOf(result.content))).toEqual(['kept undefined']);
  expect(reads).toEqual([]);
  const cut = first.log.slice(
    0,
    first.log.findIndex(({ kind }) => kind === 'tool.ended'),
  );
  const second = await runGraph({
    ...{ parsed: graphOf('lead'), model: model(), tools: { mcp: tools }, people: people(cut), log: cut },
  });
  expect(second.sink.of('tool.ended').map(({ result }) => textOf(result.content))).toEqual(['kept "task 7"']);
  expect(reads).toEqual(['lead#t1']);
});
