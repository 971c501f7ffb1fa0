import { describe, expect, it } from 'vitest';
import type { RunEvent } from '@/lib/runtime/record/events';
import { type FakePerson, fakePeople } from '@/lib/testing/fake-people';
import { fakeRemote } from '@/lib/testing/fake-remote';
import { ended, peopleDesk } from '@/lib/testing/people-desk';
import { projectOf } from '@/lib/testing/project-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';

const far = 'type: a2a\nurl: https://far.example:8443/a2a';
const entry = () => projectOf({ far: `${far}\ndefault: true` });
const noModel = () => scriptedModel({});
/** A remote agent that wants to know a day, then a number, and then books a room. */
const rooms = (last?: string) =>
  fakeRemote(
    ({ text }) => {
      if (text === 'Monday') return { states: ['input-required'], asks: 'For how many?' };
      if (text === '3') return { text: 'Room 7 is booked.' };
      return { states: ['working', 'input-required'], asks: 'For which day?' };
    },
    new Map(last === undefined ? [] : [['T1', { text: last, attachments: [] }]]),
  );
const answering: FakePerson = ({ sentence }) => ({
  decision: 'answer',
  content: { answer: sentence.includes('day') ? 'Monday' : '3' },
});

async function ask(person: FakePerson, log: readonly RunEvent[] = [], remote = rooms()) {
  const people = fakePeople(person, [], log);
  const done = await runGraph({ parsed: entry(), model: noModel(), remote, people, onSink: people.watch, log });
  return { ...done, remote, asked: people.asked };
}

const messages = (remote: ReturnType<typeof rooms>) =>
  remote.calls.map(({ text, rejoined, isReply }) => `${text} ${rejoined?.taskId ?? 'new'}${isReply ? ' reply' : ''}`);

describe('a remote agent that asks back', () => {
  it('asks people, and each answer goes to the same task', async () => {
    const { outcome, remote, asked, sink } = await ask(answering);
    expect(outcome).toMatchObject({ status: 'completed', answer: 'Room 7 is booked.' });
    expect(messages(remote)).toEqual(['go new', 'Monday T1 reply', '3 T1 reply']);
    expect(new Set(remote.calls.map(({ messageId }) => messageId)).size).toBe(3);
    expect(asked).toMatchObject([
      {
        what: 'question',
        sentence: "Remote agent 'far (far.example:8443)' asks: For which day?",
        server: { serverName: 'far (far.example:8443)', message: 'For which day?' },
        form: { required: ['answer'] },
      },
      { sentence: "Remote agent 'far (far.example:8443)' asks: For how many?" },
    ]);
    const states = sink.of('workflow.decided').map(({ decision }) => 'state' in decision && decision.state);
    expect(states).toEqual(['working', 'input-required', 'input-required', 'working', 'completed']);
  });

  it.each<[string, FakePerson, string]>([
    [
      'declines',
      () => ({ decision: 'deny', note: 'Not today.' }),
      'The person that was asked did not answer. Reason: Not today.',
    ],
    ['sends it away', () => ({ decision: 'cancel' }), 'The person that was asked did not answer.'],
    ['does not come in time', () => 'expired', 'Nobody answered in time.'],
  ])('fails with what was asked if the person %s', async (_, person, why) => {
    const { outcome, remote } = await ask(person);
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'a2a_input_required' } });
    expect(outcome.error?.message).toBe(`It says: For which day? ${why}`);
    expect(messages(remote)).toEqual(['go new']);
  });

  it('fails as the task says where nobody can be asked', async () => {
    const remote = rooms();
    const { outcome, sink } = await runGraph({ parsed: entry(), model: noModel(), remote });
    expect(outcome.error).toEqual({ code: 'a2a_input_required', message: 'It says: For which day?' });
    expect(sink.of('person.asked')).toEqual([]);
  });

  it('is suspended meanwhile, and goes on in another worker', async () => {
    const remote = rooms();
    const desk = peopleDesk(0);
    let log: readonly RunEvent[] = [];
    const next = async () => {
      const done = await runGraph({ parsed: entry(), model: noModel(), remote, people: desk, log });
      ({ log } = done);
      return done.outcome;
    };
    const answer = (content: string) => {
      const open = log.findLast((event) => event.kind === 'person.asked');
      if (open) desk.end(open.item, ended({ decision: 'answer', content: { answer: content } }));
    };
    expect((await next()).status).toBe('suspended');
    answer('Monday');
    expect((await next()).status).toBe('suspended');
    answer('3');
    expect(await next()).toMatchObject({ status: 'completed', answer: 'Room 7 is booked.' });
    // Each new worker looks at the task first.
    expect(messages(remote)).toEqual(['go new', 'go T1', 'Monday T1 reply', 'go T1', '3 T1 reply']);
  });

  it.each([
    ['did not get', 0],
    ['got', 1],
  ])('goes on wherever it was cut, also if the agent %s an answer whose effect was not recorded', async (_, more) => {
    const said = ['go', 'Monday', '3'];
    const whole = await ask(answering);
    for (let length = 0; length < whole.log.length; length += 1) {
      const cut = whole.log.slice(0, length);
      const states = cut.flatMap((event) =>
        event.kind === 'workflow.decided' && 'state' in event.decision ? [event.decision.state] : [],
      );
      const isAnswered = cut.at(-1)?.kind === 'person.answered';
      const asked = states.filter((state) => state === 'input-required').length;
      const known = states.at(-1) === 'completed' || states.lastIndexOf('working') > 0 ? 2 : Math.max(0, asked - 1);
      const last = states.length === 0 ? undefined : said[known + (isAnswered ? more : 0)];
      const { outcome, log } = await ask(answering, cut, rooms(last));
      expect(outcome, `cut at ${length}`).toMatchObject({ status: 'completed', answer: 'Room 7 is booked.' });
      const sentences = log.flatMap((event) => (event.kind === 'person.asked' ? [event.sentence] : []));
      expect(sentences, `cut at ${length}`).toEqual([...new Set(sentences)]);
    }
  });

  it('asks beside others, each of its own', async () => {
    const parsed = projectOf({ both: 'type: parallel\ndefault: true\nfan_out: [far, near]', far, near: far });
    const people = fakePeople(answering);
    const remote = rooms();
    const { outcome } = await runGraph({ parsed, model: noModel(), remote, people, onSink: people.watch });
    expect(outcome.status).toBe('completed');
    expect(people.asked.map(({ path }) => path).toSorted()).toEqual([
      'both/far[1]',
      'both/far[1]',
      'both/near[1]',
      'both/near[1]',
    ]);
    expect(
      messages(remote)
        .filter((one) => one.startsWith('3'))
        .toSorted(),
    ).toEqual(['3 T1 reply', '3 T2 reply']);
  });
});
