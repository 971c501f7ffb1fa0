import type { Page } from '@playwright/test';
import { readFiles, writeFiles } from './api';
import { node } from './canvas';
import { expectSavedFiles, expectSaveState, openEditor, save, showPanel } from './pages';
import { expect, freshProject, test } from './test';

/** These tests save by themselves, lose the server, use two windows of one project, and load the page again. */

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

const project = freshProject('Saving', files);

test('what is typed is saved without a key, and two windows show the same project', async ({
  page,
  context,
  baseURL,
}) => {
  const other = await context.newPage();
  await openEditor(page, project());
  await openEditor(other, project());
  await describe(page, 'kid', 'first');
  await expect.poll(() => saved(baseURL)).toEqual({ ...files, ...kid('first') });
  await expectSaveState(page, 'Saved');

  await node(other, 'agent:kid').click();
  await showPanel(other, 'Inspector');
  await expect(description(other)).toHaveValue('first');
  await showPanel(other, 'Canvas');
  await describe(other, 'lead', 'second');
  await expect.poll(() => saved(baseURL)).toEqual({ ...kid('first'), ...lead('second') });
  await expectSaveState(other, 'Saved');
  // Undo in one window takes back nothing that the other window wrote.
  await page.keyboard.press('ControlOrMeta+z');
  await expectSavedFiles(page, () => saved(baseURL), { ...files, ...lead('second') });
});

test('without the server the work stays here, a reload brings it back, and undo goes on', async ({ page, baseURL }) => {
  await openEditor(page, project());
  await describe(page, 'kid', 'one');
  await save(page);
  const reconnect = await disconnect(page);
  await describe(page, 'kid', 'two');
  await expectSaveState(page, 'Not saved');
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
  await describe(page, 'kid', 'three');
  expect(await saved(baseURL)).toEqual({ ...files, ...kid('one') });

  await page.reload();
  await node(page, 'agent:kid').click();
  await showPanel(page, 'Inspector');
  await expect(description(page)).toHaveValue('three');
  await expectSaveState(page, 'Not saved');
  await reconnect();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expectSaveState(page, 'Saved');
  expect(await saved(baseURL)).toEqual({ ...files, ...kid('three') });

  await undo(page, 3);
  await expectSavedFiles(page, () => saved(baseURL), files);
  await page.getByRole('link', { name: 'Runs' }).click();
  await expect(page.getByRole('heading', { name: 'Runs' })).toBeVisible();
  await page.goBack();
  await node(page, 'agent:kid').click();
  // The browser reads the steps from its storage while the editor is already on the screen.
  await expect(page.getByRole('button', { name: 'Redo', exact: true })).toBeEnabled();
  for (const redone of ['one', 'two', 'three']) {
    await page.keyboard.press('ControlOrMeta+Shift+z');
    await expectSavedFiles(page, () => saved(baseURL), { ...files, ...kid(redone) });
  }
});

test('a person chooses between two versions of a file, and undo brings back the other', async ({ page, baseURL }) => {
  await editWhileOthersSave(page, baseURL);
  const differences = question(page).getByRole('region', { name: 'Differences in agent-cards/kid.md' });
  await expect(differences).toContainText('description: theirs');
  await expect(differences).toContainText('description: mine');
  await differences.getByRole('radio', { name: 'Theirs' }).check();
  await question(page).getByRole('button', { name: 'Save this choice' }).click();
  await expect.poll(() => saved(baseURL)).toEqual({ ...kid('theirs'), ...lead('mine') });
  await expectSaveState(page, 'Saved');
  // The first step shows their version of the file that was kept as mine, the second one my version of both.
  await page.keyboard.press('ControlOrMeta+z');
  await expectSavedFiles(page, () => saved(baseURL), { ...kid('theirs'), ...lead('theirs') });
  await page.keyboard.press('ControlOrMeta+z');
  await expectSavedFiles(page, () => saved(baseURL), { ...kid('mine'), ...lead('mine') });
});

test('a choice can wait: nothing is saved and nothing is lost until it is made', async ({ page, baseURL }) => {
  await editWhileOthersSave(page, baseURL);
  await page.keyboard.press('Escape');
  await expect(question(page)).toHaveCount(0);
  await expectSaveState(page, 'Not saved');
  await expect(description(page)).toHaveValue('mine');
  expect(await saved(baseURL)).toEqual({ ...kid('theirs'), ...lead('theirs') });
  await page.getByRole('button', { name: 'Choose…' }).click();
  await expect(question(page).getByRole('region')).toHaveCount(2);
  await question(page).getByRole('button', { name: 'Save this choice' }).click();
  await expect.poll(() => saved(baseURL)).toEqual({ ...kid('mine'), ...lead('mine') });
});

test('a text of the project and a hook are found by keyboard', async ({ page }) => {
  await openEditor(page, project());
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

test('the tour is offered once, walked by keys, and left at any step', async ({ page }) => {
  await page.addInitScript(() => {
    if (sessionStorage.getItem('offered') === null) localStorage.removeItem('callboard.tour');
    sessionStorage.setItem('offered', 'yes');
  });
  await openEditor(page, project());
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
async function editWhileOthersSave(page: Page, baseURL: string | undefined): Promise<void> {
  await openEditor(page, project());
  const reconnect = await disconnect(page);
  await describe(page, 'kid', 'mine');
  await showPanel(page, 'Canvas');
  await describe(page, 'lead', 'mine');
  await writeFiles(baseURL ?? '', project(), { ...kid('theirs'), ...lead('theirs') });
  await reconnect();
  await page.keyboard.press('ControlOrMeta+s');
  await expect(question(page)).toBeVisible();
}

/**
 * Lets no save of this page reach the server, also after a reload. Returns a function that ends this. Requests that a page
 * sends while it goes away pass by `page.route`, so the page itself refuses them.
 */
async function disconnect(page: Page): Promise<() => Promise<void>> {
  const lose = () => {
    const ask = window.fetch;
    window.fetch = (input, init) =>
      init?.method === 'POST' && sessionStorage.getItem('disconnected') !== null
        ? Promise.reject(new TypeError('Failed to fetch'))
        : ask(input, init);
  };
  await page.addInitScript(lose);
  await page.evaluate(lose);
  await page.evaluate(() => sessionStorage.setItem('disconnected', 'yes'));
  return () => page.evaluate(() => sessionStorage.removeItem('disconnected'));
}

async function describe(page: Page, agent: string, words: string): Promise<void> {
  await showPanel(page, 'Canvas');
  await node(page, `agent:${agent}`).click();
  await showPanel(page, 'Inspector');
  await description(page).fill(words);
  await description(page).press('Tab');
}

async function undo(page: Page, times: number): Promise<void> {
  for (let count = 0; count < times; count++) await page.keyboard.press('ControlOrMeta+z');
}

function description(page: Page) {
  return page.getByRole('textbox', { name: 'Description', exact: true });
}

function question(page: Page) {
  return page.getByRole('dialog', { name: /changed what you changed$/ });
}

function saved(baseURL: string | undefined): Promise<Record<string, string>> {
  return readFiles(baseURL ?? '', project());
}
