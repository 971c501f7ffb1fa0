import type { Page } from '@playwright/test';
import { startFakeOpenAI } from '../lib/testing/fake-openai';
import { startApp } from './app-process';
import { runFacts } from './pages';
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
