import { createProject, startRun, waitForEnd } from './api';
import { lanes, seriousFaults } from './pages';
import { expect, test } from './test';

/** These tests cover the bars of the run page: table, search, order and height of lanes, and what is counted. */

const card = (name: string, fields = '') => `---\nname: ${name}\n${fields}---\nDo as you are told.\n`;

/** `lead` calls 14 children at once. The ninth is the slowest, and the third is told of a lighthouse. */
const fanOut = {
  'agent-cards/lead.md': card('lead', 'default: true\nagents: [kid]\n'),
  'agent-cards/kid.md': card('kid'),
  'callboard.yaml': `version: 1
entry: lead
scripts:
  lead:
    - turns:
        - calls:
${Array.from({ length: 14 }, (_, n) => `            - { tool: agent__kid, arguments: { text: ${textOf(n + 1)} } }`).join('\n')}
        - text: All done.
  kid:
    - when_input_contains: slowly
      turns:
        - { text: Slow work., delay_ms: 900 }
    - turns:
        - { text: Quick work., delay_ms: 100 }
`,
};

function textOf(n: number): string {
  return n === 9 ? 'slowly' : n === 3 ? 'the lighthouse' : `part ${n}`;
}

let run = '';

test.beforeAll(async ({ baseURL }) => {
  const url = baseURL ?? '';
  run = await startRun(url, await createProject(url, 'Bars', fanOut), 'Go');
  await waitForEnd(url, run);
});

test('bars show again after the table', async ({ page }) => {
  await page.goto(`/r/${run}`);
  await expect(lanes(page).getByRole('treeitem', { name: /kid\[2\]/ })).toBeVisible();
  await page.getByRole('button', { name: 'Show as table' }).click();
  await expect(page.getByRole('table', { name: 'Spans in order of start' })).toBeVisible();
  await page.getByRole('button', { name: 'Show bars' }).click();
  await expect(lanes(page).getByRole('treeitem', { name: /kid\[2\]/ })).toBeVisible();
  await expect(page.getByRole('img', { name: /^Bars of/ })).toBeVisible();
});

test('a wide history that was chosen on a large screen leaves room for the details on a small one', async ({
  page,
}) => {
  await page.goto(`/r/${run}`);
  await page.evaluate(() => localStorage.setItem('callboard.panel.run-history', '1400'));
  await page.setViewportSize({ width: 768, height: 900 });
  await page.reload();
  await expect(page.getByRole('tabpanel')).toContainText('All done.');
  expect((await page.getByRole('tabpanel').boundingBox())?.width).toBeGreaterThan(300);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(768);
});

test('a search finds what was said, keeps only its lanes, and is walked by keys', async ({ page }) => {
  await page.goto(`/r/${run}`);
  await expect(lanes(page)).toBeVisible();
  await page.keyboard.press('/');
  const field = page.getByRole('searchbox', { name: 'Search this run' });
  await expect(field).toBeFocused();
  await page.keyboard.type('LIGHTHOUSE');
  await expect(page.getByText(/^\d+ found$/)).toBeVisible();
  await expect(lanes(page).getByRole('treeitem', { name: /kid\[3\]/ })).toBeVisible();
  await expect(lanes(page).getByRole('treeitem', { name: /kid\[4\]/ })).toBeHidden();
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^1 of \d+$/)).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Selection' })).toHaveAttribute('aria-selected', 'true');
  await expect(page).toHaveURL(/f=LIGHTHOUSE/);
  await page.keyboard.press('Escape');
  await expect(lanes(page).getByRole('treeitem', { name: /kid\[4\]/ })).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
});

test('the slowest children are on top in one action, and the others are folded', async ({ page }) => {
  await page.goto(`/r/${run}`);
  await expect(lanes(page)).toBeVisible();
  await page.getByRole('button', { name: 'Lanes' }).click();
  await page.getByRole('menuitemradio', { name: 'Slowest first' }).click();
  await expect(lanes(page).getByRole('treeitem').nth(1)).toContainText('kid[9]');
  await expect(lanes(page).getByText('+4 more')).toBeVisible();
  await page.getByRole('button', { name: 'Next slowest' }).click();
  await expect(lanes(page).getByRole('treeitem', { name: /kid\[9\]/ })).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('button', { name: 'Lanes' }).click();
  await page.getByRole('menuitemradio', { name: 'Lines (2 px)' }).click();
  await expect(lanes(page).getByRole('treeitem', { name: /kid\[9\]/ })).toBeVisible();
  await expect(lanes(page).getByRole('treeitem', { name: /kid\[2\]/ })).toBeHidden();
  expect(await seriousFaults(page)).toEqual([]);
});
