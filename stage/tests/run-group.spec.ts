import { seriousFaults } from '@/e2e/pages';
import { expect, test } from './stage';

test('the runs of a correlation id are on one axis, with sums, and lead to the run before and after @phone-full', async ({
  page,
  stage,
}) => {
  await stage.open('runs/a-correlation-id');
  await expect(page.getByRole('main').getByText('nightly-2026-11-29')).toBeVisible();
  const rows = page.getByRole('list', { name: 'Runs' }).getByRole('link');
  await expect(rows).toHaveCount(14);
  await expect(rows.nth(4)).toHaveAttribute('aria-current', 'true');
  await expect(page.getByRole('link', { name: 'Previous run' })).toHaveAttribute('href', '/r/run-3');
  await expect(page.getByRole('link', { name: 'Next run' })).toHaveAttribute('href', '/r/run-5');
  await expect(page.getByText('1 active')).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
  // The bar of the run that goes on grows with the axis.
  await expect(rows.last()).toContainText(/[23] m \d\d s/);
  await stage.pass(120_000);
  await expect(rows.last()).toContainText(/[45] m \d\d s/);
});

test('of more than 1,000 runs the newest are drawn, and a sentence says so @full', async ({ page, stage }) => {
  await stage.open('runs/a-correlation-id-of-many');
  await expect(page.getByText('The newest 1,000 of 1,200 runs are drawn.')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Runs' }).getByRole('link')).toHaveCount(1_000);
});

test('the header of a group in the list has the sums of its runs, and leads to their axis @full', async ({
  page,
  stage,
}) => {
  await stage.open('runs/every-state');
  await expect(page.getByText('2 runs · 1 failed · 24.60 s · 3,080 tokens · $0.025')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Timeline of the runs of c', exact: true })).toHaveAttribute(
    'href',
    '/runs/group?id=c',
  );
});
