import type { Page } from '@playwright/test';
import { node } from '@/e2e/canvas';
import { expectSavedFiles, expectSaveState, showPanel } from '@/e2e/pages';
import { expect, type Stage, test } from '../stage';

/** Two people change one file, what is looked for is found, and the tour is walked. */

const save = 'p/[project]/actions.save';
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

test('a person chooses between two versions of a file, and undo brings back the other @phone', async ({
  page,
  stage,
}) => {
  await editWhileOthersSave(page, stage);
  const differences = question(page).getByRole('region', { name: 'Differences in agent-cards/kid.md' });
  await expect(differences).toContainText('description: theirs');
  await expect(differences).toContainText('description: mine');
  await differences.getByRole('radio', { name: 'Theirs' }).check();
  await question(page).getByRole('button', { name: 'Save this choice' }).click();
  await expect.poll(() => stage.savedFiles()).toEqual({ ...kid('theirs'), ...lead('mine') });
  await expectSaveState(page, 'Saved');
  // The first step shows their version of the file that was kept as mine, the second one my version of both.
  await page.keyboard.press('ControlOrMeta+z');
  await expectSavedFiles(page, () => stage.savedFiles(), { ...kid('theirs'), ...lead('theirs') });
  await page.keyboard.press('ControlOrMeta+z');
  await expectSavedFiles(page, () => stage.savedFiles(), { ...kid('mine'), ...lead('mine') });
});

test('a choice can wait: nothing is saved and nothing is lost until it is made @phone-full', async ({
  page,
  stage,
}) => {
  await editWhileOthersSave(page, stage);
  await page.keyboard.press('Escape');
  await expect(question(page)).toHaveCount(0);
  await expectSaveState(page, 'Not saved');
  await expect(page.getByText('Callboard cannot be reached')).toHaveCount(0);
  await expect(description(page)).toHaveValue('mine');
  expect(await stage.savedFiles()).toEqual({ ...kid('theirs'), ...lead('theirs') });
  await page.getByRole('button', { name: 'Choose…' }).click();
  await expect(question(page).getByRole('region')).toHaveCount(2);
  await question(page).getByRole('button', { name: 'Save this choice' }).click();
  await expect.poll(() => stage.savedFiles()).toEqual({ ...kid('mine'), ...lead('mine') });
});

test('what is typed before the search is loaded is searched for @full', async ({ page, stage }) => {
  await stage.openEditor(files);
  const find = page.getByRole('dialog', { name: 'Find in the project' });
  await page.keyboard.press('ControlOrMeta+f');
  await page.keyboard.type('HE');
  await expect(find.getByText('Prompts (1)')).toBeVisible();
  await page.keyboard.type('LP');
  await expect(find.getByRole('combobox')).toHaveValue('HELP');
});

test('a text of the project and a hook are found by keyboard', async ({ page, stage }) => {
  await stage.openEditor(files);
  await page.keyboard.press('ControlOrMeta+f');
  const find = page.getByRole('dialog', { name: 'Find in the project' });
  await page.keyboard.type('HELP');
  await expect(find.getByRole('group', { name: 'Prompts (1)' }).getByRole('option')).toHaveText(/kid\.md:4\s*Help\./);
  await page.keyboard.press('Enter');
  await expect(find).toHaveCount(0);
  const text = page.getByLabel('Text of agent-cards/kid.md');
  await expect(text).toBeFocused();
  // In a text with the focus, the key opens the search of that text.
  await page.keyboard.press('ControlOrMeta+f');
  await expect(find).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'Find' })).toBeFocused();
});

test('the tour is offered once, walked by keys, and left at any step @full', async ({ page, stage }) => {
  await stage.openEditor(files);
  await page.getByRole('button', { name: 'Take the tour' }).press('Enter');
  const tour = page.getByRole('dialog', { name: /^Tour, step/ });
  await expect(tour).toBeFocused();
  await expect(page.getByRole('button', { name: 'Take the tour' })).toHaveCount(0);
  await tour.getByRole('button', { name: 'Next' }).press('Enter');
  await expect(tour).toHaveAccessibleName('Tour, step 2 of 5: Add what you need');
  await page.keyboard.press('Escape');
  await expect(tour).toHaveCount(0);
  await page.reload();
  await expect(
    node(page, 'agent:kid')
      .or(page.getByRole('tree', { name: 'Outline' }))
      .first(),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Take the tour' })).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('take the tour');
  await page.keyboard.press('Enter');
  await expect(tour).toBeFocused();
});

/** Edits both agents while the server does not answer. Somebody else saves both meanwhile. Then the question is shown. */
async function editWhileOthersSave(page: Page, stage: Stage): Promise<void> {
  await stage.openEditor(files);
  await stage.trouble(save, { kind: 'offline' });
  await describe(page, 'kid', 'mine');
  await showPanel(page, 'Canvas');
  await describe(page, 'lead', 'mine');
  await expectSaveState(page, 'Not saved');
  await stage.saveElsewhere({ ...kid('theirs'), ...lead('theirs') });
  await stage.release(save);
  await page.keyboard.press('ControlOrMeta+s');
  await expect(question(page)).toBeVisible();
}

async function describe(page: Page, agent: string, words: string): Promise<void> {
  await showPanel(page, 'Canvas');
  await node(page, `agent:${agent}`).click();
  await showPanel(page, 'Inspector');
  await description(page).fill(words);
  await description(page).press('Tab');
}

function description(page: Page) {
  return page.getByRole('textbox', { name: 'Description', exact: true });
}

function question(page: Page) {
  return page.getByRole('dialog', { name: /changed what you changed$/ });
}
