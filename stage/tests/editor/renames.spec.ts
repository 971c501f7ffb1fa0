import type { Page } from '@playwright/test';
import { node } from '@/e2e/canvas';
import { expectSavedFiles } from '@/e2e/pages';
import { expect, test } from '../stage';

/** References and files follow a new name, however it comes about. */

const files = {
  'agent-cards/kid.md': '---\nname: kid\nmodel: passthrough\n---\nHelp.\n',
  'agent-cards/lead.md': '---\nname: lead\ndefault: true\nagents: [kid]\n---\nLead.\n',
};
const renamed = {
  'agent-cards/aide.md': files['agent-cards/kid.md'].replace('kid', 'aide'),
  'agent-cards/lead.md': files['agent-cards/lead.md'].replace('kid', 'aide'),
};
const text = (page: Page, name: string) => page.getByRole('textbox', { name: `Text of agent-cards/${name}.md` });

async function rename(page: Page, agent: string, name: string) {
  await node(page, `agent:${agent}`).click();
  await page.keyboard.press('F2');
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
}

test('a name that is typed while the card cannot be read is followed once it can @full', async ({ page, stage }) => {
  await stage.openEditor(files);
  await node(page, 'agent:kid').press('Enter');
  await text(page, 'kid').locator('.cm-line').nth(2).click();
  await page.keyboard.press('Home');
  for (let n = 0; n < 'model: '.length; n++) await page.keyboard.press('ArrowRight');
  await page.keyboard.type('[');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('End');
  for (let n = 0; n < 'kid'.length; n++) await page.keyboard.press('Backspace');
  await page.keyboard.type('aide');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByText('canvas not updated').first()).toBeVisible();
  const broken = '---\nname: aide\nmodel: [passthrough\n---\nHelp.\n';
  await expectSavedFiles(page, () => stage.savedFiles(), { ...files, 'agent-cards/kid.md': broken });

  // What is typed after a pause is an undo step of its own.
  await stage.pass(5_000);
  await page.keyboard.press('Home');
  for (let n = 0; n < 'model: '.length; n++) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Delete');
  await expect(node(page, 'agent:aide')).toBeVisible();
  await expect(text(page, 'aide')).toBeFocused();
  await expectSavedFiles(page, () => stage.savedFiles(), renamed);
  await page.keyboard.press('ControlOrMeta+z');
  await expectSavedFiles(page, () => stage.savedFiles(), { ...files, 'agent-cards/kid.md': broken });
});

test('a card that is renamed while its text is open stays open, and one undo brings name and file back', async ({
  page,
  stage,
}) => {
  await stage.openEditor(files);
  await node(page, 'agent:kid').press('Enter');
  await expect(text(page, 'kid')).toBeVisible();
  await rename(page, 'kid', 'aide');
  await expect(text(page, 'aide')).toContainText('name: aide');
  await expect(page.getByText('No file open')).toHaveCount(0);
  await expectSavedFiles(page, () => stage.savedFiles(), renamed);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(text(page, 'kid')).toContainText('name: kid');
  await expect(page.getByText('No file open')).toHaveCount(0);
  await expectSavedFiles(page, () => stage.savedFiles(), files);
});

test('a file that a person named otherwise stays, and so does one whose new name is taken @full', async ({
  page,
  stage,
}) => {
  const { 'agent-cards/kid.md': kid, ...others } = files;
  await stage.openEditor({ ...others, 'agent-cards/small-one.md': kid, 'agent-cards/chief.md': 'No card.\n' });
  await rename(page, 'kid', 'aide');
  await expect(node(page, 'agent:aide')).toBeVisible();
  await rename(page, 'lead', 'chief');
  await expect(page.getByText("The file of 'chief' stays agent-cards/lead.md")).toBeVisible();
  await expectSavedFiles(page, () => stage.savedFiles(), {
    'agent-cards/chief.md': 'No card.\n',
    'agent-cards/lead.md': renamed['agent-cards/lead.md'].replace('name: lead', 'name: chief'),
    'agent-cards/small-one.md': renamed['agent-cards/aide.md'],
  });
});

test('a rename that another file would not follow waits, and says for which file @full', async ({ page, stage }) => {
  const broken = { ...files, 'agent-cards/lead.md': '---\nname: lead\nagents: [kid\n---\nLead.\n' };
  await stage.openEditor(broken);
  await rename(page, 'kid', 'aide');
  await expect(page.getByText('agent-cards/lead.md cannot be read').first()).toBeVisible();
  await expect(node(page, 'agent:kid')).toBeVisible();
  await expectSavedFiles(page, () => stage.savedFiles(), broken);
});
