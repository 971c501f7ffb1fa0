import { expect, it } from 'vitest';
import type { Approvals } from '@/lib/cards/approval-settings';
import { textOf } from '@/lib/runtime/record/messages';
import { runtimeTools } from '@/lib/runtime/surface/runtime-tools';
import { type FakePerson, fakePeople } from '@/lib/testing/fake-people';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';

const ask = { tool: '__human_input', arguments: { message: 'Which city?\n(One is enough.)' } };

/** `lead` asks `mid`, who asks a person. */
async function runAsked(person: FakePerson, approvals: Approvals = {}, call: typeof ask | { tool: string } = ask) {
  const parsed = graphOf('lead > mid', { cards: { mid: { humanInput: true } }, settings: { approvals } });
  const people = fakePeople(person);
  const { outcome, sink } = await runGraph({
    parsed,
    model: scriptedModel({
      lead: [{ calls: [{ tool: 'agent__mid', arguments: { text: 'x' } }] }, 'done'],
      mid: [{ calls: [call] }, 'mid done'],
    }),
    tools: { runtime: runtimeTools({ folder: new Map(), parsed, shell: undefined }) },
    people,
    onSink: people.watch,
  });
  expect(outcome.answer).toBe('done');
  const [read] = sink.of('tool.ended').map(({ result }) => [result.errorCode ?? 'ok', textOf(result.content)]);
  return { asked: people.asked, read };
}

it('a question of an agent is an item with a form, and the answer is the result of the call', async () => {
  const { asked, read } = await runAsked(() => ({ decision: 'answer', content: { answer: 'Oslo' } }));
  expect(asked).toMatchObject([
    {
      what: 'input',
      path: 'lead/mid[1]',
      sentence: 'mid asks: Which city? (One is enough.)',
      arguments: { message: 'Which city?\n(One is enough.)' },
      form: { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] },
    },
  ]);
  expect(read).toEqual(['ok', 'Oslo']);
  expect((await runAsked(() => ({ decision: 'answer', content: 'Bergen' }))).read).toEqual(['ok', 'Bergen']);
});

it('declining, silence and a blank question are errors that the model reads', async () => {
  const declined = await runAsked(() => ({ decision: 'deny', note: 'Ask later.' }));
  expect(declined.read).toEqual([
    'APPROVAL_DENIED',
    'Error: The person did not answer. Reason: Ask later. Continue with what you know.',
  ]);
  expect((await runAsked(() => 'expired')).read?.[1]).toBe(
    'Error: Nobody answered in time. Continue with what you know.',
  );
  const blank = await runAsked(() => ({}), {}, { tool: '__human_input' });
  expect([blank.asked, blank.read?.[0]]).toEqual([[], 'INPUT_VALIDATION']);
});

it('the gate does not ask whether a person may be asked, but a rule may deny it', async () => {
  const answers: FakePerson = ({ what }) => (what === 'input' ? { decision: 'answer', content: 'Oslo' } : {});
  const asked = await runAsked(answers, { rules: [{ tools: ['__*'], effect: 'ask' }] });
  expect(asked.asked.map(({ what }) => what)).toEqual(['input']);
  const denied = await runAsked(answers, { rules: [{ tools: ['__human_input'], effect: 'deny' }] });
  expect([denied.asked, denied.read?.[0]]).toEqual([[], 'APPROVAL_BLOCKED']);
});
