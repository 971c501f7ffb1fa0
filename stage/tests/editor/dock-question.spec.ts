import type { Locator } from '@playwright/test';
import { showPanel } from '@/e2e/pages';
import { expect, test } from '../stage';

test('the buttons of a long question of a run are in view, also in a low dock @full @phone-full', async ({
  page,
  stage,
}) => {
  await stage.open('editor/with-a-run-that-asks');
  await showPanel(page, 'Run');
  const resize = page.getByRole('separator', { name: 'Resize Dock' });
  if (await resize.isVisible()) await resize.press('Home');
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Go');
  await page.getByRole('textbox', { name: 'Message', exact: true }).press('ControlOrMeta+Enter');
  const question = page.getByRole('region', { name: 'Question to answer' });
  const letter = question.getByText('Line 1 of the letter.').first();
  await expect(letter).toBeVisible();
  await stage.pass(1_000);
  for (const name of ['Approve', 'Decline…'])
    await expectInside(
      question.getByRole('button', { name, exact: true }),
      page.getByRole('tabpanel', { name: 'Run' }),
    );
  // What is asked about is in view too, and scrolls behind the buttons.
  const room = await question.evaluate((box) => box.clientHeight);
  expect(room).toBeGreaterThan(100);
  await question.getByRole('button', { name: 'Decline…' }).click();
  await expectInside(
    question.getByRole('button', { name: 'Decline', exact: true }),
    page.getByRole('tabpanel', { name: 'Run' }),
  );
});

/** Expects a button to be in view: what is at its middle is the button, and it is inside the panel. */
async function expectInside(button: Locator, panel: Locator): Promise<void> {
  const [inner, outer] = [await button.boundingBox(), await panel.boundingBox()];
  if (inner === null || outer === null) throw new Error('It is not shown.');
  expect(inner.y).toBeGreaterThanOrEqual(outer.y);
  expect(inner.y + inner.height).toBeLessThanOrEqual(outer.y + outer.height);
  const isOnTop = await button.evaluate((shown) => {
    const { left, top, width, height } = shown.getBoundingClientRect();
    return shown.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });
  expect(isOnTop).toBe(true);
}
