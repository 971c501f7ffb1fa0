import { seriousFaults } from '@/e2e/pages';
import { expect, test } from './stage';

/** A draft that is behind gets what is live. */

test('conflicts of a draft with live are shown in three versions, and each gets a choice', async ({ page, stage }) => {
  await stage.open('revisions/several-revisions');
  await page.getByRole('button', { name: 'Update from live: draft shorter' }).click();
  const dialog = page.getByRole('dialog', { name: 'Live changed what the draft shorter changed' });
  const writer = dialog.getByRole('region', { name: 'Differences in agent-cards/writer.md' });
  await expect(writer.getByText('Changed in live')).toBeVisible();
  await expect(writer.getByText('Keep them shorter than 300 words.')).toBeVisible();
  await stage.idle();
  expect(await seriousFaults(page)).toEqual([]);
  await writer.getByRole('radio', { name: 'Live' }).check();
  await dialog.getByRole('button', { name: 'Save this choice' }).click();
  await expect(dialog).toBeHidden();
  expect(await stage.inputsOf('p/[project]/revisions/actions.updateDraft')).toMatchObject([
    { draft: 'shorter', request: {} },
    {
      draft: 'shorter',
      request: { version: 7, live: 3, resolutions: { 'agent-cards/writer.md': 'theirs', 'notes.md': 'ours' } },
    },
  ]);
});
