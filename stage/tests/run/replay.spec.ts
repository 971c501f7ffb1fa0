import type { Page } from '@playwright/test';
import { runFacts, seriousFaults } from '@/e2e/pages';
import { expect, test } from '../stage';
import { letPass, timeOf } from './in-run';

/** Runs are replayed: finished and live, by keyboard, by slider, and from a link. */

test('a run with parallel instances, a hook and a retry is replayed by keyboard', async ({ page, stage }) => {
  await stage.open('run/a-hook-and-a-retry');
  await page.goto('/r/run?tab=graph');
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
  await page.goto(`/r/run?tab=graph&at=${(await timeOf(page, 'instance.started', 'lead/kid[3]')) + 50}`);
  await expect(kid).toContainText('Running× 3');
  await expect(page.getByRole('treeitem')).toHaveCount(4);
  const history = page.getByRole('list', { name: 'Calls and results' });
  // The files were loaded before; no call has a result.
  await expect(history.getByText('result→')).toHaveCount(1);

  // Event by event until the tool has its answer, with the arguments that the hook made of it.
  await page.goto(`/r/run?at=${(await timeOf(page, 'tool.started', 'lead/kid[1]')) - 1}`);
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

test('a link gives the same picture in a browser that has never seen the page @full', async ({
  page,
  stage,
  browser,
}) => {
  await stage.open('run/a-hook-and-a-retry');
  await page.getByRole('treeitem', { name: /kid\[1\]/ }).click();
  await page.getByRole('slider', { name: 'Moment of the run' }).press('PageDown');
  await page.getByRole('button', { name: 'Collapse lead' }).click();
  await expect(page).toHaveURL(/[?&]at=\d.*c=0|[?&]c=0.*at=\d/);
  const faults = await seriousFaults(page);
  expect(faults).toEqual([]);
  const address = page.url();
  const context = await browser.newContext();
  try {
    const cold = await context.newPage();
    await cold.addInitScript(() => sessionStorage.setItem('stage-scene', 'run/a-hook-and-a-retry'));
    await cold.goto(address);
    await expect(cold.getByRole('treeitem')).toHaveCount(await page.getByRole('treeitem').count());
    expect(await pictureOf(cold)).toEqual(await pictureOf(page));
  } finally {
    await context.close();
  }
});

test('a run that goes on is looked at before now, and followed again', async ({ page, stage }) => {
  await stage.open('run/going-on');
  await expect(page.getByRole('treeitem')).toHaveCount(4);
  await page.getByRole('slider', { name: 'Moment of the run' }).press('Home');
  await expect(page.getByRole('treeitem')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
  await page.getByRole('button', { name: 'Jump to now' }).click();
  await expect(page.getByRole('treeitem')).not.toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Jump to now' })).toBeDisabled();
  await letPass(page, 4_000);
  await expect(page.getByRole('treeitem')).toHaveCount(5);
});

test('failures are listed with what they ended, and one is gone to', async ({ page, stage }) => {
  await stage.open('run/a-hook-and-a-retry');
  await page.getByRole('button', { name: 'List of failures' }).click();
  const timedOut = page.getByRole('menuitem', { name: /^kid\[3\] .*It ended kid\[3\]$/ });
  await expect(timedOut).toHaveCount(1);
  expect(await seriousFaults(page)).toEqual([]);
  await timedOut.press('Enter');
  await expect(page.getByRole('tabpanel')).toContainText('Timed out');
});

test('the time window follows the play-head, unless that is switched off @full', async ({ page, stage }) => {
  await stage.open('run/fourteen-children');
  const play = async (query: string) => {
    await page.goto(`/r/run?${query}`);
    await expect(page.getByRole('treeitem').first()).toBeVisible();
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press(' ');
    await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  };
  await play('t=0-150&at=10');
  await expect(page).toHaveURL(/[?&]t=[1-9][\d.]*-/);
  await page.getByRole('button', { name: 'Follow the play-head' }).click();
  await play('t=0-150&at=10');
  await expect(page).toHaveURL(/[?&]t=0-150(&|$)/);
  await expect(page.getByRole('button', { name: 'Follow the play-head' })).toHaveAttribute('aria-pressed', 'false');
});

test('the history shows what is selected elsewhere, and is one Tab stop', async ({ page, stage }) => {
  await stage.open('run/fourteen-children');
  const history = page.getByRole('list', { name: 'Calls and results' });
  const stops = history.locator('button:not([tabindex="-1"]), a:not([tabindex="-1"])');
  await expect(stops).toHaveCount(1);
  await page.getByRole('treeitem', { name: /kid\[12\]/ }).click();
  const group = history.getByRole('button', { name: /kid\[12\]/ });
  await expect(group).toBeInViewport();
  await group.focus();
  await expect(stops).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await expect(history.getByRole('button', { name: /kid\[13\]/ })).toBeFocused();
});

test('the graph of a run shows what took part, and all of the project when asked @full', async ({ page, stage }) => {
  await stage.open('run/a-large-project');
  await page.goto('/r/run?tab=graph');
  const boxes = page.getByRole('list', { name: 'Graph of this run' }).getByRole('listitem');
  await expect(boxes).toHaveCount(2);
  await page.getByRole('button', { name: 'Show 14 more that took no part' }).click();
  await expect(boxes).toHaveCount(16);
  await page.getByRole('button', { name: 'Only what took part' }).click();
  await expect(boxes).toHaveCount(2);
});

test('a graph that does not fit opens at the agent with which the run began @full', async ({ page, stage }) => {
  await stage.open('run/many-agents');
  await page.goto('/r/run?tab=graph');
  await stage.idle();
  const graph = page.getByRole('list', { name: 'Graph of this run' });
  await expect(graph.getByRole('listitem').filter({ hasText: /^lead/ }).first()).toBeInViewport({ ratio: 1 });
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
