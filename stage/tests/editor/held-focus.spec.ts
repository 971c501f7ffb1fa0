import type { Page } from '@playwright/test';
import { node } from '@/e2e/canvas';
import { expectSavedFiles } from '@/e2e/pages';
import { expect, test } from '../stage';

/** What a person types stays theirs: others who save or edit, and names that files follow, take neither focus nor text. */

const files = {
  'agent-cards/kid.md': '---\nname: kid\n---\nHelp.\n',
  'agent-cards/lead.md': '---\nname: lead\ndefault: true\nagents: [kid]\n---\nLead.\n',
};
const instruction = (page: Page) => page.getByRole('textbox', { name: 'Instruction' });

test('a typed space stays when others save', async ({ page, stage }) => {
  await stage.openEditor(files);
  await node(page, 'agent:kid').click();
  await instruction(page).click();
  await page.keyboard.press('ControlOrMeta+End');
  await stage.saveElsewhere({ 'agent-cards/lead.md': files['agent-cards/lead.md'].replace('Lead.', 'Lead well.') });
  await page.keyboard.type(' Be kind ');
  await page.keyboard.press('ControlOrMeta+s');
  await expect
    .poll(() => stage.savedFiles())
    .toEqual({
      'agent-cards/kid.md': '---\nname: kid\n---\nHelp. Be kind\n',
      'agent-cards/lead.md': '---\nname: lead\ndefault: true\nagents: [kid]\n---\nLead well.\n',
    });
  await expect(instruction(page)).toHaveValue('Help. Be kind ');
  await page.keyboard.type('always.');
  await expect(instruction(page)).toHaveValue('Help. Be kind always.');
});

test('keys typed in a field that goes, or in a locked one, do nothing on the canvas @full', async ({ page, stage }) => {
  await stage.openEditor(files);
  await node(page, 'agent:kid').click();
  await instruction(page).click();
  await page.keyboard.type('x');
  // Something else locks the field, as a dialog of the page does.
  await page.locator('section[aria-label="Inspector"]').evaluate((panel) => panel.setAttribute('inert', ''));
  await page.keyboard.type('n');
  await page.keyboard.press('Delete');
  await expect(page.getByRole('combobox', { name: /^Add/ })).toHaveCount(0);
  await expect(node(page, 'agent:kid')).toBeVisible();

  const box = await instruction(page).boundingBox();
  if (box === null) throw new Error('The field is not on the page.');
  await page.mouse.click(box.x + 10, box.y + 10);
  await page.keyboard.press('Delete');
  await expect(node(page, 'agent:kid')).toBeVisible();
  // The canvas has the keys again after a click on it.
  await node(page, 'agent:kid').click();
  await page.keyboard.press('Delete');
  await expect(node(page, 'agent:kid')).toHaveCount(0);
});

test('a field that has the focus is not locked by others, and a locked one gives no key to the canvas', async ({
  page,
  stage,
}) => {
  await stage.openEditor(files);
  await node(page, 'agent:kid').click();
  const bo = { id: 'w2', name: 'Bo', you: false, draft: 'main', since: 1, page: 'editor', selected: ['agent:kid'] };
  const seeBo = (editing?: string) =>
    page.evaluate(
      (person) => {
        window.stage?.sendTo('/api/v1/projects/desk/presence', { people: [person], version: 1 });
      },
      { ...bo, editing },
    );
  await instruction(page).click();
  await page.keyboard.press('ControlOrMeta+End');
  await seeBo('agent:kid#Instruction');
  await expect(page.getByText('Bo is editing this.')).toBeVisible();
  await page.keyboard.type(' More.');
  await expect(instruction(page)).toHaveValue('Help. More.');
  await expect(instruction(page)).toBeFocused();

  const box = await instruction(page).boundingBox();
  if (box === null) throw new Error('The field is not on the page.');
  await page.getByRole('textbox', { name: 'Description', exact: true }).click();
  await page.mouse.click(box.x + 10, box.y + 10);
  await expect(instruction(page)).not.toBeFocused();
  await page.keyboard.type('n');
  await page.keyboard.press('Delete');
  await expect(page.getByRole('combobox', { name: /^Add/ })).toHaveCount(0);
  await expect(node(page, 'agent:kid')).toBeVisible();
  await seeBo();
  await instruction(page).click();
  await expect(instruction(page)).toBeFocused();
  await expectSavedFiles(page, () => stage.savedFiles(), {
    ...files,
    'agent-cards/kid.md': files['agent-cards/kid.md'].replace('Help.', 'Help. More.'),
  });
});

test('a name that is typed in the text renames the file, and the cursor stays in the text @full', async ({
  page,
  stage,
}) => {
  await stage.openEditor(files);
  await node(page, 'agent:kid').press('Enter');
  const text = (name: string) => page.getByRole('textbox', { name: `Text of agent-cards/${name}.md` });
  await text('kid').click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.type('dle');
  await page.keyboard.press('ArrowDown');
  await expect(text('kiddle')).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.type(' Now.');
  const renamed = {
    'agent-cards/kiddle.md': '---\nname: kiddle\n---\nHelp. Now.\n',
    'agent-cards/lead.md': files['agent-cards/lead.md'].replace('kid', 'kiddle'),
  };
  await expectSavedFiles(page, () => stage.savedFiles(), renamed);
});
