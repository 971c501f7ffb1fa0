import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { startRun, waitForEnd } from './api';
import { auditedKid } from './audited-kid';
import { seriousFaults } from './pages';
import { expect, freshProject, test } from './test';

/** These tests save a run as files, and open the page that replays it without the app. */

const project = freshProject('Saved runs', {
  ...auditedKid,
  'callboard.yaml': `version: 1
entry: lead
scripts:
  lead:
    - turns:
        - calls:
            - { tool: agent__kid, arguments: { text: one } }
            - { tool: agent__kid, arguments: { text: two } }
        - { text: All done. }
  kid:
    - turns:
        - calls:
            - { tool: addOne, arguments: { x: 99 } }
          delay_ms: 200
        - { text: Eleven., delay_ms: 100 }
`,
});

async function saved(page: Page, item: RegExp): Promise<{ readonly name: string; readonly path: string }> {
  await page.getByRole('button', { name: 'Export' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: item }).click();
  const file = await download;
  return { name: file.suggestedFilename(), path: await file.path() };
}

test('a run is saved as pictures, and as a page that replays it without a network', async ({
  page,
  baseURL,
  browser,
}) => {
  const url = baseURL ?? '';
  const run = await startRun(url, project(), 'Begin');
  expect(await waitForEnd(url, run)).toBe('completed');
  await page.goto(`/r/${run}`);
  await expect(page.getByRole('treeitem')).toHaveCount(3);

  const svg = await saved(page, /SVG/);
  expect(svg.name).toBe(`run-${run}.svg`);
  const text = await readFile(svg.path, 'utf8');
  for (const name of ['lead', 'kid[1]', 'kid[2]', '3 instances']) expect(text).toContain(`>${name}</text>`);
  const png = await readFile((await saved(page, /PNG/)).path);
  // Width and height are in the header of a PNG file. The size of the SVG file is half of it.
  const [width, height] = [png.readUInt32BE(16) / 2, png.readUInt32BE(20) / 2];
  expect(text).toContain(`width="${width}" height="${height}"`);

  const html = test.info().outputPath('run.html');
  await page.getByRole('button', { name: 'Export' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /HTML/ }).click();
  await (await download).saveAs(html);
  const context = await browser.newContext({ offline: true, viewport: { width: 1440, height: 900 } });
  try {
    await replay(await context.newPage(), pathToFileURL(html).href);
  } finally {
    await context.close();
  }
});

async function replay(page: Page, address: string): Promise<void> {
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('request', (request) => request.url() === address || troubles.push(request.url()));
  await page.goto(address);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('lead');
  const steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem');
  const detail = page.getByRole('region', { name: 'Selection' });

  // From the start, event by event, until the tool is called: its arguments are there, its result is not.
  await page.keyboard.press('Home');
  await expect(steps.filter({ hasText: 'addOne' })).toHaveCount(0);
  const called = detail.getByRole('heading', { name: 'addOne', exact: true });
  for (let events = 0; events < 60 && !(await called.isVisible()); events++) await page.keyboard.press('ArrowRight');
  await expect(called).toBeVisible();
  await expect(detail).toContainText('"x": 99');
  await expect(detail).toContainText('running');
  await expect(detail).not.toContainText('Result');
  await page.keyboard.press('End');
  await expect(detail).toContainText('Result');
  await steps.filter({ hasText: 'audit' }).first().getByRole('button').click();
  await expect(detail).toContainText('hooks.ts:audit');

  // A click on the bars selects, too: at its upper edge a row shows only the bar of its instance.
  const bars = page.getByRole('img', { name: /^Bars of/ });
  await bars.click({ position: { x: 1380, y: 27 } });
  await expect(detail.getByRole('heading', { name: 'lead', exact: true })).toBeVisible();
  await expect(detail).toContainText('All done.');

  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('2');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await expect(steps.filter({ hasText: 'addOne' })).toHaveCount(2);
  expect(await seriousFaults(page)).toEqual([]);
  expect(troubles).toEqual([]);
}
