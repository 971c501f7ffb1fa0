import { compose } from './compose';
import { expect, test } from './stage';

/** The Enter that takes a word of an input method does nothing else, on each page with a field that keys act on. */

test('no message is sent and no filter is set by a word of an input method @full', async ({ page, stage }) => {
  await stage.open('chat/none-yet');
  const message = page.getByRole('textbox', { name: 'Message', exact: true });
  await message.click();
  await compose(page, message, ['こ', 'こん'], '今日は');
  await expect(message).toHaveValue('今日は');

  await stage.open('runs/every-state');
  const before = page.url();
  const filter = page.getByRole('combobox', { name: 'Add a filter' });
  await filter.click();
  await compose(page, filter, ['し', 'しっ'], '失敗');
  expect(page.url()).toBe(before);
  await page.keyboard.press('Enter');
  await expect(page).not.toHaveURL(before);
});

test('no question is answered, and no run searched, by a word of an input method @full', async ({ page, stage }) => {
  await stage.open('inbox/several-questions');
  const question = page.getByRole('article', { name: 'Question', exact: true });
  await question
    .getByRole('button', { name: /^Decline/ })
    .first()
    .click();
  const reason = question.getByRole('textbox', { name: 'Reason' });
  await reason.click();
  await compose(page, reason, ['だ', 'だめ'], '駄目');

  await stage.open('run/fourteen-children');
  const search = page.getByRole('searchbox', { name: 'Search this run' });
  await search.click();
  await compose(page, search, ['さ', 'さが'], '探す');
  await expect(page.getByRole('tab', { name: 'Selection' })).toHaveAttribute('aria-selected', 'false');
});
