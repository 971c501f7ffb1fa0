import { lanes, seriousFaults } from '@/e2e/pages';
import { expect, test } from '../stage';

/** The bars of a run: table, search, order and height of lanes, and what is counted. */

test.beforeEach(async ({ stage }) => {
  await stage.open('run/fourteen-children');
});

test('bars show again after the table', async ({ page }) => {
  await expect(lanes(page).getByRole('treeitem', { name: /kid\[2\]/ })).toBeVisible();
  await page.getByRole('button', { name: 'Show as table' }).click();
  await expect(page.getByRole('table', { name: 'Spans in order of start' })).toBeVisible();
  await page.getByRole('button', { name: 'Show bars' }).click();
  await expect(lanes(page).getByRole('treeitem', { name: /kid\[2\]/ })).toBeVisible();
  await expect(page.getByRole('img', { name: /^Bars of/ })).toBeVisible();
});

test('a wide history that was chosen on a large screen leaves room for the details on a small one', async ({
  page,
}) => {
  await page.evaluate(() => localStorage.setItem('callboard.panel.run-history', '1400'));
  await page.setViewportSize({ width: 768, height: 900 });
  await page.reload();
  await expect(page.getByRole('tabpanel')).toContainText('All done.');
  expect((await page.getByRole('tabpanel').boundingBox())?.width).toBeGreaterThan(300);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(768);
});

test('a search finds what was said, keeps only its lanes, and is walked by keys', async ({ page }) => {
  await expect(lanes(page)).toBeVisible();
  await page.keyboard.press('/');
  const field = page.getByRole('searchbox', { name: 'Search this run' });
  await expect(field).toBeFocused();
  await page.keyboard.type('LIGHTHOUSE');
  await expect(page.getByText(/^\d+ found$/)).toBeVisible();
  await expect(lanes(page).getByRole('treeitem', { name: /kid\[3\]/ })).toBeVisible();
  await expect(lanes(page).getByRole('treeitem', { name: /kid\[4\]/ })).toBeHidden();
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^1 of \d+$/)).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Selection' })).toHaveAttribute('aria-selected', 'true');
  await expect(page).toHaveURL(/f=LIGHTHOUSE/);
  await page.keyboard.press('Escape');
  await expect(lanes(page).getByRole('treeitem', { name: /kid\[4\]/ })).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
});

test('the slowest children are on top in one action, and the others are folded', async ({ page }) => {
  await expect(lanes(page)).toBeVisible();
  await page.getByRole('button', { name: 'Lanes' }).click();
  await page.getByRole('menuitemradio', { name: 'Slowest first' }).click();
  await expect(lanes(page).getByRole('treeitem').nth(1)).toContainText('kid[9]');
  await expect(lanes(page).getByText('+4 more')).toBeVisible();
  await page.getByRole('button', { name: 'Next slowest' }).click();
  await expect(lanes(page).getByRole('treeitem', { name: /kid\[9\]/ })).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('button', { name: 'Lanes' }).click();
  await page.getByRole('menuitemradio', { name: 'Lines (2 px)' }).click();
  await expect(lanes(page).getByRole('treeitem', { name: /kid\[9\]/ })).toBeVisible();
  await expect(lanes(page).getByRole('treeitem', { name: /kid\[2\]/ })).toBeHidden();
  expect(await seriousFaults(page)).toEqual([]);
});
