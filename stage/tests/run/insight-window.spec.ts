import { seriousFaults } from '@/e2e/pages';
import { expect, test } from '../stage';

test('Insight is about the window in view, and follows a zoom @full', async ({ page, stage }) => {
  await stage.open('run/queueing');
  await page.getByRole('tab', { name: 'Insight' }).click();
  const part = page.getByRole('group', { name: 'What is analysed' });
  await expect(part.getByRole('button', { name: 'Whole run' })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('region', { name: 'Before the first step' })).toBeVisible();
  const kids = page.getByRole('button', { name: /^Instances/ });
  const all = Number(/\d+/.exec(await kids.innerText())?.[0]);

  for (let press = 0; press < 5; press++) await page.getByRole('button', { name: 'Zoom in' }).click();
  await part.getByRole('button', { name: 'Window in view' }).click();
  await stage.pass(3_000);
  await expect(page.getByRole('region', { name: 'Window in view' })).toBeVisible();
  await expect(page.getByText(/ to .* · \d+ model calls? · \d+ tool calls?/)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Before the first step' })).toHaveCount(0);
  const inView = Number(/\d+/.exec(await kids.innerText())?.[0]);
  expect(inView).toBeLessThan(all);
  expect(await seriousFaults(page)).toEqual([]);

  await page.getByRole('button', { name: 'Whole run' }).first().click();
  await stage.pass(3_000);
  await expect(kids).toContainText(String(all));
});
