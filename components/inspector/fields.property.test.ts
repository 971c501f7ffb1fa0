import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRecord, type Json } from '@/lib/base/json';
import type { CardType } from '@/lib/cards/card';
import { jsonEdits } from '@/lib/cards/edit/json-edits';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { cardTypes, requiredFields } from '@/lib/cards/read/card-fields';
import { fieldOf, readDocument } from '@/lib/cards/read/read-field';
import type { YamlEdit } from '@/lib/cards/yaml/yaml-edit';
import { fieldEdits } from '@/lib/editor/card-commands';
import { textAt } from '@/lib/editor/document';
import { typedPatterns } from '@/lib/editor/filter-choices';
import { tries } from '@/lib/testing/tries';
import { settingsFields } from './agent-fields';
import { cardFields } from './card-fields';
import { faultInText } from './field-faults';
import { below, type CardField, type FieldGroup } from './field-kinds';
import { setEdit } from './field-place';
import { shownText, textsIn, typedValue } from './field-values';
import { groupFields } from './group-fields';
import { addEdit, moveEdit, removeEdit } from './list-edits';
import { connectionFields } from './server-fields';

/** Every field of every type is set as its control sets it, written into a text, and read back from that text. */

const start = (type: CardType) =>
  folderOf({
    'w.md': `---\ntype: ${type} # the type\nname: w\n${requiredFields[type]
      .map((field) => `${field}: ${field === 'url' ? 'https://example.com' : isList(field) ? '[a]' : 'a'}\n`)
      .join('')}---\nDo it.\n`,
    'a.md': '---\nname: a\n---\n',
    'b.md': '---\nname: b\n---\n',
  });

function isList(field: string): boolean {
  return ['sequence', 'fan_out', 'agents'].includes(field);
}

const word = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/);
/** Texts that YAML reads as something else are among them. */
const line = fc.oneof(
  word,
  fc.constantFrom('yes', 'no', '010', '1:30', '2026-01-01', 'a: b', '# x', '- a', '{{x}}', 'null', '~', "it's", '"q"'),
  fc
    .string({ minLength: 1, maxLength: 20 })
    .filter((text) => text.trim() !== '' && !/[\r\n\u0085\u2028\u2029]/.test(text)),
);
const mapping = fc.dictionary(word, fc.oneof(line, fc.integer({ min: -9, max: 99 }), fc.boolean()), { maxKeys: 3 });

/** Values that the control of a field can set, by its kind. */
function values(field: CardField): fc.Arbitrary<Json> | undefined {
  switch (field.kind) {
    case 'text':
    case 'model':
    case 'secret':
    case 'agent':
      return line;
    case 'lines':
      return fc.array(line, { minLength: 1, maxLength: 3 }).map((all) => all.join('\n'));
    case 'number':
      return fc.integer({ min: 3, max: 50 });
    case 'choice':
      return fc.constantFrom(...field.options.map((option) => (option === 'true' ? true : option)));
    case 'flag':
    case 'yes-no':
      return fc.boolean();
    case 'strings':
      return fc.array(
        fc.string({ minLength: 1, maxLength: 6 }).map((text) => `${text}\n`),
        { minLength: 1, maxLength: 3 },
      );
    case 'pairs':
      return fc.dictionary(word, word, { minKeys: 1, maxKeys: 3 });
    case 'json':
      return mapping;
    case 'parameters':
      return fc.constantFrom<Json>({ temperature: 1, model: 'x', system_prompt: 'Be brief.' }, { top_p: 0.5 });
    case 'schema':
      return fc
        .dictionary(word, fc.constantFrom<Json>({ type: 'string' }, { type: 'array', items: { type: 'integer' } }), {
          minKeys: 1,
          maxKeys: 3,
        })
        .map((properties): Json => ({ type: 'object', properties }));
    default:
      return undefined;
  }
}

function write(folder: ReturnType<typeof start>, file: string, edits: readonly YamlEdit[]): string {
  const edited = fieldEdits(folder, file, edits);
  if (!edited.ok) throw new Error(edited.error.message);
  return edited.value.get(file) ?? textAt(folder, file) ?? '';
}

const fieldsOf = (groups: readonly FieldGroup[]) => groups.flatMap(({ fields }) => fields);
const inSettings = fieldsOf(settingsFields('w')).concat(
  groupFields.map((field) => below(['tool_groups', 'w', 'groups', 'g'], field)),
);
const inConnection = connectionFields.map((field) => below(['mcp_connect', 'far'], field));

const all: readonly (readonly [name: string, type: CardType, file: string, field: CardField])[] = [
  ...cardTypes.flatMap((type) =>
    fieldsOf(cardFields(type))
      .filter(({ path }) => path[0] !== 'type')
      .map((field) => [`${type}: ${field.path.join('.')}`, type, 'w.md', field] as const),
  ),
  ...inConnection.map((field) => [field.path.join('.'), 'agent', 'w.md', field] as const),
  ...inSettings.map((field) => [field.path.join('.'), 'agent', 'callboard.yaml', field] as const),
];

describe('a field that is set in a form', () => {
  const single = all.filter(([, , , field]) => values(field) !== undefined);
  it.each(single)('%s reads back from the text', (_, type, file, field) => {
    const folder = start(type);
    fc.assert(
      fc.property(values(field) ?? fc.constant(null), (value) => {
        const edits =
          field.kind === 'parameters' || field.kind === 'schema'
            ? jsonEdits(field.path, undefined, value)
            : [setEdit(field.path, value)];
        const text = write(folder, file, edits);
        expect(fieldOf(readDocument(text, file), field.path)).toEqual(value);
        expect(shownAgain(field, value)).toEqual(value);
        // The lines of the other fields are as they were.
        const rest = write(new Map([...folder, [file, { kind: 'text', text }]]), file, [
          setEdit(field.path, undefined),
        ]);
        if (
          file === 'w.md' &&
          textAt(folder, file)?.includes(`\n${field.path[0]}:`) === false &&
          field.path.length === 1
        )
          expect(rest).toBe(textAt(folder, file));
      }),
      { numRuns: tries(15) },
    );
  });

  const lists = all.filter(([, , , { kind }]) => ['agents', 'servers', 'words', 'files', 'functions'].includes(kind));
  it.each(lists)('%s keeps its entries in order', (_, type, file, field) => {
    const entries = fc.array(word, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(entries, fc.nat(3), fc.nat(3), (names, from, to) => {
        let folder = start(type);
        const value = () => fieldOf(readDocument(textAt(folder, file) ?? '', file), field.path);
        const edit = (one: YamlEdit) => {
          folder = new Map([...folder, [file, { kind: 'text', text: write(folder, file, [one]) }]]);
        };
        const before = [...textsIn(value())];
        for (const name of names) edit(addEdit(field.path, value(), name));
        const expected = [...before, ...names];
        expect(textsIn(value())).toEqual(expected);
        const [a, b] = [from % expected.length, to % expected.length];
        if (a !== b) edit(moveEdit(field.path, a, b));
        expected.splice(b, 0, ...expected.splice(a, 1));
        expect(textsIn(value())).toEqual(expected);
        edit(removeEdit(field.path, value(), 0, false));
        expect(textsIn(value())).toEqual(expected.slice(1));
      }),
      { numRuns: tries(10) },
    );
  });

  it('has no error of its type, whatever word or number is set', () => {
    for (const [, type, file, field] of single) {
      if (!['choice', 'yes-no', 'number', 'strings', 'pairs'].includes(field.kind)) continue;
      for (const value of fc.sample(values(field) ?? fc.constant(null), { numRuns: 4, seed: 1 })) {
        const target =
          field.path[0] === 'mcp_connect' ? [setEdit(['mcp_connect', 'far', 'target'], 'https://x.dev/mcp')] : [];
        const text = write(start(type), file, [...target, setEdit(field.path, value)]);
        expect([field.path.join('.'), faultInText(file, text, field.path)]).toEqual([field.path.join('.'), undefined]);
      }
    }
  });

  it('is read as the card’s own value', () => {
    const folder = start('agent');
    const text = write(folder, 'w.md', [setEdit(['tools', 'time'], [...typedPatterns('get_*, now')])]);
    const card = readFolder(new Map([...folder, ['w.md', { kind: 'text', text }]])).cards.find(
      ({ name }) => name === 'w',
    );
    expect(card?.type === 'agent' && card.tools.time).toEqual(['get_*', 'now']);
  });
});

/** Returns what a text field would write if its text were typed again. Other controls have no text. */
function shownAgain(field: CardField, value: Json): Json | undefined {
  switch (field.kind) {
    case 'text':
    case 'secret':
    case 'lines':
    case 'number':
    case 'choice':
    case 'yes-no':
    case 'strings':
    case 'json': {
      if (field.kind === 'json' && isRecord(value) && Object.keys(value).length === 0) return value;
      const typed = typedValue(field, shownText(field, value));
      if ('fault' in typed) throw new Error(typed.fault);
      return typed.value;
    }
    default:
      return value;
  }
}
