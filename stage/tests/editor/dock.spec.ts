import type { Page } from '@playwright/test';
import { expect, test } from '../stage';

/** The dock keeps its message, its run and its state while a person is on other pages and over a reload. */

const message = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
const openRun = (page: Page) => page.getByRole('link', { name: 'Open run' });
const dock = (page: Page) => page.locator('section[aria-label="Dock"]');

test('message, run, tab and size of the dock come back', async ({ page, stage }) => {
  await stage.open('editor/with-a-run-to-start');
  await message(page).fill('Go');
  await message(page).press('ControlOrMeta+Enter');
  await expect(openRun(page)).toHaveAttribute('href', '/r/run-1');
  await message(page).fill('And then this');
  await page.getByRole('separator', { name: 'Resize Dock' }).press('ArrowUp');
  const height = await dock(page).evaluate((panel) => panel.clientHeight);

  await page.reload();
  await expect(message(page)).toHaveValue('And then this');
  await expect(openRun(page)).toHaveAttribute('href', '/r/run-1');
  expect(await dock(page).evaluate((panel) => panel.clientHeight)).toBe(height);

  await page.getByRole('tab', { name: 'Files' }).click();
  await page.getByRole('separator', { name: 'Resize Dock' }).press('Enter');
  await expect(dock(page)).toBeHidden();
  await stage.open('editor/empty');
  await page.goBack();
  await expect(page.getByRole('separator', { name: 'Resize Dock' })).toBeVisible();
  await expect(dock(page)).toBeHidden();
  await page.getByRole('separator', { name: 'Resize Dock' }).press('Enter');
  await expect(page.getByRole('tab', { name: 'Files' })).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('tab', { name: 'Run', exact: true }).click();
  await expect(message(page)).toHaveValue('And then this');
});

test('a conversation is there again after a look at Chat and after a reload @full', async ({ page, stage }) => {
  await stage.open('editor/with-a-run-to-start');
  await page.getByRole('checkbox', { name: 'Keep talking' }).click();
  await message(page).fill('Go');
  await message(page).press('ControlOrMeta+Enter');
  const next = page.getByRole('textbox', { name: 'Follow-up', exact: true });
  await next.fill('And then?');
  const chat = page.getByRole('link', { name: 'Open in Chat' });
  await expect(chat).toHaveAttribute('href', '/p/desk/chat?conversation=c1');
  await stage.open('chat/a-conversation');
  for (const come of [() => stage.open('editor/with-a-run-to-start'), () => page.reload()]) {
    await come();
    await expect(next).toHaveValue('And then?');
    await expect(chat).toHaveAttribute('href', '/p/desk/chat?conversation=c1');
    await expect(openRun(page)).toHaveAttribute('href', '/r/run-1');
    await expect(page.getByRole('checkbox', { name: 'Keep talking' })).toBeChecked();
  }
});

test('a project that was just made opens with the cursor in the message, and Run in view @phone-full', async ({
  page,
  stage,
}) => {
  await stage.open('editor/just-made');
  await expect(message(page)).toBeFocused();
  await expect(page.locator('form').getByRole('button', { name: 'Run', exact: true })).toBeInViewport({ ratio: 1 });
});

test('a run that was deleted meanwhile is forgotten, and the message stays @full', async ({ page, stage }) => {
  await stage.open('editor/with-a-run-to-start');
  await message(page).fill('Go on');
  await page.evaluate(() => {
    const [key = ''] = Object.keys(sessionStorage).filter((one) => one.startsWith('callboard:dock:'));
    sessionStorage.setItem(key, (sessionStorage.getItem(key) ?? '').replace('{', '{"runId":"run-0",'));
  });
  await page.reload();
  await expect(page.getByText('The run was deleted')).toBeVisible();
  await expect(message(page)).toHaveValue('Go on');
  await page.reload();
  await expect(page.getByText('No run yet')).toBeVisible();
});
