import type { FakeOpenAI } from '../lib/testing/fake-openai';
import { startAppModel } from './app-model';
import { runFacts } from './pages';
import { expect, test } from './test';

/** A new user of an installation without any key has one, and wants the answer of a real model. The model server is local but real. */

const key = 'sk-of-a-newcomer';
let model: FakeOpenAI;

// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
test.beforeAll(async ({}, { parallelIndex }) => {
  model = await startAppModel(parallelIndex, { key: () => key, respond: () => ({ text: 'Hello from the model.' }) });
});

test.afterAll(async () => {
  await model?.close();
});

test(
  'from the first page to the answer of a real model, with a key set on the way, are 5 clicks without scrolling',
  {
    tag: '@phone-full',
  },
  async ({ page }, info) => {
    const counts = { pointerdown: 0, scroll: 0 };
    await page.exposeFunction('countInput', (type: keyof typeof counts) => {
      counts[type] += 1;
    });
    await page.addInitScript(() => {
      for (const type of ['pointerdown', 'scroll']) {
        addEventListener(type, () => Reflect.get(window, 'countInput')(type), { capture: true });
      }
    });
    await page.goto('/');
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByRole('dialog', { name: 'New project' }).getByRole('button', { name: 'Set key…' }).click();
    await expect(page.getByRole('dialog', { name: 'Set a key' }).getByLabel('Key', { exact: true })).toBeFocused();
    await page.keyboard.insertText(key);
    await page.getByRole('button', { name: 'Store' }).click();
    await expect(page.getByRole('dialog', { name: 'New project' })).toContainText('ready to run on openai.gpt-5-mini');
    await page.getByRole('button', { name: 'Create project' }).click();
    await expect(page.getByRole('textbox', { name: 'Message', exact: true })).toBeFocused();
    await page.keyboard.type('Who are you?');
    const run = page.locator('form').getByRole('button', { name: 'Run', exact: true });
    await expect(run).toBeInViewport({ ratio: 1 });
    expect(counts.scroll).toBe(0);
    await run.click();
    await expect(page.getByText('Hello from the model.').first()).toBeInViewport();
    await expect(runFacts(page)).toContainText('Completed');
    info.annotations.push({ type: 'clicks', description: String(counts.pointerdown) });
    expect(counts.pointerdown).toBe(5);
    expect(model.requests.at(-1)?.model).toBe('gpt-5-mini');
  },
);
