import { createProject, exampleFiles } from './api';
import { openEditor, showPanel } from './pages';
import { expect, test } from './test';
import { signedIn } from './test-token';

test('the export for fast-agent says what it changes before it is downloaded', async ({ page, baseURL }) => {
  if (baseURL === undefined) throw new Error('The tests are started without an app.');
  const project = await createProject(baseURL, 'Hooks to export', exampleFiles('hooks-python'));
  const report = await fetch(`${baseURL}/api/v1/projects/${project}/files?format=report&for=fast-agent`, {
    headers: signedIn,
  });
  expect(await report.json()).toMatchObject({ problems: [] });

  await openEditor(page, project);
  await showPanel(page, 'Run');
  await page.getByRole('tab', { name: 'Files' }).click();
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'For fast-agent…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export for fast-agent' });
  await expect(dialog.getByText('agent-cards/callboard_hooks.py')).toBeVisible();
  await page.screenshot({ path: test.info().outputPath('export.png') });
  await dialog.getByRole('button', { name: /^Open agent-cards\/PMO-orchestrator\.md:/ }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByLabel('Text of agent-cards/PMO-orchestrator.md')).toBeVisible();

  await showPanel(page, 'Run');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'For fast-agent…' }).click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'For fast-agent…' }).click();
  const download = page.waitForEvent('download');
  await dialog.getByRole('link', { name: 'Download zip' }).click();
  expect((await download).suggestedFilename()).toBe('Hooks to export for fast-agent.zip');
});
