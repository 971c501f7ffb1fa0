import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { z } from 'zod';
import { openEditor, save, seriousFaults } from './pages';
import { expect, freshProject, test } from './test';

/** Files that are not text in an open project. */

const project = freshProject('Binary files', {
  'agent-cards/lead.md': '---\nname: lead\ndefault: true\n---\nLead.\n',
});

/** A PNG of one red pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGO4IycHAALyARlzRAvLAAAAAElFTkSuQmCC',
  'base64',
);

const files = (page: Page) => page.getByRole('list', { name: 'Files' });
const choose = async (page: Page, path: string, verb: string) => {
  await page.getByRole('button', { name: `More for ${path}`, exact: true }).click();
  await page.getByRole('menuitem', { name: verb }).click();
};

/** Returns the saved files by path. One that is not text is `{ base64 }`. */
async function savedFiles(page: Page): Promise<Record<string, unknown>> {
  const answer = await page.request.get(`/api/v1/projects/${project()}/files`);
  return z.looseObject({ files: z.record(z.string(), z.unknown()) }).parse(await answer.json()).files;
}

test('a picture and a PDF are uploaded, shown, renamed, downloaded, deleted and brought back', async ({ page }) => {
  await openEditor(page, project());
  await page.getByRole('tab', { name: 'Files' }).click();
  const upload = page.locator('input[type=file][aria-label="Files to upload"]');
  await upload.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: png });
  const text = page.getByRole('region', { name: 'Text editor' });
  await expect(text.getByText('PNG image, 69 B, 1 × 1')).toBeVisible();
  await expect(text.getByRole('img', { name: 'Preview of logo.png' })).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);

  await upload.setInputFiles([
    { name: 'report.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\0\xff', 'latin1') },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes') },
  ]);
  await expect(files(page).getByRole('listitem').filter({ hasText: 'report.pdf' })).toContainText('PDF document');
  await choose(page, 'logo.png', 'Rename or move');
  await page.getByRole('textbox', { name: 'Path' }).fill('img/logo.png');
  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  await expect(text.getByRole('img', { name: 'Preview of img/logo.png' })).toBeVisible();
  await save(page);
  const saved = await savedFiles(page);
  expect(saved['notes.txt']).toBe('Notes');
  expect(saved['img/logo.png']).toEqual({ base64: png.toString('base64') });

  const download = page.waitForEvent('download');
  await choose(page, 'img/logo.png', 'Download');
  const file = await download;
  expect(file.suggestedFilename()).toBe('logo.png');
  expect(readFileSync(await file.path()).equals(png)).toBe(true);

  await choose(page, 'img/logo.png', 'Delete');
  await page.getByRole('button', { name: 'Delete file' }).click();
  await save(page);
  expect(Object.keys(await savedFiles(page))).not.toContain('img/logo.png');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await save(page);
  expect((await savedFiles(page))['img/logo.png']).toEqual({ base64: png.toString('base64') });
});
