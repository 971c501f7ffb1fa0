import { expect, test } from '@playwright/test';
import { createProject, exampleFiles } from './api';
import { type AppProcess, startApp } from './app-process';
import { signedIn } from './test-token';

let app: AppProcess;
test.beforeAll(async () => {
  app = await startApp();
});
test.afterAll(async () => {
  await app.stop();
});

test('the export for fast-agent says what it changes before it is downloaded', async ({ page }) => {
  const project = await createProject(app.url, 'Hooks', exampleFiles('hooks-python'));
  const report = await fetch(`${app.url}/api/v1/projects/${project}/files?format=report&for=fast-agent`, {
    headers: signedIn,
  });
  expect(await report.json()).toMatchObject({ problems: [] });

  await page.goto(`${app.url}/projects/${project}`);
  await page.getByRole('tab', { name: 'Files' }).click();
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'For fast-agent…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export for fast-agent' });
  await expect(dialog.getByText('agent-cards/callboard_hooks.py')).toBeVisible();
  await page.screenshot({ path: test.info().outputPath('export.png') });
  const download = page.waitForEvent('download');
  await dialog.getByRole('link', { name: 'Download zip' }).click();
  expect((await download).suggestedFilename()).toBe('Hooks for fast-agent.zip');
});
