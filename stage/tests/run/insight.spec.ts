import { seriousFaults } from '@/e2e/pages';
import { expect, test } from '../stage';

test('the tab Insight says where the time went, and its rows and the bars select each other', async ({
  page,
  stage,
}) => {
  await stage.open('run/queueing');
  await page.getByRole('tab', { name: 'Insight' }).click();
  const whole = page.getByRole('region', { name: 'Whole run' });
  await expect(whole.getByText('Model calls')).toBeVisible();
  const shares = await whole.getByRole('definition').allInnerTexts();
  const sum = shares.reduce((total, text) => total + Number(/([\d.]+) %/.exec(text)?.[1] ?? 0), 0);
  expect(Math.abs(sum - 100)).toBeLessThan(2);
  await expect(page.getByRole('region', { name: 'Before the first step' })).toContainText('Waiting for a worker');

  const queue = page.getByRole('region', { name: 'Queueing' });
  await expect(queue).toContainText('called 6 children');
  await queue.getByRole('slider').focus();
  await page.keyboard.press('End');
  await expect(queue).toContainText('If max_parallel were 6');
  await expect(queue.getByRole('status')).toContainText('less');

  await page.getByRole('button', { name: /^Stragglers/ }).click();
  await page
    .getByRole('grid', { name: 'Stragglers' })
    .getByRole('row', { name: /kid\[6\]/ })
    .first()
    .click();
  await page.getByRole('button', { name: /^Instances/ }).click();
  const table = page.getByRole('grid', { name: 'Totals by instance' });
  await expect(table.getByRole('row', { selected: true })).toContainText('kid[6]');
  await table.getByRole('button', { name: 'Max' }).click();
  await expect(table.getByRole('columnheader', { name: 'Max' })).toHaveAttribute('aria-sort', 'descending');
  await table.getByRole('row', { name: /kid\[2\]/ }).click();
  await expect(page.getByText(/\d bars highlighted/)).toBeVisible();
  await expect(page).toHaveURL(/tab=insight/);
  await expect(page).toHaveURL(/span=\d+/);

  await page.getByRole('button', { name: /^Critical path/ }).click();
  const path = page.getByRole('grid', { name: 'Critical path' });
  await path
    .getByRole('row', { name: /script/ })
    .last()
    .click();
  await expect(path.getByRole('row', { selected: true })).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
});
