import type { Locator, Page } from '@playwright/test';
import { lanes, seriousFaults } from '@/e2e/pages';
import { decisions, fair, good, route } from '../../scenes/deciding-office';
import { expect, test } from '../stage';

/** What workflows decide is on the timeline, in the history, in the selection and in the graph, by mouse and by keyboard. */

test('decisions are read by mouse: from the history, from marks, in the selection and in the graph @phone-full', async ({
  page,
  stage,
}) => {
  await stage.open('run/decisions');

  const row = history(page).filter({ hasText: decisions.route });
  await expect(row).toContainText('decision→');
  await expect(row).toContainText(route.reasoning);
  await row.getByRole('button', { name: 'Show the reason' }).click();
  await expect(history(page).filter({ hasText: /^The customer asks/ })).toBeVisible();
  await row.getByRole('button', { name: 'Hide the reason' }).click();
  await expect(history(page).filter({ hasText: /^The customer asks/ })).toHaveCount(0);

  await row.getByRole('button', { name: decisions.route }).click();
  const candidates = details(page).getByRole('list', { name: 'Candidates' }).getByRole('listitem');
  await expect(candidates).toHaveText(['billingchosenconfidence high', 'sales']);
  await expect(details(page)).toContainText(route.reasoning);
  await details(page).getByRole('link', { name: 'billing[1]' }).click();
  await expect(details(page).getByRole('heading', { name: 'billing[1]' })).toBeVisible();

  for (const [text, wanted] of [
    [
      decisions.fair,
      ['FAIR on a scale from POOR to EXCELLENT; at least GOOD was asked for', fair.feedback, 'the date'],
    ],
    [
      decisions.good,
      ['GOOD on a scale from POOR to EXCELLENT; at least GOOD was asked for', good.feedback, 'Accepted'],
    ],
  ] as const) {
    await clickRow(page, text);
    await expect(details(page).getByRole('img', { name: wanted[0] }).first()).toBeVisible();
    await expect(details(page)).toContainText(wanted[1]);
    await expect(details(page)).toContainText(wanted[2]);
    await expect(details(page).getByRole('list', { name: 'Attempts' }).getByRole('listitem')).toHaveCount(2);
  }

  await clickRow(page, decisions.plan);
  const tasks = details(page).getByRole('list', { name: 'Tasks of step 1' }).getByRole('listitem');
  await expect(tasks).toHaveText([
    /Completed.*writer\[1\].*Write the letter/,
    /Completed.*checker\[1\].*Check the add/,
  ]);
  await expect(details(page)).toContainText('Plan: 2 of 2 tasks done');
  await expect(details(page)).toContainText('The plan was complete after 1 step.');

  await clickRow(page, decisions.votes);
  await expect(details(page).getByRole('list', { name: 'Votes per answer' })).toHaveText('Yes.3 votes');
  await expect(details(page).getByRole('img', { name: 'Lead after each sample: 1, 2, 3' })).toBeVisible();

  // The page is as it was at first: neither it nor the timeline is scrolled.
  await stage.open('run/decisions');
  await clickMark(page, await laneOf(page, 'desk[1]'));
  await expect(details(page).getByRole('heading', { name: decisions.route })).toBeVisible();

  await page.getByRole('tab', { name: 'Graph' }).click();
  await expect(page.getByText('Bold: chosen by a router')).toBeVisible();
  const nodes = page.getByRole('list', { name: 'Graph of this run' }).getByRole('listitem');
  await expect(nodes.filter({ hasText: 'billing' })).toContainText('chosen by desk');
  await expect(nodes.filter({ hasText: 'sales' })).not.toContainText('chosen by');
  await page.getByRole('slider', { name: 'Moment of the run' }).press('Home');
  await expect(nodes.filter({ hasText: 'billing' })).not.toContainText('chosen by');
});

test('decisions are read by keyboard, in the table, and pass the accessibility check @full', async ({
  page,
  stage,
}) => {
  await stage.open('run/decisions');

  const desk = await laneOf(page, 'desk[1]');
  await expect(desk).toContainText('router');
  await desk.focus();
  const heading = details(page).getByRole('heading', { name: decisions.route });
  for (let step = 0; step < 8 && !(await heading.isVisible()); step++) {
    await page.keyboard.press('Shift+ArrowRight');
    await expect(details(page).getByRole('heading', { level: 2 }).last()).toBeVisible();
  }
  await expect(heading).toBeVisible();
  await expect(page).toHaveURL(/[?&]span=\d+(&|$)/);
  const faults = { choice: await seriousFaults(page) };

  await page.reload();
  await expect(heading).toBeVisible();

  const found: Record<string, string[]> = { ...faults };
  await history(page).first().getByRole('button').focus();
  for (const [name, words] of Object.entries(decisions)) {
    expect([words, await walkTo(page, words)]).toEqual([words, true]);
    await page.keyboard.press('Enter');
    await expect(details(page).getByRole('heading', { name: words })).toBeVisible();
    found[name] = await seriousFaults(page);
  }

  await page.getByRole('button', { name: 'Show as table' }).click();
  const table = page.getByRole('table', { name: 'Spans in order of start' });
  await expect(table.getByRole('row').filter({ hasText: decisions.fair })).toContainText('Rating');
  await table.getByRole('button', { name: decisions.good }).press('Enter');
  await expect(details(page).getByRole('heading', { name: decisions.good })).toBeVisible();
  found.table = await seriousFaults(page);
  expect(found).toEqual({ choice: [], route: [], fair: [], good: [], plan: [], votes: [], table: [] });
});

async function laneOf(page: Page, name: string): Promise<Locator> {
  const lane = lanes(page).getByRole('treeitem').filter({ hasText: name });
  await expect(lane).toBeVisible();
  return lane;
}

/**
 * Clicks a row of the history. Rows out of view do not exist, so the list is scrolled until the row comes. A scroll is drawn some
 * frames later: a row that is there may belong to the place before, and goes away before it is clicked. Then the search goes on.
 */
async function clickRow(page: Page, words: string): Promise<void> {
  const row = history(page).getByRole('button', { name: words });
  const list = page.getByRole('list', { name: 'Calls and results' });
  await expect(async () => {
    if (!(await row.isVisible())) await list.evaluate(scrollOn);
    expect(await row.isVisible()).toBe(true);
    await row.click({ timeout: 2_000 });
  }).toPass({ intervals: [50] });
}

/** Scrolls a list on by some rows, and from its end to its beginning. */
function scrollOn({ parentElement: box }: Element): void {
  if (box === null) throw new Error('The list has no box');
  const isAtEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - 1;
  box.scrollTo({ top: isAtEnd ? 0 : box.scrollTop + 100 });
}

/** Walks down the history by key until a row has the focus. Returns false if the focus does not reach it. */
async function walkTo(page: Page, words: string): Promise<boolean> {
  const row = history(page).getByRole('button', { name: words });
  for (let step = 0; step < 80; step++) {
    if ((await row.isVisible()) && (await row.evaluate((element) => element === document.activeElement))) return true;
    await page.keyboard.press('ArrowDown');
  }
  return false;
}

/** Clicks the first mark of a lane. Marks stand in the lowest part of its row, and the tooltip says where one is. */
async function clickMark(page: Page, lane: Locator): Promise<void> {
  const bars = page.getByRole('img', { name: /^Bars of/ });
  const tip = page.getByText('Choice of an agent');
  await expect(async () => {
    const [row, picture] = [await lane.boundingBox(), await bars.boundingBox()];
    if (row === null || picture === null) throw new Error('The row is not on the screen');
    const y = row.y + row.height - 8;
    for (let x = picture.x + 2; x < picture.x + picture.width; x += 6) {
      await page.mouse.move(x, y);
      if (!(await tip.isVisible())) continue;
      await expect(tip.locator('..')).toContainText(route.reasoning);
      await page.mouse.click(x, y);
      return;
    }
    throw new Error('No mark is on the row');
  }).toPass();
}

function history(page: Page): Locator {
  return page.getByRole('list', { name: 'Calls and results' }).getByRole('listitem');
}

function details(page: Page): Locator {
  return page.getByRole('tabpanel');
}
