import type { Page } from '@playwright/test';
import { readFiles } from './api';
import { node } from './canvas';
import { openEditor, showPanel } from './pages';
import { expect, sharedProject, test } from './test';

/** These tests use two windows of one project, and a window that is loaded again with unsaved work. */

const files = {
  'agent-cards/kid.md': '---\nname: kid\n---\nHelp.\n',
  'agent-cards/lead.md': '---\nname: lead\ndefault: true\nagents: [kid]\n---\nLead.\n',
};
const kid = (description: string) => ({
  'agent-cards/kid.md': `---\nname: kid\ndescription: ${description}\n---\nHelp.\n`,
});
const lead = (description: string) => ({
  'agent-cards/lead.md': `---\nname: lead\ndefault: true\ndescription: ${description}\nagents: [kid]\n---\nLead.\n`,
});

const project = sharedProject('Two windows', files);

test('changes of different agents are both kept', async ({ page, context, baseURL }) => {
  const other = await editInTwoWindows(page, await context.newPage(), 'lead');
  await expect(other.getByText('You changed different files, so keeping yours loses nothing of theirs.')).toBeVisible();
  await expect(other.getByRole('dialog').getByRole('listitem')).toHaveText(['agent-cards/kid.md']);
  await other.getByRole('button', { name: 'Keep mine' }).click();
  await expectState(other, 'Saved');
  expect(await saved(baseURL)).toEqual({ ...kid('first'), ...lead('second') });
});

test('of two changes of one agent, the kept one replaces the other', async ({ page, context, baseURL }) => {
  const other = await editInTwoWindows(page, await context.newPage(), 'kid');
  await other.getByRole('button', { name: 'See differences' }).click();
  const differences = other.getByRole('region', { name: 'Differences in agent-cards/kid.md' });
  await expect(differences).toContainText('− description: first');
  await expect(differences).toContainText('+ description: second');
  await other.getByRole('button', { name: 'Keep mine' }).click();
  await expectState(other, 'Saved');
  expect(await saved(baseURL)).toEqual({ ...files, ...kid('second') });
});

test('theirs is taken, and undo brings mine back', async ({ page, context, baseURL }) => {
  const other = await editInTwoWindows(page, await context.newPage(), 'kid');
  await other.getByRole('button', { name: 'Take theirs' }).click();
  await expect(other.getByRole('dialog')).toHaveCount(0);
  await expectState(other, 'Saved');
  await expect(description(other)).toHaveValue('first');
  expect(await saved(baseURL)).toEqual({ ...files, ...kid('first') });

  await other.keyboard.press('ControlOrMeta+z');
  await expect(description(other)).toHaveValue('second');
  await other.keyboard.press('ControlOrMeta+s');
  await expectState(other, 'Saved');
  expect(await saved(baseURL)).toEqual({ ...files, ...kid('second') });
});

test('Escape leaves the question open: nothing is saved and nothing is lost', async ({ page, context, baseURL }) => {
  const other = await editInTwoWindows(page, await context.newPage(), 'kid');
  await other.keyboard.press('Escape');
  await expect(other.getByRole('dialog')).toHaveCount(0);
  await expectState(other, 'Unsaved');
  await expect(description(other)).toHaveValue('second');
  expect(await saved(baseURL)).toEqual({ ...files, ...kid('first') });
  await other.keyboard.press('ControlOrMeta+s');
  await expect(question(other)).toBeVisible();
});

test('unsaved work is back after a reload, and undo takes it away', async ({ page, baseURL }) => {
  await openEditor(page, project());
  await describe(page, 'kid', 'not saved');
  await page.reload();
  await expect(page.getByText('Your unsaved changes are back. Undo removes them.')).toBeVisible();
  await expectState(page, 'Unsaved');
  expect(await saved(baseURL)).toEqual(files);
  await page.keyboard.press('ControlOrMeta+z');
  await expectState(page, 'Saved');
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await page.keyboard.press('ControlOrMeta+s');
  await expectState(page, 'Saved');
  expect(await saved(baseURL)).toEqual({ ...files, ...kid('not saved') });
});

/**
 * The first window saves a change of `kid`. The second, opened before, then saves one of `agent` and gets the conflict
 * dialog.
 */
async function editInTwoWindows(first: Page, second: Page, agent: 'kid' | 'lead'): Promise<Page> {
  await openEditor(first, project());
  await openEditor(second, project());
  await describe(first, 'kid', 'first');
  await first.keyboard.press('ControlOrMeta+s');
  await expectState(first, 'Saved');
  await describe(second, agent, 'second');
  await second.keyboard.press('ControlOrMeta+s');
  await expect(question(second)).toBeVisible();
  return second;
}

async function describe(page: Page, agent: string, words: string): Promise<void> {
  await node(page, `agent:${agent}`).click();
  await showPanel(page, 'Inspector');
  await description(page).fill(words);
  await description(page).press('Tab');
  await expectState(page, 'Unsaved');
}

function description(page: Page) {
  return page.getByRole('textbox', { name: 'Description', exact: true });
}

function question(page: Page) {
  return page.getByRole('dialog', { name: 'This project was saved by someone else' });
}

async function expectState(page: Page, state: 'Saved' | 'Unsaved'): Promise<void> {
  await expect(page.locator('header').getByRole('status')).toHaveText(state);
}

function saved(baseURL: string | undefined): Promise<Record<string, string>> {
  return readFiles(baseURL ?? '', project());
}
