import type { Page } from '@playwright/test';
import { createProject, readEvents, startRun, waitForEnd } from './api';
import { auditedKid } from './audited-kid';
import { runFacts, seriousFaults } from './pages';
import { expect, test } from './test';

/** These tests replay runs: finished and live, by keyboard, by slider, and from a link. */

/** Three children at once. One is tried twice, because it takes too long. A hook lowers what another asks for. */
const office = (timeoutMs: number, slowMs: number) => ({
  ...auditedKid,
  'callboard.yaml': `version: 1
entry: lead
delegations:
  lead:
    kid: { timeout_ms: ${timeoutMs}, max_attempts: 2 }
scripts:
  lead:
    - turns:
        - calls:
            - { tool: agent__kid, arguments: { text: count } }
            - { tool: agent__kid, arguments: { text: quick } }
            - { tool: agent__kid, arguments: { text: late } }
        - { text: All done., delay_ms: ${slowMs} }
  kid:
    - when_input_contains: count
      turns:
        - calls:
            - { tool: addOne, arguments: { x: 99 } }
          delay_ms: ${timeoutMs / 4}
        - { text: Eleven., delay_ms: ${timeoutMs / 8} }
    - when_input_contains: late
      turns:
        - { text: Too late., delay_ms: 60000 }
    - turns:
        - { text: Done., delay_ms: ${timeoutMs / 2} }
`,
});

async function finishedRun(baseURL: string | undefined): Promise<string> {
  const project = await createProject(baseURL ?? '', `Replay ${Date.now()}`, office(1_600, 100));
  const run = await startRun(baseURL ?? '', project, 'Begin');
  expect(await waitForEnd(baseURL ?? '', run)).toBe('completed');
  return run;
}

test('a run with parallel instances, a hook and a retry is replayed by keyboard', async ({ page, baseURL }) => {
  const run = await finishedRun(baseURL);
  const events = await readEvents(baseURL ?? '', run);
  const origin = events[0]?.at ?? 0;
  const timeOf = (kind: string, path: string) =>
    (events.find((one) => one.kind === kind && one.path === path)?.at ?? 0) - origin;

  await page.goto(`/r/${run}?tab=graph`);
  await expect(page.getByRole('treeitem')).toHaveCount(5);
  const kid = page.getByRole('list', { name: 'Graph of this run' }).getByRole('listitem').filter({ hasText: 'kid' });

  // Nothing has the focus: the keys work all the same.
  await page.keyboard.press('Home');
  await expect(page.getByRole('treeitem')).toHaveCount(0);
  await expect(runFacts(page)).toContainText('Running');
  await expect(runFacts(page)).toContainText('0 tokens');
  await expect(page.getByRole('list', { name: 'Calls and results' })).not.toContainText('addOne');
  await expect(kid).toContainText('Not yet');

  // All three are there, and none of the results.
  await page.goto(`/r/${run}?tab=graph&at=${timeOf('instance.started', 'lead/kid[3]') + 50}`);
  await expect(kid).toContainText('Running× 3');
  await expect(page.getByRole('treeitem')).toHaveCount(4);
  const history = page.getByRole('list', { name: 'Calls and results' });
  // The files were loaded before; no call has a result.
  await expect(history.getByText('result→')).toHaveCount(1);

  // Event by event until the tool has its answer, with the arguments that the hook made of it.
  await page.goto(`/r/${run}?at=${timeOf('tool.started', 'lead/kid[1]') - 1}`);
  await expect(history).toContainText('agent__kid');
  await expect(history).not.toContainText('addOne');
  await expect(async () => {
    await page.keyboard.press('ArrowRight');
    await expect(history).toContainText('addOne', { timeout: 500 });
  }).toPass();
  await expect(page.locator('[data-announcer]')).toContainText('play-head at');

  await page.keyboard.press('e');
  await expect(page.getByRole('tabpanel')).toContainText('Timed out');
  await page.keyboard.press('End');
  await expect(page.getByRole('treeitem')).toHaveCount(5);
  await expect(runFacts(page)).toContainText('Completed');

  // The call and its result are two rows, and only the chosen one is marked.
  const result = history.getByRole('button', { name: /^result→/ }).first();
  await result.click();
  await expect(result).toHaveAttribute('aria-pressed', 'true');
  await expect(history.getByRole('button', { pressed: true })).toHaveCount(1);

  // A replay reaches the end by itself.
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('2');
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press(' ');
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible();
  await expect(runFacts(page)).toContainText('Completed');
});

test('a link gives the same picture in a browser that has never seen the page', async ({ page, baseURL, browser }) => {
  const run = await finishedRun(baseURL);
  await page.goto(`/r/${run}`);
  await page.getByRole('treeitem', { name: /kid\[1\]/ }).click();
  await page.getByRole('slider', { name: 'Moment of the run' }).press('PageDown');
  await page.getByRole('button', { name: 'Collapse lead' }).click();
  await expect(page).toHaveURL(/[?&]at=\d.*c=0|[?&]c=0.*at=\d/);
  const faults = await seriousFaults(page);
  expect(faults).toEqual([]);
  const address = page.url();
  const context = await browser.newContext({ storageState: await page.context().storageState() });
  try {
    const cold = await context.newPage();
    await cold.goto(address);
    await expect(cold.getByRole('treeitem')).toHaveCount(await page.getByRole('treeitem').count());
    expect(await pictureOf(cold)).toEqual(await pictureOf(page));
  } finally {
    await context.close();
  }
});

test('a run that goes on is looked at before now, and followed again', async ({ page, baseURL }) => {
  const project = await createProject(baseURL ?? '', `Live replay ${Date.now()}`, office(4_000, 3_000));
  const run = await startRun(baseURL ?? '', project, 'Begin');
  await page.goto(`/r/${run}`);
  await expect(page.getByRole('treeitem')).toHaveCount(4);
  await page.getByRole('slider', { name: 'Moment of the run' }).press('Home');
  await expect(page.getByRole('treeitem')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
  await page.getByRole('button', { name: 'Jump to now' }).click();
  await expect(page.getByRole('treeitem')).not.toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Jump to now' })).toBeDisabled();
  await expect(page.getByRole('treeitem')).toHaveCount(5);
});

/** What a person sees: rows, the status in the header, the place of the slider and the open tab. */
async function pictureOf(page: Page) {
  return {
    rows: await page.getByRole('treeitem').allTextContents(),
    marked: await page.locator('[role=treeitem][aria-selected=true]').allTextContents(),
    moment: await page.getByRole('slider', { name: 'Moment of the run' }).getAttribute('aria-valuetext'),
    tab: await page.getByRole('tab', { selected: true }).textContent(),
    details: await page.getByRole('tabpanel').locator('h2').first().textContent(),
  };
}
