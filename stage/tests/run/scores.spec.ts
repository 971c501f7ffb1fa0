import { seriousFaults } from '@/e2e/pages';
import { expect, test } from '../stage';

test('a run and a call of it are scored by mouse and by keyboard', async ({ page, stage }) => {
  await stage.open('run/a-hook-and-a-retry');
  const ofRun = page.getByRole('group', { name: 'Score of the run' });
  await ofRun.getByRole('button', { name: 'Bad' }).click();
  await expect(ofRun.getByRole('button', { name: 'Bad' })).toHaveAttribute('aria-pressed', 'true');

  await ofRun.getByRole('button', { name: 'Score 0' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Scores of the run' });
  await expect(dialog.getByRole('textbox', { name: 'Value' })).toHaveValue('0');
  await dialog.getByRole('textbox', { name: 'Value' }).fill('1.2');
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  await expect(dialog.getByText('A number from 0 to 1.')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Value' }).fill('0.25');
  await dialog.getByRole('textbox', { name: 'Note' }).fill('It is 8.\n<b>Not 9.</b>');
  expect(await seriousFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(ofRun.getByRole('button', { name: 'Score 0.25' })).toBeFocused();
  await expect(page.getByRole('list', { name: 'Scores of the run' })).toContainText('It is 8.\n<b>Not 9.</b>');

  await page.getByRole('list', { name: 'Calls and results' }).getByText('addOne').first().click();
  const ofCall = page.getByRole('group', { name: 'Score of the selection' });
  for (const score of ['Score 1', 'Score', 'Score 1']) {
    await ofCall.getByRole('button', { name: 'Good' }).click();
    await expect(ofCall.getByRole('button', { name: score, exact: true })).toBeVisible();
  }
  await expect(ofRun.getByRole('button', { name: 'Score 0.25' })).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
});

test('a score that is refused is not shown @full', async ({ page, stage }) => {
  await stage.open('run/fourteen-children');
  await stage.trouble('r/[run]/score-actions.score', { kind: 'refused', code: 'forbidden', message: 'Ask Ada.' }, 1);
  const ofRun = page.getByRole('group', { name: 'Score of the run' });
  await ofRun.getByRole('button', { name: 'Good' }).click();
  await expect(page.getByText('Ask Ada.')).toBeVisible();
  await expect(ofRun.getByRole('button', { name: 'Good' })).toHaveAttribute('aria-pressed', 'false');
});
