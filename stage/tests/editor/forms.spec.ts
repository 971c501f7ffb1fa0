import type { Page } from '@playwright/test';
import { node } from '@/e2e/canvas';
import { expectSavedFiles, seriousFaults, showPanel } from '@/e2e/pages';
import { expect, type Stage, test } from '../stage';

/** The forms of cards: references are picked or created, a schema is built, and what is no value is not written. */

const lead = (fields = '') => ({ 'agent-cards/lead.md': `---\nname: lead\ndefault: true\n${fields}---\nLead.\n` });
const files: Record<string, string> = {
  ...lead(),
  'agent-cards/writer.md': '---\nname: writer\ndescription: Drafts the text\n---\nWrite.\n',
  'history/start.md': '---USER\nHello\n',
  'skills/law/SKILL.md': '---\nname: law\n---\nRead the law.\n',
};

test.beforeEach(async ({ page, stage }) => {
  await stage.openEditor(files);
  await node(page, 'agent:lead').click();
  await showPanel(page, 'Inspector');
});

test('a child is found by typing, another is created on the spot, and one undo takes it back @phone-full', async ({
  page,
  stage,
}) => {
  const children = page.getByRole('combobox', { name: 'Child agents' });
  await children.focus();
  await page.keyboard.press('d');
  const list = page.getByRole('listbox', { name: 'Child agents' });
  await expect(list.getByRole('option', { name: 'writer' })).toHaveAccessibleDescription('Drafts the text');
  expect(await seriousFaults(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(list.getByRole('option', { name: 'writer' })).toHaveAttribute('aria-selected', 'true');
  const search = page.getByRole('combobox', { name: 'Child agents' });
  await search.fill('critic');
  await page.keyboard.press('Enter');
  await expect(list).toHaveCount(0);
  await expect(children).toBeFocused();
  const critic = { 'agent-cards/critic.md': '---\ntype: agent\nname: critic\n---\n' };
  await expectSaved(page, stage, { ...lead('agents:\n  - writer\n  - critic\n'), ...critic });
  await page.keyboard.press('ControlOrMeta+z');
  await expectSaved(page, stage, { ...lead('agents:\n  - writer\n'), 'agent-cards/critic.md': undefined });
});

test('the input schema is built by hand or as JSON, and both write the same @full', async ({ page, stage }) => {
  await page.getByRole('button', { name: 'Input schema' }).click();
  await page.getByRole('button', { name: 'Add property' }).click();
  const name = page.getByRole('textbox', { name: 'Property name' });
  await expect(name).toBeFocused();
  await name.fill('city');
  await name.press('Enter');
  await page.getByRole('checkbox', { name: 'city is required' }).click();
  await expect(page.getByText("Required property 'city' has no description")).toBeVisible();
  await page.getByRole('textbox', { name: 'Description of city' }).fill('Where');
  await page.keyboard.press('Tab');
  await page.getByRole('textbox', { name: 'Allowed words of city' }).fill('NY\nLondon');
  await page.keyboard.press('Tab');
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Show JSON' }).click();
  const json = page.getByRole('textbox', { name: 'Tool input schema as JSON' });
  await expect(json).toHaveValue(
    JSON.stringify(
      {
        type: 'object',
        properties: { city: { type: 'string', description: 'Where', enum: ['NY', 'London'] } },
        required: ['city'],
      },
      null,
      2,
    ),
  );
  await json.fill('{ "type": "text" }');
  await expect(page.getByText("'type' must be object")).toBeVisible();
  await json.press('Escape');
  await expect(json).toHaveValue(/"type": "object"/);
  const schema = `tool_input_schema:
  type: object
  properties:
    city:
      type: string
      description: Where
      enum:
        - NY
        - London
  required:
    - city
`;
  await expectSaved(page, stage, lead(schema));
});

test('workers, skills and history files are picked; a number that is none stays in the form', async ({
  page,
  stage,
}) => {
  await page.getByRole('textbox', { name: 'Max tokens' }).fill('many');
  await expect(page.getByText("'many' is not a number, so it is not written.")).toBeVisible();
  await page.getByRole('textbox', { name: 'Max tokens' }).fill('1.5');
  await expect(page.getByText("'request_params.max_tokens' must be an integer, not the number 1.5.")).toBeVisible();
  await page.getByRole('textbox', { name: 'Max tokens' }).fill('500');
  for (const [group, field, option] of [
    ['Workers', 'Allow workers', 'writer'],
    ['Skills', 'Skill directories', 'skills'],
    ['History', 'Messages', 'history/start.md'],
  ] as const) {
    await page.getByRole('button', { name: group, exact: true }).click();
    await page.getByRole('combobox', { name: field, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
    await page.keyboard.press('Escape');
  }
  expect(await seriousFaults(page)).toEqual([]);
  await expectSaved(page, stage, {
    ...lead('skills:\n  - skills\nrequest_params:\n  max_tokens: 500\nmessages:\n  - ../history/start.md\n'),
    'callboard.yaml': 'version: 1\ntoolsets:\n  lead:\n    delegation:\n      allow_workers:\n        - writer\n',
  });
});

/** Saves what was changed. The folder then holds the files of the project, except these. */
async function expectSaved(page: Page, stage: Stage, changed: Record<string, string | undefined>): Promise<void> {
  const all = Object.entries({ ...files, ...changed }).filter(
    (file): file is [string, string] => file[1] !== undefined,
  );
  await expectSavedFiles(page, () => stage.savedFiles(), Object.fromEntries(all));
}
