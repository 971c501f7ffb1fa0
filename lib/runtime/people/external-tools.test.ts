import { expect, it } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { textOf } from '@/lib/runtime/record/messages';
import { runtimeTools } from '@/lib/runtime/surface/runtime-tools';
import { type FakePerson, fakePeople } from '@/lib/testing/fake-people';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';

const cards = {
  'lead.md': '---\nname: lead\ndefault: true\nmodel: test-model\nagents: [clerk]\n---\nLead.\n',
  'clerk.md': '---\nname: clerk\nmodel: test-model\n---\nHelp.\n',
};
const settings = `version: 1
external_tools:
  book_room:
    description: Book a room.
    agents: [clerk]
    input_schema: { type: object, properties: { day: { type: string } }, required: [day] }
    result_schema: { type: object, properties: { room: { type: integer } }, required: [room] }
  remember:
    description: Note it.
    agents: [clerk]
`;

/** `lead` asks `clerk`, who makes one call. */
async function runAsked(person: FakePerson | undefined, call: { tool: string; arguments?: Record<string, unknown> }) {
  const parsed = readFolder(folderOf({ ...cards, 'callboard.yaml': settings }));
  expect(parsed.issues).toEqual([]);
  const people = person && fakePeople(person);
  const { sink, outcome } = await runGraph({
    parsed,
    model: scriptedModel({
      lead: [{ calls: [{ tool: 'agent__clerk', arguments: { text: 'x' } }] }, 'done'],
      clerk: [{ calls: [call] }, 'clerk done'],
    }),
    tools: { runtime: runtimeTools({ folder: new Map(), parsed, shell: undefined }) },
    ...(people && { people, onSink: people.watch }),
  });
  expect(outcome.answer).toBe('done');
  const result = sink.of('tool.ended')[0]?.result;
  return { asked: people?.asked ?? [], read: [result?.errorCode ?? 'ok', textOf(result?.content ?? [])], result };
}

const book = { tool: 'book_room', arguments: { day: 'Monday' } };

it('the answer of a person is the result of a tool without code', async () => {
  const { asked, read, result } = await runAsked(() => ({ decision: 'answer', content: { room: 7 } }), book);
  expect(asked).toMatchObject([
    {
      what: 'external',
      path: 'lead/clerk[1]',
      sentence: `Give the result: Call tool 'book_room' with input: {"day":"Monday"}`,
      arguments: { day: 'Monday' },
      form: { properties: { room: { type: 'integer' } } },
    },
  ]);
  expect(read).toEqual(['ok', '{"room":7}']);
  expect(result?.structuredContent).toEqual({ room: 7 });
  const noted = await runAsked(() => ({ decision: 'answer', content: { answer: 'noted' } }), { tool: 'remember' });
  expect(noted.read).toEqual(['ok', 'noted']);
});

it('a refusal, a result that does not fit, wrong arguments and nobody to ask are errors', async () => {
  const denied = await runAsked(() => ({ decision: 'deny', note: 'Full.' }), book);
  expect(denied.read[0]).toBe('APPROVAL_DENIED');
  expect(denied.read[1]).toContain('Reason: Full.');
  const odd = await runAsked(() => ({ decision: 'answer', content: { room: 'seven' } }), book);
  expect(odd.read[0]).toBe('OUTPUT_VALIDATION');
  const wrong = await runAsked(() => ({}), { tool: 'book_room', arguments: { day: 1 } });
  expect([wrong.read[0], wrong.asked]).toEqual(['INPUT_VALIDATION', []]);
  expect((await runAsked(undefined, book)).read[0]).toBe('NOT_ALLOWED');
});

it('external tools are checked: their names, their agents, and clashes with other tools', () => {
  const issues = (text: string, clerk = cards['clerk.md']) =>
    readFolder(folderOf({ ...cards, 'clerk.md': clerk, 'callboard.yaml': text })).issues.map(({ code }) => code);
  expect(issues(settings.replace('book_room', 'book room'))).toEqual(['settings-invalid']);
  expect(issues(settings.replace('[clerk]', '[clark]'))).toEqual(['settings-unknown-agent']);
  const own = '---\nname: clerk\nmodel: test-model\nfunction_tools: [t.py:remember]\n---\nHelp.\n';
  const clash = readFolder(
    folderOf({ ...cards, 'clerk.md': own, 't.py': 'def remember():\n    return 1\n', 'callboard.yaml': settings }),
  );
  expect(clash.issues.map(({ code }) => code)).toContain('tool-name-clash');
});
