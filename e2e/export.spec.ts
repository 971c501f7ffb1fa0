import { createProject, exampleFiles } from './api';
import { openEditor, showPanel } from './pages';
import { expect, test } from './test';
import { signedIn } from './test-token';

test('every export is shown before it is downloaded, with what fast-agent does not take', async ({ page, baseURL }) => {
  if (baseURL === undefined) throw new Error('The tests are started without an app.');
  const project = await createProject(baseURL, 'Hooks to export', exampleFiles('hooks-python'));
  const report = await fetch(`${baseURL}/api/v1/projects/${project}/files?format=report&for=fast-agent`, {
    headers: signedIn,
  });
  expect(await report.json()).toMatchObject({ problems: [] });

  await openEditor(page, project);
  await showPanel(page, 'Run');
  await page.getByRole('tab', { name: 'Files' }).click();
  await page.getByRole('button', { name: 'Export…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await dialog.getByRole('button', { name: 'agent-cards/PMO-orchestrator.md', exact: true }).click();
  await expect(dialog.getByRole('region', { name: 'Preview of agent-cards/PMO-orchestrator.md' })).toContainText(
    'name:',
  );
  await dialog.getByRole('tab', { name: 'Compiled' }).click();
  await expect(dialog.getByRole('region')).toContainText('"entry": "PMO-orchestrator"');
  await dialog.getByRole('tab', { name: 'Mermaid' }).click();
  await expect(dialog.getByRole('region')).toContainText('flowchart LR');
  const picture = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download', exact: true }).click();
  expect((await picture).suggestedFilename()).toBe('Hooks to export.mmd');

  await dialog.getByRole('tab', { name: 'For fast-agent' }).click();
  await expect(dialog.getByRole('button', { name: /^agent-cards\/callboard_hooks\.py/ })).toBeVisible();
  await dialog.getByRole('button', { name: /^Open agent-cards\/PMO-orchestrator\.md:/ }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByLabel('Text of agent-cards/PMO-orchestrator.md')).toBeVisible();

  await showPanel(page, 'Run');
  await page.getByRole('button', { name: 'Export…' }).click();
  await dialog.getByRole('tab', { name: 'For fast-agent' }).click();
  const download = page.waitForEvent('download');
  await dialog.getByRole('link', { name: 'Download zip' }).click();
  expect((await download).suggestedFilename()).toBe('Hooks to export for fast-agent.zip');
});

test('files that hold secrets are named, and left out of a download unless asked @full', async ({ page, baseURL }) => {
  if (baseURL === undefined) throw new Error('The tests are started without an app.');
  const card = '---\nname: poet\n---\nWrite.\n';
  const project = await createProject(baseURL, 'Keys to keep', { 'agent-cards/poet.md': card, '.env': 'KEY=hidden\n' });
  await openEditor(page, project);
  await showPanel(page, 'Run');
  await page.getByRole('tab', { name: 'Files' }).click();
  await page.getByRole('button', { name: 'Export…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await expect(dialog.getByRole('region', { name: 'Files with secrets' })).toContainText('.env');
  const files = dialog.getByRole('list', { name: 'Files of the export' });
  await expect(files).not.toContainText('.env');
  const link = dialog.getByRole('link', { name: 'Download zip' });
  await expect(link).toHaveAttribute('href', /format=zip&secrets=omit$/);
  await dialog.getByLabel('Include this file').check();
  await expect(files).toContainText('.env');
  await expect(link).toHaveAttribute('href', /format=zip$/);
});
