import { expect, test } from 'vitest';
import { brandAs, type EpochMs } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { filledPlaceholders } from '@/lib/cards/placeholders';
import { readFolder } from '@/lib/cards/project/read-folder';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';
import { previewInstruction } from './instruction-preview';

const now = brandAs<EpochMs>(Date.UTC(2026, 10, 22));

function preview(instruction: string, more: Record<string, string> = {}, fetched?: ReadonlyMap<string, string>) {
  const folder = folderOf({ 'agent-cards/a.md': `---\nname: a\nservers: [time]\n---\n${instruction}`, ...more });
  const [card] = readFolder(folder).cards;
  if (card?.type !== 'agent') throw new Error('No agent');
  return previewInstruction(card, folder, { now, fetched });
}

test('placeholders are filled in as in a run, and what is missing or comes later is told', () => {
  const text = 'I am {{agentName}} on {{currentDate}}. {{file:rules.md}} {{file:gone.md}} {{url:https://a.example/x}}';
  expect(preview(text, { 'rules.md': 'Be kind.' })).toEqual({
    text: 'I am a on 22 November 2026. Be kind.  {{url:https://a.example/x}}',
    isDefault: false,
    notes: [
      '{{file:gone.md}} is not in the project, or holds secrets, and stays empty.',
      'The text at https://a.example/x is read when a run starts.',
    ],
  });
});

test('recorded texts of addresses take their place, and secrets stay out', () => {
  const fetched = new Map([['https://a.example/x', 'Text for {{agentName}}.']]);
  const secrets = { '.env': 'KEY=hush' };
  expect(preview('{{url:https://a.example/x}} {{file:.env}}', secrets, fetched)).toMatchObject({
    text: 'Text for a. ',
    notes: [expect.stringContaining('{{file:.env}}')],
  });
});

test('a card without an instruction has the default one', () => {
  const { isDefault, text, notes } = preview('');
  expect(isDefault).toBe(true);
  expect(text).toContain('The current date is 22 November 2026.');
  expect(notes).toEqual(['What time say about themselves takes the place of {{serverInstructions}}.']);
});

test('every placeholder of the list is filled in, and the preview equals what the model is told', async () => {
  const instruction = `${filledPlaceholders.map(({ name }) => `[{{${name}}}]`).join(' ')}\n`;
  expect(preview(instruction).text).not.toContain('{{');
  const model = scriptedModel({ lead: 'end' });
  const parsed = graphOf('lead', { cards: { lead: { instruction } } });
  await runGraph({ parsed, model });
  const [card] = parsed.cards;
  const told = model.requests[0]?.instruction;
  if (card?.type !== 'agent' || told === undefined) throw new Error('Nothing was asked');
  const day = /\[(\d+ \w+ \d{4})\]/.exec(told)?.[1] ?? '';
  const at = brandAs<EpochMs>(Date.parse(`${day} UTC`));
  expect(previewInstruction(card, new Map(), { now: at }).text).toBe(told);
});
