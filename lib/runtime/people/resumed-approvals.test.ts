import { expect, it } from 'vitest';
import type { PersonAnswer } from '@/lib/base/pending';
import { folderOf } from '@/lib/cards/files';
import type { RunEvent } from '@/lib/runtime/record/events';
import { fakeHooks } from '@/lib/testing/fake-hooks';
import { type Asked, fakePeople } from '@/lib/testing/fake-people';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { ended, type PeopleDesk, peopleDesk } from '@/lib/testing/people-desk';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';

const mail = (to: string) => ({ tool: 'mail__send', arguments: { to, password: 'x1' } });
const parsed = graphOf('lead > kid', {
  settings: {
    approvals: { attachments: 'ask', rules: [{ tools: ['mail__*', 'agent__kid'], effect: 'ask' }] },
    delegations: { lead: { kid: { attachments: { max: 2 } } } },
  },
});

/** Approves Ann and the child, denies Bo, and changes Cy. */
function answerOf({ arguments: args }: Asked): Partial<PersonAnswer> {
  const text = JSON.stringify(args);
  if (text.includes('"bo"')) return { decision: 'deny', note: 'Not Bo.' };
  if (text.includes('"cy"')) return { decision: 'edit', arguments: { to: 'dan', password: '[redacted]' } };
  if (text.includes('look')) return { decision: 'edit', arguments: { text: 'look well', attachments: ['a.txt'] } };
  return {};
}

async function runCut(log: readonly RunEvent[], desk?: PeopleDesk) {
  const tools = fakeTools({ mail__send: ({ to, password }) => `sent to ${String(to)} with ${String(password)}` });
  const people = fakePeople(answerOf, [], log);
  const model = scriptedModel({
    lead: [
      {
        calls: [
          mail('ann'),
          mail('bo'),
          { tool: 'agent__kid', arguments: { text: 'look', attachments: ['a.txt', 'b.txt'] } },
          mail('cy'),
        ],
      },
      'done',
    ],
    kid: [{ calls: [mail('eve')] }, 'kid done'],
  });
  const run = await runGraph({
    parsed,
    folder: folderOf({ 'a.txt': 'A', 'b.txt': 'B' }),
    model,
    tools: { mcp: tools },
    people: desk ?? people,
    onSink: people.watch,
    log,
  });
  return {
    ...run,
    calls: tools.calls,
    asked: people.asked,
    kid: model.requests.find((one) => one.agentName === 'kid'),
  };
}

const endsOf = (log: readonly RunEvent[]) =>
  log
    .flatMap((event) => (event.kind === 'tool.ended' ? [[event.step, event.result] as const] : []))
    .sort(([a], [b]) => (a < b ? -1 : 1));

it('a run that is cut anywhere ends the same, asks nothing twice and runs no tool twice that has ended', async () => {
  const whole = await runCut([]);
  expect(whole.outcome.answer).toBe('done');
  expect(whole.calls.map(({ args }) => args.to).sort()).toEqual(['ann', 'dan', 'eve']);
  expect(whole.calls.every(({ args }) => args.password === 'x1')).toBe(true);
  expect(whole.asked).toHaveLength(7);
  for (let length = 0; length < whole.log.length; length += 1) {
    const cut = whole.log.slice(0, length);
    const again = await runCut(cut);
    const where = `cut after ${length}`;
    expect(again.outcome.answer, where).toBe('done');
    expect(endsOf(again.log), where).toEqual(endsOf(whole.log));
    const ended = new Set(cut.flatMap((event) => (event.kind === 'tool.ended' ? [event.step] : [])));
    expect(
      again.calls.filter(({ step }) => ended.has(step as never)),
      where,
    ).toEqual([]);
    for (const kind of ['person.asked', 'person.answered'] as const) {
      const items = again.log.flatMap((event) => (event.kind === kind ? [event.item] : []));
      expect(new Set(items).size, `${where}: ${kind}`).toBe(items.length);
      expect(items, `${where}: ${kind}`).toHaveLength(7);
    }
    if (again.kid) {
      expect(again.kid.messages[0], where).toMatchObject({ content: [{ text: 'look well' }, { uri: 'a.txt' }] });
    }
  }
});

it.each([
  ['the first', (open: readonly Asked[]) => open[0]],
  ['the last', (open: readonly Asked[]) => open.at(-1)],
])('a run that is suspended for each answer ends the same, when %s question is answered', async (_, next) => {
  const whole = await runCut([]);
  const desk = peopleDesk(0);
  const ran: string[] = [];
  let log: readonly RunEvent[] = [];
  let stints = 0;
  for (; stints < 20; stints += 1) {
    const run = await runCut(log, desk);
    ran.push(...run.calls.map(({ step }) => step));
    log = run.log;
    if (run.outcome.status !== 'suspended') break;
    const ends = new Set(log.flatMap((event) => (event.kind === 'person.answered' ? [event.item] : [])));
    const question = next(
      log.filter((event): event is Asked => event.kind === 'person.asked' && !ends.has(event.item)),
    );
    if (!question) throw new Error('A suspended run has an open question.');
    desk.end(question.item, ended(answerOf(question)));
  }
  expect(stints).toBe(7);
  expect(endsOf(log)).toEqual(endsOf(whole.log));
  expect(ran.toSorted()).toEqual(whole.calls.map(({ step }) => step).toSorted());
  expect(new Set(ran).size).toBe(ran.length);
});

it('a hook that repeats a call asks once, and what a person changed runs each time', async () => {
  let count = 0;
  const tools = fakeTools({
    mail__send: () => {
      count += 1;
      return count === 1
        ? { content: [{ type: 'text', text: 'busy' }], isError: true, errorCode: 'TOOL_FAILED' }
        : 'sent';
    },
  });
  const people = fakePeople(() => ({ decision: 'edit', arguments: { to: 'bo' } }));
  const { sink } = await runGraph({
    parsed: graphOf('lead', {
      settings: {
        approvals: { rules: [{ tools: ['mail__*'], effect: 'ask' }] },
        run_hooks: [
          { kind: 'retry', attempts: 2, delay_ms: 1, factor: 1, max_delay_ms: 1, on: ['TOOL_FAILED'], when: undefined },
        ],
      },
    }),
    model: scriptedModel({ lead: [{ calls: [{ tool: 'mail__send', arguments: { to: 'ann' } }] }, 'done'] }),
    tools: { mcp: tools },
    hooks: fakeHooks({}),
    people,
    onSink: people.watch,
  });
  expect(tools.calls.map(({ args }) => args)).toEqual([{ to: 'bo' }, { to: 'bo' }]);
  expect(sink.of('person.asked')).toHaveLength(1);
});

it('people see the arguments after hooks, and nobody is asked about a call that a hook answers', async () => {
  const people = fakePeople(() => ({}));
  const tools = fakeTools({ mail__send: () => 'sent', mail__draft: () => 'drafted' });
  const when = (tool: string) => ({ when: { tool } });
  await runGraph({
    parsed: graphOf('lead', {
      settings: {
        approvals: { default: 'ask' },
        run_hooks: [
          { kind: 'default', argument: 'copy', value: 'boss', ...when('mail__send') },
          { kind: 'block', ...when('mail__draft') },
        ],
      },
    }),
    model: scriptedModel({
      lead: [{ calls: [{ tool: 'mail__send', arguments: { to: 'ann' } }, { tool: 'mail__draft' }] }, 'done'],
    }),
    tools: { mcp: tools },
    hooks: fakeHooks({}),
    people,
    onSink: people.watch,
  });
  expect(people.asked.map(({ arguments: args }) => args)).toEqual([{ to: 'ann', copy: 'boss' }]);
  expect(tools.calls.map(({ name, args }) => [name, args])).toEqual([['mail__send', { to: 'ann', copy: 'boss' }]]);
});
