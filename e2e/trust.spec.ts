import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { strToU8, zipSync } from 'fflate';
import { createProject } from './api';
import { node, pasteText } from './canvas';
import { openEditor, runFacts, seriousFaults, showPanel } from './pages';
import { expect, test } from './test';

/** Returns a project whose server writes a file where it was started. */
function markedProject(mark: string): Record<string, string> {
  return {
    'agent-cards/lead.md': '---\nname: lead\ndefault: true\nmodel: passthrough\nservers: [marker]\n---\nLead.\n',
    'fast-agent.yaml': 'mcp:\n  servers:\n    marker:\n      command: node\n      args: [start.mjs]\n',
    'start.mjs': `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(mark)}, 'started');\n`,
  };
}

test('an imported folder is looked at, confirmed, and asks again when it starts something else', {
  tag: '@phone-full',
}, async ({ page }) => {
  const mark = path.join(mkdtempSync(path.join(tmpdir(), 'callboard-trust-')), 'mark');
  await importZip(page, `trust-${Date.now()}`, markedProject(mark));
  const bar = page.getByRole('status').filter({ hasText: 'Look only' });
  await expect(bar).toBeVisible();

  await pressRun(page);
  const dialog = page.getByRole('dialog', { name: 'Trust this folder?' });
  await expect(dialog.getByRole('region', { name: 'Programs it starts' })).toContainText('node start.mjs');
  await expect(dialog.getByRole('region', { name: 'Files that those programs may run' })).toContainText('start.mjs');
  await expect(dialog.getByRole('button', { name: 'Look only' })).toBeFocused();
  expect(await seriousFaults(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByText('No run yet')).toBeVisible();
  expect(existsSync(mark)).toBe(false);

  await bar.getByRole('button', { name: 'Review' }).click();
  await dialog.getByRole('link', { name: 'Open fast-agent.yaml:3' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByLabel('Text of fast-agent.yaml')).toBeVisible();

  await pressRun(page);
  await dialog.getByRole('button', { name: 'Trust and run' }).click();
  await expect(runFacts(page)).toContainText('Completed');
  expect(existsSync(mark)).toBe(true);
  await expect(bar).toBeHidden();

  const link = page.getByRole('link', { name: /Open run/ });
  const first = await link.getAttribute('href');
  await pressRun(page);
  await expect(link).not.toHaveAttribute('href', first ?? '');
  await expect(dialog).toBeHidden();
});

test('a change of the script is all that is asked about the next time @full', async ({ page }) => {
  const mark = path.join(mkdtempSync(path.join(tmpdir(), 'callboard-trust-')), 'mark');
  await importZip(page, `again-${Date.now()}`, markedProject(mark));
  await page.getByRole('button', { name: 'Review' }).click();
  const dialog = page.getByRole('dialog', { name: 'Trust this folder?' });
  await dialog.getByRole('button', { name: 'Trust', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Review' })).toBeHidden();

  await openPalette(page, 'what this folder starts');
  const review = page.getByRole('dialog', { name: 'What this folder starts or calls' });
  await review.getByRole('link', { name: 'Open start.mjs:1' }).click();
  await page.getByLabel('Text of start.mjs').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('// changed');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Look only' })).toBeVisible();

  await pressRun(page);
  const files = dialog.getByRole('region', { name: 'Files that those programs may run' });
  await expect(files.getByRole('listitem')).toHaveText([/start\.mjs.*Changed/]);
  await expect(dialog.getByRole('region', { name: 'Programs it starts' })).toBeHidden();
  await expect(dialog.getByText('Confirmed before: 1')).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Trust and run' }).click();
  await expect(runFacts(page)).toContainText('Completed');
});

test('a project that is made empty never asks @full', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'New project' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: /Blank/ }).click();
  await dialog.getByLabel('Name').fill(`blank-${Date.now()}`);
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await expect(page).toHaveURL(/\/p\//);
  await pressRun(page);
  await expect(runFacts(page)).toContainText('Completed');
  await expect(page.getByRole('button', { name: 'Review' })).toHaveCount(0);
});

test('a server that is pasted into a project of one’s own waits until it is confirmed @full', async ({
  page,
  baseURL,
}) => {
  const mark = path.join(mkdtempSync(path.join(tmpdir(), 'callboard-trust-')), 'mark');
  const { 'fast-agent.yaml': _, ...files } = markedProject(mark);
  await openEditor(page, await createProject(baseURL ?? '', `pasted-${Date.now()}`, files));
  await node(page, 'agent:lead').click();
  await pasteText(page, JSON.stringify({ mcpServers: { marker: { command: 'node', args: ['start.mjs'] } } }));
  await expect(page.getByRole('status').filter({ hasText: 'Look only' })).toBeVisible();
  await pressRun(page);
  const dialog = page.getByRole('dialog', { name: 'Trust this folder?' });
  await expect(dialog.getByRole('region', { name: 'Programs it starts' })).toContainText('node start.mjs');
  expect(existsSync(mark)).toBe(false);
  await dialog.getByRole('button', { name: 'Trust and run' }).click();
  await expect(runFacts(page)).toContainText('Completed');
  expect(existsSync(mark)).toBe(true);
});

async function importZip(page: Page, name: string, files: Record<string, string>): Promise<void> {
  const zip = zipSync(Object.fromEntries(Object.entries(files).map(([file, text]) => [file, strToU8(text)])));
  await page.goto('/');
  await page.getByRole('button', { name: 'Import' }).click();
  const upload = { name: `${name}.zip`, mimeType: 'application/zip', buffer: Buffer.from(zip) };
  await page.getByLabel('Files to import').setInputFiles(upload);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page).toHaveURL(/\/p\//);
}

async function pressRun(page: Page): Promise<void> {
  await showPanel(page, 'Run');
  await page.getByRole('tab', { name: 'Run', exact: true }).click();
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Hello');
  await page.locator('form').getByRole('button', { name: 'Run', exact: true }).click();
}

async function openPalette(page: Page, command: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByPlaceholder('Type a command').fill(command);
  await page.keyboard.press('Enter');
}
