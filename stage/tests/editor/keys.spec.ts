import { node } from '@/e2e/canvas';
import { expectNoEdits, save, showPanel } from '@/e2e/pages';
import { expect, test } from '../stage';

/** These tests use tabs, lists and dialogs by keyboard only. */

const files = {
  'agent-cards/kid.md': '---\nname: kid\n---\nHelp.\n',
  'agent-cards/lead.md': '---\nname: lead\ndefault: true\nagents: [kid]\n---\nLead.\n',
};

test.beforeEach(async ({ stage }) => {
  await stage.openEditor(files);
});

test('arrows go through the tabs of the inspector, and each shows the selected agent', async ({ page }) => {
  await node(page, 'agent:kid').click();
  await showPanel(page, 'Inspector');
  const tabs = page.getByRole('tablist', { name: 'Inspector' });
  const shown = tabs.getByRole('tab', { selected: true });
  await tabs.getByRole('tab', { name: 'Properties' }).focus();
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('kid');
  await page.keyboard.press('ArrowRight');
  await expect(shown).toHaveText('Card');
  await expect(shown).toBeFocused();
  await expect(page.getByLabel('Text of agent-cards/kid.md').locator('.cm-line')).toHaveText([
    '---',
    'name: kid',
    '---',
    'Help.',
    '',
  ]);
  await page.keyboard.press('ArrowRight');
  await expect(shown).toHaveText('What the model sees');
  await expect(page.getByRole('region', { name: 'Tools of kid' })).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(shown).toHaveText('Last run');
  await expect(page.getByRole('tabpanel', { name: 'Last run' })).toContainText('No run yet');
  await page.keyboard.press('ArrowRight');
  await expect(shown).toHaveText('Properties');
  await page.keyboard.press('End');
  await expect(shown).toHaveText('Last run');
  await page.keyboard.press('Home');
  await expect(shown).toHaveText('Properties');
});

test('arrows go through the tabs of the dock @full', async ({ page }) => {
  await showPanel(page, 'Run');
  const tabs = page.getByRole('tablist', { name: 'Dock' });
  const shown = tabs.getByRole('tab', { selected: true });
  await tabs.getByRole('tab', { name: 'Run' }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(shown).toHaveText('Files');
  await expect(page.getByRole('list', { name: 'Files' }).getByRole('listitem')).toHaveText([
    /^agent-cards\//,
    /^kid\.md/,
    /^lead\.md/,
  ]);
  await page.keyboard.press('Home');
  await expect(shown).toHaveText('Run');
  await page.keyboard.press('ArrowRight');
  await expect(shown).toHaveText(/^Problems/);
});

test('Escape closes a dialog without doing what it offers, and the focus goes back', async ({ page, stage }) => {
  await showPanel(page, 'Run');
  await page.getByRole('tab', { name: 'Files' }).click();
  const newFile = page.getByRole('button', { name: 'New file' });
  const dialog = page.getByRole('dialog');
  await newFile.press('Enter');
  await dialog.getByRole('textbox').fill('notes.md');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(newFile).toBeFocused();
  await expectNoEdits(page);

  await page.getByRole('button', { name: 'More for agent-cards/kid.md' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
  await expect(page.getByRole('alertdialog', { name: 'Delete agent-cards/kid.md?' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expectNoEdits(page);

  await newFile.press('Enter');
  await dialog.getByRole('textbox').fill('notes.md');
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await save(page);
  expect(await stage.savedFiles()).toEqual({ ...files, 'notes.md': '' });
});

test('palette and list of keys open by a key and close by Escape @full', async ({ page }) => {
  const dialog = page.getByRole('dialog');
  await page.keyboard.press('?');
  await expect(dialog).toContainText('Duplicate');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('kid');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('kid');
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await showPanel(page, 'Inspector');
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('kid');
});

test('the outline is walked, and an agent of it deleted, by keys', async ({ page, stage }) => {
  await showPanel(page, 'Outline');
  const rows = page.getByRole('tree', { name: 'Outline' }).getByRole('treeitem');
  await rows.first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(rows.nth(1)).toBeFocused();
  await expect(rows.nth(1)).toHaveAccessibleName(/^kid/);
  await page.keyboard.press('Delete');
  await expect(rows).toHaveCount(1);
  await save(page);
  expect(await stage.savedFiles()).toEqual({
    'agent-cards/lead.md': '---\nname: lead\ndefault: true\n---\nLead.\n',
  });
});

test('the menu of a node opens by a key, is walked by arrows, and acts on that node', async ({ page, stage }) => {
  const item = (name: RegExp) => page.getByRole('menuitem', { name });
  await node(page, 'agent:lead').click();
  await page.keyboard.press('ArrowRight');
  await expect(node(page, 'agent:kid')).toBeFocused();
  await page.keyboard.press('Shift+F10');
  await expect(item(/^Duplicate/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(node(page, 'agent:kid')).toBeFocused();

  await page.keyboard.press('Shift+F10');
  await expect(item(/^Open/)).toBeFocused();
  await page.keyboard.press('End');
  await expect(item(/^Delete/)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(node(page, 'agent:kid')).toHaveCount(0);
  await save(page);
  expect(await stage.savedFiles()).toEqual({
    'agent-cards/lead.md': '---\nname: lead\ndefault: true\n---\nLead.\n',
  });
});
