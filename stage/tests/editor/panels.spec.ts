import type { Page } from '@playwright/test';
import { drag, middleOf } from '@/e2e/canvas';
import { expect, test } from '../stage';

/** The panels around the canvas: their handles, by mouse and by keyboard. A phone has no panels side by side. */

test.skip(({ viewport }) => (viewport?.width ?? 0) < 1000, 'shows one panel at a time');

const files = {
  'agent-cards/lead.md': '---\nname: lead\ndefault: true\n---\nLead.\n',
};

test('a panel is resized by mouse and keys, up to its limits, is closed and opened, and keeps its size', async ({
  page,
  stage,
}) => {
  await stage.openEditor(files);
  const first = await widthOf(page);
  await pull(page, -120);
  expect(await widthOf(page)).toBe(first + 120);
  await page.reload();
  await expect.poll(() => widthOf(page)).toBe(first + 120);
  await pull(page, 60);
  expect(await widthOf(page)).toBe(first + 60);

  // Dragged shut, it opens with the size that it had.
  await pull(page, first + 40);
  await expect(inspector(page)).toBeHidden();
  await expect(handle(page)).toHaveAttribute('aria-valuenow', '0');
  await handle(page).dblclick();
  await expect(inspector(page)).toBeVisible();
  expect(await widthOf(page)).toBe(first + 60);

  await handle(page).focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => widthOf(page)).toBe(first + 76);
  await page.keyboard.press('Shift+ArrowLeft');
  await expect.poll(() => widthOf(page)).toBe(first + 140);
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
