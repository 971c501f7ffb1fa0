import { expect, test } from './stage';

test('templates are in groups with a picture, are found by a word, and say if they need no key @full', async ({
  page,
  stage,
}) => {
  await stage.open('projects/several-projects');
  await page.getByRole('button', { name: 'New project' }).first().click();
  const dialog = page.getByRole('dialog');
  const trip = dialog.getByRole('region', { name: 'Start' }).getByRole('radio', { name: /^Trip / });
  await expect(trip).toContainText('Needs no key');
  await expect(trip.locator('svg path').first()).toBeAttached();
  await expect(dialog.getByRole('region', { name: 'Hooks' }).getByRole('radio')).toHaveCount(1);

  await dialog.getByRole('searchbox', { name: 'Search templates' }).fill('python');
  await expect(dialog.getByRole('radio')).toHaveText([/^Blank/, /^Python/]);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeVisible();
  await dialog.getByRole('searchbox', { name: 'Search templates' }).fill('no such');
  await expect(dialog.getByRole('status')).toHaveText('No template has these words.');
});
