import type { Page } from '@playwright/test';
import { startFakeOpenAI } from '../lib/testing/fake-openai';
import { createProject } from './api';
import { startApp } from './app-process';
import { graph, lanes, openEditor, openRun, runFacts, runProject, seriousFaults } from './pages';
import { expect, test } from './test';
import { signedInBrowser } from './test-token';

/** Counts the clicks of the mouse that the page receives, also across navigations. */
async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0;
  await page.exposeFunction('countClick', () => {
    clicks += 1;
  });
  await page.addInitScript(() => {
    addEventListener('pointerdown', () => Reflect.get(window, 'countClick')(), { capture: true });
  });
  return () => clicks;
}

test('with a key set, a newcomer has the answer of a real model in at most six clicks', async ({ browser }) => {
  const model = await startFakeOpenAI({ respond: () => ({ text: 'Hello from the model.' }) });
  const app = await startApp({ OPENAI_API_KEY: 'sk-of-the-operator', OPENAI_BASE_URL: model.url });
  const context = await browser.newContext({ storageState: signedInBrowser(Number(new URL(app.url).port)) });
  const page = await context.newPage();
  try {
    const clicks = await countClicks(page);
    await page.goto(app.url);
    await page.getByRole('button', { name: 'New project' }).click();
    await expect(page.getByRole('dialog')).toContainText('ready to run on openai.gpt-5-mini');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('textbox', { name: 'Message', exact: true }).click();
    await page.keyboard.type('Who are you?');
    await page.locator('form').getByRole('button', { name: 'Run', exact: true }).click();
    await expect(page.getByText('Hello from the model.').first()).toBeVisible();
    await expect(runFacts(page)).toContainText('Completed');
    expect(clicks()).toBeLessThanOrEqual(6);
    expect(model.requests.map(({ model: name }) => name)).toEqual(['gpt-5-mini']);
    expect(await page.content()).not.toContain('sk-of-the-operator');
  } finally {
    await context.close();
    await app.stop();
    await model.close();
  }
});

test('without a key, the dialog says who answers and how to set a key', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'New project' }).first().click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('No key of a model provider is set');
  await dialog.getByRole('link', { name: 'How to set a key' }).click();
  await expect(page).toHaveURL(/\/settings/);
});

test('the instruction is edited wide, and the surface shows it as a recorded instance saw it', async ({
  page,
  baseURL,
}) => {
  const project = await createProject(baseURL ?? '', `surface-${Date.now()}`, {
    'agent-cards/lead.md':
      '---\nname: lead\ndefault: true\nmodel: passthrough\nhuman_input: true\n---\nYou are {{agentName}}.\n',
    'rules.md': 'Be kind.',
  });
  await openEditor(page, project);
  await graph(page).getByText('lead', { exact: true }).click();
  await page.getByRole('button', { name: 'Edit wide' }).click();
  const dialog = page.getByRole('dialog', { name: 'Instruction of lead' });
  const editor = dialog.getByRole('textbox', { name: 'Instruction of lead' });
  await expect(editor).toBeFocused();
  await page.keyboard.type(' {{file');
  await page.getByRole('option', { name: /^file:/ }).click();
  await page.getByRole('option', { name: 'rules.md' }).click();
  await expect(dialog.getByRole('region', { name: 'As the model reads it' })).toContainText('You are lead. Be kind.');
  await page.keyboard.type(' {{nobody}}');
  await expect(dialog.getByRole('list', { name: 'Issues of the instruction' })).toContainText('Nothing fills in');
  expect(await seriousFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await runProject(page, 'Hello');
  await openRun(page);
  await expect(runFacts(page)).toContainText('Completed');
  await lanes(page).getByText('lead', { exact: true }).click();
  await page.getByRole('link', { name: 'What its model saw' }).click();
  await expect(page.getByRole('radio', { name: 'As an instance saw it' })).toBeChecked();
  await expect(page.getByRole('list', { name: 'Tools, in order' })).toContainText('__human_input');
  await expect(page.getByRole('region', { name: 'Final instruction' })).toContainText('You are lead. Be kind.');
  expect(await seriousFaults(page)).toEqual([]);
});
