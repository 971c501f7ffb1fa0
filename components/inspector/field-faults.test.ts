import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { readDocument } from '@/lib/cards/read/read-field';
import { textAt } from '@/lib/editor/document';
import { cardFields } from './card-fields';
import { faultInText, fieldFaults } from './field-faults';
import { fieldPaths } from './field-paths';

function faults(fields: string): Record<string, string> {
  const folder = folderOf({ 'w.md': `---\n${fields}\n---\n`, 'a.md': '---\nname: a\n---\n' });
  const parsed = readFolder(folder);
  const card = parsed.cards.find(({ file }) => file === 'w.md');
  if (card === undefined) throw new Error('The card cannot be read');
  const document = readDocument(textAt(folder, 'w.md') ?? '', 'w.md');
  const paths = fieldPaths(
    document,
    cardFields(card.type).flatMap((group) => group.fields),
  );
  const found = [...fieldFaults(folder, 'w.md', paths, parsed.issues)];
  return Object.fromEntries(found.map(([path, fault]) => [path, fault.message]));
}

test('a required field that is missing is asked for at its control', () => {
  expect(Object.keys(faults('type: evaluator_optimizer\ngenerator: a'))).toEqual(['evaluator']);
  expect(faults('type: MAKER')).toEqual({ worker: "A card of type 'MAKER' needs 'worker'. Add it." });
  expect(faults('type: chain\nsequence: [a]')).toEqual({});
});

test('a missing field is asked for at its control alone', () => {
  expect(faults('type: a2a')).toEqual({ url: "A card of type 'a2a' needs 'url'. Add it." });
  expect(faults('type: chain\nsequence: []')).toEqual({
    sequence: "'sequence' must name at least one agent. Add one.",
  });
});

test('an error belongs to the field that it points into, also inside a list', () => {
  expect(faults('type: chain\nsequence:\n  - a\n  - ghost')).toEqual({
    sequence: expect.stringContaining("'sequence' names agent 'ghost', which does not exist."),
  });
  expect(faults('type: MAKER\nworker: a\nmatch_strategy: fuzzy')).toEqual({
    match_strategy: "'fuzzy' is not a value of 'match_strategy'. Use exact, normalized or structured.",
  });
});

test('a warning stands at its field too, and an issue inside a field belongs to the innermost control', () => {
  expect(faults('name: w\nrequest_params:\n  temperature: -1\n  odd: 2')).toEqual({
    'request_params.temperature':
      "'request_params.temperature' must be at least 0, not the number -1, and is ignored. Correct it.",
    request_params: expect.stringContaining("'odd' is not a request parameter"),
  });
  const schema = 'tool_input_schema:\n  type: object\n  properties:\n    city: { type: string }\n  required: [city]';
  expect(faults(`name: w\n${schema}`)).toEqual({
    'tool_input_schema.properties.city': expect.stringContaining("'city' has no description"),
  });
});

test('the checker reads a text before it is written', () => {
  const text = (field: string) => `---\ntype: MAKER\nworker: ghost\n${field}\n---\n`;
  expect(faultInText('w.md', text('k: 1.5'), ['k'])).toBe(
    "'k' must be an integer, not the number 1.5. Write a whole number without quotes.",
  );
  expect(faultInText('w.md', text('k: 2'), ['k'])).toBeUndefined();
  // Whether the agent exists depends on other files.
  expect(faultInText('w.md', text('k: 2'), ['worker'])).toBeUndefined();
  expect(
    faultInText('callboard.yaml', 'version: 1\ntoolsets: { a: { delegation: { create: often } } }\n', [
      'toolsets',
      'a',
      'delegation',
      'create',
    ]),
  ).toContain("'toolsets.a.delegation.create'");
});
