import type { Page } from '@playwright/test';
import { drag, middleOf } from '@/e2e/canvas';
import { expect, test } from '../stage';

/** The panels around the canvas: their handles, by mouse and by keyboard. A phone has no panels side by side. */

test.skip(({ viewport }) => (viewport?.width ?? 0) < 1000, 'shows one panel at a time');

const files = {
  'agent-cards/lead.md': '---\nname: lead\ndefault: true\n---\nLead.\n',
};

test('a handle is dragged, and the size is the same after a reload', async ({ page, stage }) => {
  await stage.openEditor(files);
  const before = await widthOf(page);
  await pull(page, -120);
  expect(await widthOf(page)).toBe(before + 120);
  await page.reload();
  await expect.poll(() => widthOf(page)).toBe(before + 120);
  await pull(page, 60);
  expect(await widthOf(page)).toBe(before + 60);
});

test('a panel that is dragged shut opens again with a double click', async ({ page, stage }) => {
  await stage.openEditor(files);
  const before = await widthOf(page);
  await pull(page, before - 20);
  await expect(inspector(page)).toBeHidden();
  await expect(handle(page)).toHaveAttribute('aria-valuenow', '0');
  await handle(page).dblclick();
  await expect(inspector(page)).toBeVisible();
  expect(await widthOf(page)).toBe(before);
});

test('keys resize a panel, up to its limits, and close and open it', async ({ page, stage }) => {
  await stage.openEditor(files);
  const before = await widthOf(page);
  await handle(page).focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => widthOf(page)).toBe(before + 16);
  await page.keyboard.press('Shift+ArrowLeft');
  await expect.poll(() => widthOf(page)).toBe(before + 80);
  await page.keyboard.press('Home');
  await expect.poll(() => widthOf(page)).toBe(280);
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => widthOf(page)).toBe(280);
  await page.keyboard.press('Enter');
  await expect(inspector(page)).toBeHidden();
  await page.keyboard.press('Enter');
  await expect.poll(() => widthOf(page)).toBe(280);
});

function inspector(page: Page) {
  return page.getByRole('region', { name: 'Inspector', exact: true });
}

function handle(page: Page) {
  return page.getByRole('separator', { name: 'Resize Inspector' });
}

async function widthOf(page: Page): Promise<number> {
  return Math.round((await inspector(page).boundingBox())?.width ?? 0);
}

/** Drags the handle of the inspector to the right, or to the left for a negative number of pixels. */
async function pull(page: Page, pixels: number): Promise<void> {
  const start = await middleOf(handle(page));
  await drag(page, start, { x: start.x + pixels, y: start.y });
}
