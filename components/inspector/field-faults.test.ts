import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { cardFields } from './card-fields';
import { fieldFaults } from './field-faults';

function faults(fields: string): Record<string, string> {
  const folder = folderOf({ 'w.md': `---\n${fields}\n---\n`, 'a.md': '---\nname: a\n---\n' });
  const parsed = readFolder(folder);
  const card = parsed.cards.find(({ file }) => file === 'w.md');
  if (card === undefined) throw new Error('The card cannot be read');
  const paths = cardFields(card).flatMap((group) => group.fields.map(({ path }) => path));
  return Object.fromEntries(fieldFaults(folder, 'w.md', paths, parsed.issues));
}

test('a required field that is missing is asked for at its control', () => {
  expect(Object.keys(faults('type: evaluator_optimizer\ngenerator: a'))).toEqual(['evaluator']);
  expect(faults('type: MAKER')).toEqual({ worker: "A card of type 'MAKER' needs 'worker'. Add it." });
  expect(faults('type: chain\nsequence: [a]')).toEqual({});
});

test('an error belongs to the field that it points into, also inside a list', () => {
  expect(faults('type: chain\nsequence:\n  - a\n  - ghost')).toEqual({
    sequence: expect.stringContaining("'sequence' names agent 'ghost', which does not exist."),
  });
  expect(faults('type: MAKER\nworker: a\nmatch_strategy: fuzzy')).toEqual({
    match_strategy: "'fuzzy' is not a value of 'match_strategy'. Use exact, normalized or structured.",
  });
});
