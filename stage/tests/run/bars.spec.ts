import { lanes, seriousFaults } from '@/e2e/pages';
import { expect, test } from '../stage';

/** The bars of a run: table, search, order and height of lanes, and what is counted. */

test.beforeEach(async ({ stage }) => {
  await stage.open('run/fourteen-children');
});

test('bars show again after the table, and a plain run has no switch for spans or waits that it does not have', async ({
  page,
}) => {
  await expect(lanes(page).getByRole('treeitem', { name: /kid\[2\]/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Clock on the axis' })).toBeVisible();
  for (const name of ['All spans', 'Shorten time without work']) {
    await expect(page.getByRole('button', { name })).toHaveCount(0);
  }
  await page.getByRole('button', { name: 'Show as table' }).click();
  await expect(page.getByRole('table', { name: 'Spans in order of start' })).toBeVisible();
  await page.getByRole('button', { name: 'Show bars' }).click();
  await expect(lanes(page).getByRole('treeitem', { name: /kid\[2\]/ })).toBeVisible();
  await expect(page.getByRole('img', { name: /^Bars of/ })).toBeVisible();
});

test('a wide history that was chosen on a large screen leaves room for the details on a small one @full', async ({
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

test('names and bars stay beside each other when a row out of view gets the focus by a click or by Tab @full', async ({
  page,
  stage,
}) => {
  await stage.open('run/a-thousand-children');
  await lanes(page).getByRole('treeitem', { name: 'kid[3]', exact: false }).first().click();
  await stage.idle();
  const bars = page.getByRole('img', { name: /^Bars of/ });
  const box = await bars.boundingBox();
  if (box === null) throw new Error('There are no bars.');
  const empty = { x: box.x + box.width - 20, y: box.y + box.height / 2 };
  await page.mouse.move(empty.x, empty.y);
  await page.mouse.wheel(0, 900);
  await stage.idle();
  const scrolled = () => lanes(page).evaluate((tree) => [tree.scrollTop, tree.closest('.overflow-y-auto')?.scrollTop]);
  const before = await scrolled();
  expect(before[1]).toBeGreaterThan(600);
  await page.mouse.click(empty.x, empty.y);
  await stage.idle();
  expect(await scrolled()).toEqual(before);
  await page.getByRole('searchbox', { name: 'Search this run' }).focus();
  for (let presses = 0; presses < 6; presses++) {
    await page.keyboard.press('Tab');
    if (await lanes(page).evaluate((tree) => tree.contains(document.activeElement))) break;
  }
  await stage.idle();
  expect((await scrolled())[0]).toBe(0);
  await expect(lanes(page).locator(':focus')).toBeInViewport();
});
