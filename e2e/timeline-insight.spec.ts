import type { Page } from '@playwright/test';
import { createProject, startRun, waitForEnd } from './api';
import { seriousFaults } from './pages';
import { expect, test } from './test';

/** These tests cover where the time of a run went, and what its hooks did. */

const card = (name: string, fields = '') => `---\nname: ${name}\n${fields}---\nDo as you are told.\n`;

/** Six children run two at a time, and the last of them takes much longer than the others. */
const children = [100, 120, 110, 100, 120, 900];
const queueing = {
  'agent-cards/lead.md': card('lead', 'default: true\nagents: [kid]\nmax_parallel: 2\n'),
  'agent-cards/kid.md': card('kid'),
  'callboard.yaml': `version: 1
entry: lead
scripts:
  lead:
    - turns:
        - calls:
${children.map((_, i) => `            - { tool: agent__kid, arguments: { text: take ${i} } }`).join('\n')}
        - text: All done.
  kid:
${children.map((ms, i) => `    - when_input_contains: take ${i}\n      turns:\n        - { text: Done., delay_ms: ${ms} }`).join('\n')}
`,
};

test('the tab Insight says where the time went, and its rows and the bars select each other', async ({
  page,
  baseURL,
}) => {
  await openRun(page, baseURL, 'Queueing', queueing);
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

async function openRun(
  page: Page,
  baseURL: string | undefined,
  name: string,
  files: Record<string, string>,
): Promise<string> {
  if (baseURL === undefined) throw new Error('The tests have no address');
  const run = await startRun(baseURL, await createProject(baseURL, name, files), 'Go.');
  await waitForEnd(baseURL, run);
  await page.goto(`/r/${run}`);
  return run;
}
