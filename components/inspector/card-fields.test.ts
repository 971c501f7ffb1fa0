import { describe, expect, it } from 'vitest';
import { cardTypes, fieldNames } from '@/lib/cards/read/card-fields';
import { parameterRules } from '@/lib/cards/read/read-request-params';
import { settingsFields } from './agent-fields';
import { cardFields } from './card-fields';
import type { CardField, FieldGroup } from './field-kinds';
import { controlOf } from './field-values';
import { functionToolFields } from './function-tool-options';
import { groupFields } from './group-fields';
import { connectionFields } from './server-fields';

/** The form shows these above and between the fields of the table. */
const ownControls = { name: 'text', instruction: 'text of several lines' } as const;

const fieldsOf = (groups: readonly FieldGroup[]) => groups.flatMap(({ fields }) => fields);

describe('the forms of cards', () => {
  it.each(cardTypes)('have a control for every field that a card of type %s may have, and for no other', (type) => {
    const shown = fieldsOf(cardFields(type)).map(({ path }) => String(path[0]));
    expect([...new Set([...shown, ...Object.keys(ownControls)])].sort()).toEqual([...fieldNames(type)].sort());
    const paths = fieldsOf(cardFields(type)).map(({ path }) => path.join('.'));
    expect(new Set(paths).size).toBe(paths.length);
    expect(new Set(cardFields(type).map(({ title }) => title)).size).toBe(cardFields(type).length);
  });

  it('have a field for each request parameter of a known kind; JSON shows the others', () => {
    const known = Object.entries(parameterRules).flatMap(([name, rule]) => (rule === 'any' ? [] : [name]));
    const shown = fieldsOf(cardFields('router')).flatMap(({ path }) =>
      path[0] === 'request_params' && path.length === 2 ? [String(path[1])] : [],
    );
    expect(shown.sort()).toEqual(known.sort());
    for (const field of fieldsOf(cardFields('router'))) {
      const rule = parameterRules[String(field.path[1])];
      if (field.kind === 'choice' && Array.isArray(rule)) expect(field.options).toEqual(rule);
    }
  });

  it('are listed in docs/fields.md', async () => {
    await expect(page()).toMatchFileSnapshot('../../docs/fields.md');
  });
});

/** Returns the page of the documentation. `npx vitest run components/inspector/card-fields -u` writes it. */
function page(): string {
  const rows = new Map<string, { readonly field: CardField; readonly types: string[] }>();
  for (const type of cardTypes) {
    for (const field of fieldsOf(cardFields(type))) {
      const key = `${field.path.join('.')} ${field.label} ${controlOf(field)}`;
      const row = rows.get(key) ?? { field, types: [] };
      row.types.push(type);
      rows.set(key, row);
    }
  }
  const table = [...rows.values()].map(
    ({ field, types }) => `${row(field)} | ${types.length === cardTypes.length ? 'all' : types.join(', ')} |`,
  );
  const part = (title: string, fields: readonly CardField[]) => [
    `## ${title}`,
    '',
    '| field | name in the form | control |',
    '| --- | --- | --- |',
    ...fields.map((field) => `${row(field)} |`),
    '',
  ];
  return [
    '# Fields and their controls',
    '',
    'The inspector shows every field that a card may have. What is typed is checked while it is typed: text that cannot be a value',
    'of the field stays in the form, with the sentence of the checker, and is not written. A form writes only the lines of its',
    'field. This page is made from the table of the forms; a test holds it to that.',
    '',
    '| field | name in the form | control | types of cards |',
    '| --- | --- | --- | --- |',
    `| \`name\` | Name | ${ownControls.name} | all |`,
    `| \`instruction\` | Instruction | ${ownControls.instruction} | all |`,
    ...table,
    '',
    ...part('One entry of `mcp_connect`', [{ kind: 'text', path: ['name'], label: 'Name' }, ...connectionFields]),
    ...part('One function tool, on the wire to it', functionToolFields),
    ...part('What `callboard.yaml` says of an agent', fieldsOf(settingsFields('<agent>'))),
    ...part('One tool group', groupFields),
  ].join('\n');
}

function row(field: CardField): string {
  return `| \`${field.path.join('.')}\` | ${field.label} | ${controlOf(field)}`;
}
