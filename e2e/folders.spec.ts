import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { unzipSync } from 'fflate';
import { exampleFiles } from './api';
import { expectSaveState, graph, openProject, save, showPanel, showWholeGraph } from './pages';
import { expect, test } from './test';

/** Files that a careless importer would change: CRLF, a BOM, tabs, no last newline, bytes that are not text. */
const odd: Record<string, Uint8Array> = {
  'agent-cards/lead.md': text(
    '\uFEFF---\r\nname:   lead # the boss\r\nagents: [ helper ]\r\nunknown_key: kept\r\n---\r\nLead.',
  ),
  'agent-cards/helper.md': text("---\ndescription: 'Helps'   # why not\n---\nHelp with `x: y`.\n\n\n"),
  'data/blob.bin': Uint8Array.from([0, 255, 254, 1, 2, 10, 13]),
  'notes/with space.txt': text('no newline at the end'),
};

test('an imported folder is exported without a byte changed', async ({ page }) => {
  const name = `odd-${Date.now()}`;
  await importFolder(page, name, odd);
  expect(await exported(page, name)).toEqual(new Map(Object.entries(odd).map(([file, bytes]) => [file, [...bytes]])));
});

test('renaming an agent changes only the lines that name it, and its file follows @full', async ({ page }) => {
  const name = `office-${Date.now()}`;
  const before = exampleFiles('pmo');
  await importFolder(page, name, mapValues(before, text));
  await openProject(page, name);

  await graph(page).getByText('London-Project-Manager', { exact: true }).click();
  await showPanel(page, 'Inspector');
  const field = page.getByLabel('Name', { exact: true });
  await field.fill('Leeds-Manager');
  await field.press('Enter');
  await showPanel(page, 'Canvas');
  await expect(graph(page).getByText('Leeds-Manager', { exact: true })).toBeVisible();
  await save(page);

  const after = await exported(page, name);
  for (const [file, content] of Object.entries(before)) {
    const lines = content.split('\n');
    const now = Buffer.from(after.get(file.replace('London-Project-Manager', 'Leeds-Manager')) ?? [])
      .toString('utf8')
      .split('\n');
    expect(now).toHaveLength(lines.length);
    const touched = lines.filter((line, index) => line !== now[index]);
    const naming = lines.filter((line, index) => line !== now[index] && line.includes('London-Project-Manager'));
    expect(touched).toEqual(naming);
  }
  expect(Buffer.from(after.get('agent-cards/PMO-orchestrator.md') ?? []).toString('utf8')).toContain(
    '  - Leeds-Manager\n',
  );
});

test('half-typed text shows its error and line while the graph stays @full', async ({ page }) => {
  const name = `typing-${Date.now()}`;
  await importFolder(page, name, mapValues(exampleFiles('pmo'), text));
  await openProject(page, name);
  await graph(page).getByText('London-Project-Manager', { exact: true }).click();
  await showPanel(page, 'Inspector');
  await page.getByRole('tab', { name: 'Card', exact: true }).click();
  const editor = page.getByRole('textbox', { name: /Text of/ });
  await editor.getByText('servers:').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' [time');
  await showPanel(page, 'Run');
  await page.getByRole('tab', { name: /Problems/ }).click();
  await expect(page.getByRole('region', { name: /London-Project-Manager\.md/ })).toContainText(/YAML/);
  await showPanel(page, 'Canvas');
  await expect(graph(page).getByText('London-Project-Manager', { exact: true })).toBeVisible();
});

test('a place on the canvas is remembered @full', async ({ page }) => {
  const name = `places-${Date.now()}`;
  await importFolder(page, name, mapValues(exampleFiles('pmo'), text));
  await openProject(page, name);
  await showWholeGraph(page);
  const node = graph(page).getByText('time', { exact: true }).first();
  await expect(node).toBeVisible();
  const from = await node.boundingBox();
  if (!from) throw new Error('The node has no place');
  await page.mouse.move(from.x + 5, from.y + 5);
  await page.mouse.down();
  await page.mouse.move(from.x + 5, from.y + 45, { steps: 5 });
  await page.mouse.move(from.x + 5, from.y + 85, { steps: 5 });
  await page.mouse.up();
  await save(page);
  const settings = Buffer.from((await exported(page, name)).get('callboard.yaml') ?? []).toString('utf8');
  const original = exampleFiles('pmo')['callboard.yaml'] ?? '';
  expect(settings).not.toBe(original);
  const changed = settings.split('\n').filter((line) => !original.split('\n').includes(line));
  expect(changed).toHaveLength(1);
  expect(changed[0]).toContain('server:time');
});

test('saving over a newer version takes over what others changed @full', async ({ page, request, baseURL }) => {
  const name = `shared-${Date.now()}`;
  await importFolder(page, name, mapValues(exampleFiles('pmo'), text));
  const id = new URL(page.url()).pathname.split('/')[2];
  const found = await (await request.get(`${baseURL}/api/v1/projects/${id}`)).json();
  const theirs = await request.patch(`${baseURL}/api/v1/projects/${id}/files`, {
    data: { baseVersion: found.version, changes: [{ path: 'README.md', text: 'Theirs\n' }] },
  });
  expect(theirs.ok()).toBe(true);

  await showPanel(page, 'Canvas');
  await graph(page).getByText('London-Project-Manager', { exact: true }).click();
  await showPanel(page, 'Inspector');
  const field = page.getByLabel('Description', { exact: true });
  await field.fill('Mine');
  await field.blur();
  await expect(page.getByText('Another window changed README.md.')).toBeVisible();
  await expectSaveState(page, 'Saved');
  const after = await exported(page, name);
  expect(Buffer.from(after.get('README.md') ?? []).toString('utf8')).toBe('Theirs\n');
  expect(Buffer.from(after.get('agent-cards/London-Project-Manager.md') ?? []).toString('utf8')).toContain(
    'description: Mine',
  );
});

async function importFolder(page: Page, name: string, files: Record<string, Uint8Array>): Promise<void> {
  const root = path.join(mkdtempSync(path.join(tmpdir(), 'callboard-import-')), name);
  for (const [file, bytes] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), bytes);
  }
  await page.goto('/');
  await page.getByRole('button', { name: 'Import' }).click();
  await page.getByLabel('Folder to import').setInputFiles(root);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page).toHaveURL(/\/p\//);
}

/** Downloads the project's zip as a user does, from the projects page. */
async function exported(page: Page, name: string): Promise<Map<string, number[]>> {
  await page.goto('/');
  await page.getByRole('button', { name: `Actions of ${name}` }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /^Export/ }).click();
  const files = unzipSync(readFileSync(await (await download).path()));
  return new Map(Object.entries(files).map(([file, bytes]) => [file, [...bytes]]));
}

function text(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}

function mapValues<A, B>(record: Record<string, A>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
