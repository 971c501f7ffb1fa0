import { readFile } from 'node:fs/promises';
import { createProject, startRun, waitForEnd } from '../api';
import { seriousFaults } from '../pages';
import { expect, test } from '../test';

/** A text that is too long to show at once. */

const letters = 1_500_000;
const large = `begin ${'word '.repeat(letters / 5)}end`;
const echo = {
  'agent-cards/lead.md': '---\nname: lead\ndefault: true\nmodel: passthrough\n---\nSay it again.\n',
};

test('a large answer is shown in pages, and comes whole as a file', async ({ page, baseURL }, info) => {
  const url = baseURL ?? '';
  const project = await createProject(url, 'Large answer', echo);
  const run = await startRun(url, project, large);
  expect(await waitForEnd(url, run)).toBe('completed');

  await page.goto(`/r/${run}`);
  const pages = page.getByRole('navigation', { name: 'Pages of answer' });
  const total = large.length.toLocaleString('en-US');
  await expect(pages).toContainText(`1 to 20,000 of ${total} characters`);
  await pages.getByRole('button', { name: 'Next' }).click();
  await expect(pages).toContainText(`20,001 to 40,000 of ${total} characters`);
  await pages.getByRole('button', { name: 'Previous' }).click();
  await expect(pages).toContainText(`1 to 20,000 of ${total} characters`);
  expect((await page.content()).length).toBeLessThan(500_000);
  await page.screenshot({ path: info.outputPath('large-answer.png') });
  expect(await seriousFaults(page)).toEqual([]);

  const waiting = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download' }).first().click();
  const file = await readFile(await (await waiting).path(), 'utf8');
  expect(file).toBe(large);
});
