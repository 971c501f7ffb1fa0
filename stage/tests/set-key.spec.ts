import type { Page } from '@playwright/test';
import { node } from '@/e2e/canvas';
import { expect, test } from './stage';

/** A key that is stored counts at once on every screen, in every tab. */

async function store(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Key of Anthropic' });
  await expect(dialog.getByLabel('Key', { exact: true })).toBeFocused();
  await page.keyboard.type('sk-ant-1');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByText('The key of Anthropic is stored.')).toBeVisible();
}

const anthropic = (page: Page) => page.getByRole('listitem').filter({ hasText: 'Anthropic' });

test('the settings and another tab show a key that was stored @full', async ({ page, stage }) => {
  const settings = 'settings/keys-of-a-new-installation';
  await stage.open(settings);
  const other = await page.context().newPage();
  await other.goto(`/?scene=${settings}`);
  for (const tab of [page, other]) await expect(anthropic(tab)).toContainText('No key');
  await page.bringToFront();
  await page.getByRole('button', { name: 'Set key… of Anthropic' }).click();
  await store(page);
  for (const tab of [page, other]) await expect(anthropic(tab)).toContainText('Key stored');
  await other.close();
});

test('the editor knows a key that was stored in its inspector: neither error nor problem is left', async ({
  page,
  stage,
}) => {
  await stage.open('editor/without-a-key');
  await node(page, 'agent:lead').click();
  const served = page.getByRole('region', { name: 'Who serves the model' });
  await expect(served).toContainText('ANTHROPIC_API_KEY');
  await page.getByRole('tab', { name: /^Problems/ }).click();
  const problems = page.getByRole('tabpanel', { name: /^Problems/ });
  await expect(problems).toContainText('ANTHROPIC_API_KEY');
  await served.getByRole('button', { name: /^Set key…/ }).click();
  await store(page);
  await expect(problems).not.toContainText('ANTHROPIC_API_KEY');
  await node(page, 'agent:lead').click();
  await expect(served).not.toContainText('ANTHROPIC_API_KEY');
  await expect(served.getByRole('definition').filter({ hasText: /^Set$/ })).toBeVisible();
});
