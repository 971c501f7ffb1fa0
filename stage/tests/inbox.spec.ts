import type { Page } from '@playwright/test';
import { seriousFaults } from '@/e2e/pages';
import { expect, test } from './stage';

const list = (page: Page) => page.getByRole('navigation', { name: 'Questions' });
const question = (page: Page) => page.getByRole('article', { name: 'Question', exact: true });
const batch = (page: Page) => page.getByRole('article', { name: 'Selected questions' });
const isWide = (page: Page) => (page.viewportSize()?.width ?? 0) > 600;

/** Opens the first question: a phone shows the list alone. */
async function openFirst(page: Page): Promise<void> {
  if (!isWide(page)) await list(page).getByRole('button').first().click();
  await expect(question(page)).toBeVisible();
}

test('calls of one tool are selected and approved together @phone', async ({ page, stage }) => {
  await stage.open('inbox/several-questions');
  await expect(list(page).getByRole('checkbox')).toHaveCount(5);
  if (isWide(page)) {
    for (const key of ['x', 'j', 'x']) await page.keyboard.press(key);
  } else {
    for (const name of [/ann/, /bob/]) await list(page).getByRole('checkbox', { name }).click();
    await list(page).getByRole('button', { name: 'Answer 2 together' }).click();
  }
  await expect(batch(page)).toContainText("2 calls of 'send'");
  await expect(batch(page).getByRole('columnheader')).toHaveText(['Agent', 'to']);
  expect(await seriousFaults(page)).toEqual([]);
  await batch(page).getByRole('button', { name: 'Approve 2' }).click();
  await expect(list(page).getByRole('checkbox')).toHaveCount(3);
  expect(await stage.inputsOf('people-actions.answerAll')).toEqual([{ items: ['q1', 'q2'], decision: 'approve' }]);
});

test('a key acts on the selected question, also before the address of the page names it @full', async ({
  page,
  stage,
}) => {
  test.skip(!isWide(page), 'A phone has no keys, and shows the list alone.');
  await stage.open('inbox/several-questions');
  await expect(question(page)).toBeVisible();
  // The keys come faster than a transition of the router is rendered.
  await page.evaluate(async () => {
    for (const key of ['x', 'j', 'x']) {
      window.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      for (let turns = 0; turns < 10; turns++) await Promise.resolve();
    }
  });
  await expect(batch(page)).toContainText("2 calls of 'send'");
  await expect(list(page).locator('li').nth(1).getByRole('button')).toHaveAttribute('aria-current', 'true');
  await expect.poll(() => new URL(page.url()).searchParams.get('item')).toBe('q2');
});

test('an approval that is to be remembered says for which calls it will hold', async ({ page, stage }) => {
  await stage.open('inbox/several-questions');
  await openFirst(page);
  await question(page)
    .getByRole('button', { name: /^Approve and remember/ })
    .click();
  const rule = question(page).getByRole('form', { name: 'Approve and remember' });
  await rule.getByRole('combobox', { name: 'For' }).click();
  await page.getByRole('option', { name: 'The project', exact: true }).click();
  await expect(rule.getByRole('status')).toContainText('with exactly these arguments, by any agent of the project');
  await rule.getByRole('button', { name: 'Approve and remember' }).click();
  await expect(page.getByText('Approved. The run goes on.')).toBeVisible();
  expect(await stage.inputsOf('people-actions.answer')).toEqual([
    { item: 'q1', decision: 'approve', remember: { scope: 'project', match: 'equal' } },
  ]);
});

test('an answer that somebody else gave first is told, and nothing is lost', async ({ page, stage }) => {
  await stage.open('inbox/several-questions');
  await openFirst(page);
  await stage.trouble(
    'people-actions.answer',
    { kind: 'refused', code: 'conflict', message: 'Bo has answered it.' },
    1,
  );
  await question(page)
    .getByRole('button', { name: /^Decline/ })
    .click();
  await question(page).getByRole('textbox', { name: 'Reason' }).fill('Not this time.');
  await question(page).getByRole('button', { name: 'Decline', exact: true }).click();
  await expect(question(page).getByRole('alert')).toHaveText('Bo has answered it.');
  await expect(question(page).getByRole('textbox', { name: 'Reason' })).toHaveValue('Not this time.');
});

test('a value shows the characters that nobody sees, and the buttons stay in view below a long one @full @phone-full', async ({
  page,
  stage,
}) => {
  await stage.open('inbox/a-value-with-characters-that-nobody-sees');
  await openFirst(page);
  const account = question(page).getByRole('definition').first();
  await expect(account).toHaveText('DEU+202E33 22 11 00 99U+202C 55');
  await expect(account.getByTitle('right-to-left override')).toBeVisible();
  const approve = question(page).getByRole('button', { name: /^Approve( A)?$/ });
  await expect(approve).toBeInViewport();
  await question(page).getByText('Approved by ada@example.org already.').scrollIntoViewIfNeeded();
  await expect(approve).toBeInViewport();
  expect(await seriousFaults(page)).toEqual([]);
});
