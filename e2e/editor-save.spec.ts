import type { Page } from '@playwright/test';
import { readFiles } from './api';
import { node } from './canvas';
import { expectSavedFiles, expectSaveState, goToPage, openEditor, save, showPanel } from './pages';
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
  await goToPage(page, 'Runs');
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

function saved(baseURL: string | undefined): Promise<Record<string, string>> {
  return readFiles(baseURL ?? '', project());
}
