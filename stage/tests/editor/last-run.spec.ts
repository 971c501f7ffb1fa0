import type { Page } from '@playwright/test';
import { drag, middleOf, node } from '@/e2e/canvas';
import { graph, seriousFaults } from '@/e2e/pages';
import { expect, test } from '../stage';

/** What a run did is shown at the nodes, wires and hooks of the canvas that it belongs to. */

test.beforeEach(async ({ stage }) => {
  await stage.open('editor/after-two-runs');
});

function inspector(page: Page) {
  return page.getByRole('region', { name: 'Inspector' });
}

function calls(page: Page) {
  return page.getByRole('list', { name: 'Calls, newest first' }).getByRole('button');
}

/** The card that shows while the pointer rests on something. */
function card(page: Page) {
  return page.locator('[data-last-call]');
}

async function openTab(page: Page) {
  await inspector(page).getByRole('tab', { name: 'Last run' }).click();
}

test('an agent shows each of its instances, and one of them in full with input and answer first', async ({ page }) => {
  await node(page, 'agent:kid').click();
  await openTab(page);
  await expect(inspector(page)).toContainText('4 calls · 2 failed');
  await expect(calls(page)).toHaveText([/late/, /late/, /quick/, /count/]);

  await calls(page).filter({ hasText: 'count' }).click();
  const titles = inspector(page).getByRole('heading', { level: 3 });
  await expect(titles.filter({ hasText: /^(Input|Answer)$/ })).toHaveText(['Input', 'Answer']);
  await expect(inspector(page)).toContainText('Eleven.');
  expect(await seriousFaults(page)).toEqual([]);

  await inspector(page).getByRole('button', { name: 'hook audit' }).click();
  await expect(inspector(page)).toContainText('1 call');
  await expect(inspector(page)).toContainText('99');
});

test('a wire and a function show their calls', async ({ page, stage }) => {
  await openTab(page);
  await expect(inspector(page)).toContainText('Select an agent, a tool or a wire');
  await node(page, 'function:tools.ts:addOne').click();
  await expect(inspector(page)).toContainText('addOne1 call');
  await expect(inspector(page).getByRole('heading', { name: 'Arguments', exact: true })).toBeVisible();
  await expect(inspector(page).getByRole('heading', { name: 'Result', exact: true })).toBeVisible();

  await graph(page).locator('.react-flow__edge[data-id="delegation:agent:lead→agent:kid"]').click({ force: true });
  await stage.idle();
  await expect(inspector(page)).toContainText('lead → kid');
  // The call that was tried twice is one call of two instances.
  await expect(calls(page)).toHaveText([/late/, /quick/, /count/]);
});

test('another run is chosen by keys, and the canvas, the dock and the inspector show it', async ({ page, stage }) => {
  await node(page, 'agent:kid').click();
  await inspector(page).getByRole('tab', { name: 'Properties' }).focus();
  await page.keyboard.press('End');
  await expect(inspector(page).getByRole('tab', { name: 'Last run' })).toBeFocused();
  const runs = inspector(page).getByRole('combobox', { name: 'Run' });
  await expect(runs).toContainText('Begin');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(runs).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Try');
  await page.keyboard.press('Enter');
  await stage.idle();
  await expect(page.getByRole('region', { name: 'Run', exact: true })).toContainText('Try');
  await expect(inspector(page).getByRole('link', { name: 'Open' })).toHaveAttribute('href', '/r/before');

  // The error of the tool names a line of its file.
  await node(page, 'function:tools.ts:addOne').click();
  await inspector(page).getByRole('button', { name: 'tools.ts:2' }).click();
  await expect(page.getByRole('region', { name: 'Text editor' })).toContainText('tools.ts');
});

test('a line of a file that an answer names is opened, also where the answer is Markdown @full', async ({ page }) => {
  const run = page.getByRole('region', { name: 'Run', exact: true });
  await expect(run.getByRole('listitem').filter({ hasText: 'done' })).toHaveText('done, see tools.ts:1');
  await run.getByRole('button', { name: 'tools.ts:1' }).click();
  await expect(page.getByRole('region', { name: 'Text editor' })).toContainText('tools.ts');
});

test('the way to another call and back keeps the focus @full', async ({ page }) => {
  await node(page, 'agent:kid').click();
  await openTab(page);
  await calls(page).filter({ hasText: 'count' }).click();
  const way = inspector(page).getByRole('definition').getByRole('button').first();
  await way.press('Enter');
  const back = inspector(page).getByRole('button', { name: 'Back to the calls' });
  await expect(back).toBeFocused();
  await back.press('Enter');
  await expect(calls(page).first()).toBeFocused();
  await expect(calls(page).first()).toHaveAttribute('aria-pressed', 'true');
});

test('resting the pointer shows the last call, and pressing anything takes it away @full', async ({ page, stage }) => {
  const kid = await middleOf(node(page, 'agent:kid'));
  await page.mouse.move(kid.x, kid.y);
  await expect(card(page)).toHaveCount(0);
  await stage.pass(600);
  await expect(card(page)).toContainText('4 calls · 2 failed');
  await expect(card(page)).toContainText('late');
  await page.keyboard.press('Escape');
  await expect(card(page)).toHaveCount(0);

  await page.mouse.move(kid.x + 400, kid.y + 200);
  await drag(page, kid, { x: kid.x + 60, y: kid.y + 40 }, async () => {
    await stage.pass(600);
    await expect(card(page)).toHaveCount(0);
  });
});

test('what the run called and the canvas no longer draws is told @full', async ({ page, stage }) => {
  await node(page, 'agent:kid').click();
  await page.keyboard.press('F2');
  await page.keyboard.type('helper');
  await page.keyboard.press('Enter');
  await stage.idle();
  await openTab(page);
  await expect(inspector(page)).toContainText('This run did not call it.');
  const gone = inspector(page).getByRole('region', { name: 'Not in this project now' });
  await expect(gone.getByRole('listitem')).toHaveText([/agent\s*kid\s*4 calls/]);
});

test('the dock shows the input and the answer first, with its Markdown drawn @full', async ({ page }) => {
  const run = page.getByRole('region', { name: 'Run', exact: true });
  const titles = run.getByRole('heading', { level: 3 });
  await expect(titles).toHaveText(['Input', 'Answer']);
  await expect(run.getByRole('listitem').filter({ hasText: 'eleven' })).toBeVisible();
  await run.getByRole('button', { name: 'Answer as written' }).click();
  await expect(run).toContainText('The **list**:');
});
