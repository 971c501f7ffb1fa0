import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FolderDraft } from '@/lib/cards/edit/draft';
import { fieldOf, readDocument } from '@/lib/cards/read/read-field';
import type { YamlEdit } from '@/lib/cards/yaml/yaml-edit';
import { faultInText } from './field-faults';
import {
  addProperty,
  enumLines,
  nameFault,
  propertiesOf,
  propertyPaths,
  removeProperty,
  renameProperty,
  schemaTypes,
  setEnum,
  setRequired,
  setType,
  typeOf,
} from './schema-edits';

const at = ['tool_input_schema'];
const head = '---\nname: w\n';

function open(yaml: string) {
  let text = `${head}${yaml}---\n`;
  return {
    text: () => text,
    schema: (path: readonly (string | number)[] = at) => fieldOf(readDocument(text, 'w.md'), path),
    edit(edits: readonly YamlEdit[]) {
      const draft = new FolderDraft(new Map([['w.md', { kind: 'text', text }]]));
      for (const edit of edits) draft.card('w.md', edit);
      const changes = draft.changes();
      if (!changes.ok) throw new Error(changes.error.message);
      text = changes.value.get('w.md') ?? text;
    },
  };
}

it('the first property makes the schema, and the last one takes it along', () => {
  const card = open('');
  card.edit(addProperty(at, card.schema()).edits);
  expect(card.schema()).toEqual({ type: 'object', properties: { value: { type: 'string' } } });
  card.edit(addProperty(at, card.schema()).edits);
  expect(propertiesOf(card.schema()).map(({ name }) => name)).toEqual(['value', 'value_2']);
  card.edit(setRequired(at, card.schema(), 'value_2', true));
  card.edit(removeProperty(at, card.schema(), 'value_2', true));
  expect(card.schema()).toEqual({ type: 'object', properties: { value: { type: 'string' } } });
  card.edit(removeProperty(at, card.schema(), 'value', true));
  expect(card.text()).toBe(`${head}---\n`);
});

it('a rename keeps place, comments and the requirement', () => {
  const yaml = (name: string) =>
    `tool_input_schema:\n  type: object\n  properties:\n    ${name}: # where\n      type: string\n    day: { type: string }\n  required: [day, ${name}]\n`;
  const card = open(yaml('city'));
  card.edit(renameProperty(at, card.schema(), 'city', 'town'));
  expect(card.text()).toBe(`${head}${yaml('town')}---\n`);
  expect(renameProperty(at, card.schema(), 'town', 'day')).toEqual([]);
  expect(nameFault(card.schema(), 'town', 'day')).toBe("There is a property 'day' already.");
  expect(nameFault(card.schema(), 'town', '')).toBe('Give the property a name.');
});

it('another type removes what only the former type has, and keeps the rest', () => {
  const card = open('tool_input_schema: { type: object, properties: { a: { type: string, enum: [x], title: A } } }\n');
  const path = [...at, 'properties', 'a'];
  expect(enumLines(card.schema(path))).toBe('x');
  card.edit(setEnum(path, card.schema(path), 'x\n\n y \nx'));
  expect(card.schema(path)).toEqual({ type: 'string', enum: ['x', 'y'], title: 'A' });
  card.edit(setType(path, card.schema(path), 'array'));
  expect(card.schema(path)).toEqual({ type: 'array', title: 'A', items: { type: 'string' } });
  card.edit(setType([...path, 'items'], card.schema([...path, 'items']), 'object'));
  card.edit(addProperty([...path, 'items'], card.schema([...path, 'items'])).edits);
  expect(propertyPaths(at, card.schema())).toEqual([path, [...path, 'items', 'properties', 'value']]);
  card.edit(setType(path, card.schema(path), undefined));
  expect(typeOf(card.schema(path))).toBeUndefined();
});

it('whatever is built is a schema that the checker accepts', () => {
  const step = fc.record({
    do: fc.constantFrom('add', 'remove', 'rename', 'require', 'type', 'enum'),
    which: fc.nat(4),
    name: fc.constantFrom('a', 'b', 'on', '12', 'a b'),
    type: fc.constantFrom(...schemaTypes),
    on: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const card = open('');
      for (const one of steps) {
        const schema = card.schema();
        const list = propertiesOf(schema);
        const property = list[one.which % Math.max(1, list.length)];
        if (one.do === 'add' || property === undefined) card.edit(addProperty(at, schema).edits);
        else if (one.do === 'remove') card.edit(removeProperty(at, schema, property.name, true));
        else if (one.do === 'rename') card.edit(renameProperty(at, schema, property.name, one.name));
        else if (one.do === 'require') card.edit(setRequired(at, schema, property.name, one.on));
        else if (one.do === 'type') card.edit(setType([...at, 'properties', property.name], property.schema, one.type));
        else if (typeOf(property.schema) === 'string')
          card.edit(setEnum([...at, 'properties', property.name], property.schema, 'x\ny'));
        expect(faultInText('w.md', card.text(), at)).toBeUndefined();
      }
    }),
    { numRuns: 60 },
  );
});
