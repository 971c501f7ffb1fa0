import type { Page } from '@playwright/test';
import { seriousFaults } from '@/e2e/pages';
import { expect, test } from '../stage';
import { timeOf } from './in-run';

/** The page of a run: delegations, the graph beside the bars, and the graph at a moment. */

test('a delegation is labelled in history, selection and log, and links to the run of its child', async ({
  page,
  stage,
}) => {
  await stage.open('run/state-and-a-loop');

  const calls = page.getByRole('list', { name: 'Calls and results' }).getByRole('listitem');
  const call = calls.filter({ hasText: '"text":"two"' });
  await expect(call.getByText('Delegation', { exact: true })).toBeVisible();
  await expect(calls.filter({ hasText: 'set_state' }).getByText('Delegation')).toHaveCount(0);

  await call.getByRole('button').click();
  await expect(details(page).getByText('Delegation', { exact: true })).toBeVisible();
  const link = details(page).getByRole('link', { name: 'kid[2]' });
  const address = await link.getAttribute('href');
  await link.click();
  await expect(details(page).getByRole('heading', { name: 'kid[2]' })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`${address?.replace('?', '\\?')}$`));

  await call.getByRole('link', { name: 'kid[2]' }).click();
  await expect(details(page).getByRole('heading', { name: 'kid[2]' })).toBeVisible();

  await openTab(page, 'Log');
  const line = page.getByRole('list', { name: 'Log' }).getByRole('listitem').filter({ hasText: 'lead/kid[3]' });
  await expect(line.getByText('Delegation', { exact: true })).toBeVisible();
  await line.getByRole('link', { name: 'lead/kid[3]' }).click();
  await expect(details(page).getByRole('heading', { name: 'kid[3]' })).toBeVisible();

  await page.goto(address ?? '');
  await expect(details(page).getByRole('heading', { name: 'kid[2]' })).toBeVisible();
});

test('agents made during a run are dashed in the graph of that run, and in no other @full', async ({ page, stage }) => {
  await stage.open('run/an-agent-that-was-made');
  await openTab(page, 'Graph');
  const poet = nodes(page).filter({ hasText: 'poet' });
  await expect(poet).toContainText('Completed');
  await expect(poet).toContainText('made by lead during this run');
  await expect(poet.getByRole('button')).toHaveCSS('border-style', 'dashed');
  await expect(nodes(page).filter({ hasText: 'kid' }).locator('> *')).toHaveCSS('border-style', 'solid');

  await stage.open('run/no-agent-was-made');
  await openTab(page, 'Graph');
  await expect(nodes(page).filter({ hasText: 'kid' })).toContainText('Completed');
  await expect(nodes(page).filter({ hasText: 'poet' })).toHaveCount(0);
  await expect(nodes(page)).toHaveCount(2);
});

test('the graph at a moment counts each of three parallel instances, and each pass of a loop', async ({
  page,
  stage,
}) => {
  await stage.open('run/state-and-a-loop');
  const kid = nodes(page).filter({ hasText: 'kid' });
  const lead = nodes(page).filter({ hasText: 'lead' });

  const three = await timeOf(page, 'instance.started', 'lead/kid[3]');
  const again = await timeOf(page, 'instance.started', 'lead/kid[4]');
  await page.goto(`/r/run?tab=graph&at=${three + 1}`);
  await expect(kid).toContainText('Running× 3');
  await expect(lead).toContainText('Running');

  await page.goto(`/r/run?tab=graph&at=${again + 1}`);
  await expect(kid).toContainText('1 running, 3 completed');

  const slider = page.getByRole('slider', { name: 'Moment of the run' });
  await page.getByRole('button', { name: 'The end' }).click();
  await expect(kid).toContainText('Completed× 4');
  await slider.press('Home');
  await expect(kid).toContainText('Not yet');
  await expect(page).toHaveURL(/[?&]at=0(&|$)/);
  await page.reload();
  await expect(kid).toContainText('Not yet');
  await slider.press('End');
  await expect(kid).toContainText('Completed× 4');
  await expect(lead).toContainText('Completed');
  await expect(page).not.toHaveURL(/[?&]at=/);
});

test('a graph fits its panel on a desktop; on a phone it says that there is more, and is seen whole @phone', async ({
  page,
  stage,
}, info) => {
  await stage.open('run/a-wide-graph');
  await openTab(page, 'Graph');
  await expect(nodes(page)).toHaveCount(4);
  const boxesNow = async () => await Promise.all((await nodes(page).all()).map((node) => node.boundingBox()));
  const rightOf = (all: Awaited<ReturnType<typeof boxesNow>>) =>
    Math.max(...all.map((box) => (box?.x ?? 0) + (box?.width ?? 0)));
  const boxes = await boxesNow();
  const panel = await page.getByRole('tabpanel').boundingBox();
  const right = rightOf(boxes);
  if (panel === null) throw new Error('The panel is not on the screen');
  const isPhone = info.project.name.startsWith('narrow');
  expect(right > panel.x + panel.width + 1).toBe(isPhone);
  await expect(page.getByText('Scroll for the rest of the graph')).toHaveCount(isPhone ? 1 : 0);
  expect(Math.max(...boxes.map((box) => box?.width ?? 0))).toBeGreaterThan(130);
  if (!isPhone) return;
  await page.getByRole('button', { name: 'See it whole' }).click();
  await expect(page.getByRole('button', { name: 'Make names readable' })).toBeVisible();
  expect(rightOf(await boxesNow())).toBeLessThanOrEqual(panel.x + panel.width + 1);
});

test('every tab of a run passes the accessibility check @phone-full', async ({ page, stage }) => {
  const faults: Record<string, string[]> = {};
  await stage.open('run/state-and-a-loop');
  await page
    .getByRole('list', { name: 'Calls and results' })
    .getByRole('button', { name: /agent__kid/ })
    .first()
    .click();
  const shown = {
    Result: 'All done.',
    Selection: 'Delegation',
    Graph: 'Completed',
    State: 'three at once',
    Log: 'kid was here',
    Insight: 'Whole run',
  };
  for (const [tab, words] of Object.entries(shown)) {
    await openTab(page, tab);
    await expect(details(page)).toContainText(words);
    faults[tab] = await seriousFaults(page);
  }
  await page.getByRole('button', { name: 'Show as table' }).click();
  faults.table = await seriousFaults(page);
  expect(faults).toEqual({ Result: [], Selection: [], Graph: [], State: [], Log: [], Insight: [], table: [] });
});

test('a page scrolls in one place, and a row of tabs not at all @full @phone-full', async ({ page, stage }) => {
  for (const scene of ['runs/every-state', 'run/fourteen-children', 'run/queueing']) {
    await stage.open(scene);
    if (scene === 'run/queueing') await openTab(page, 'Insight');
    await expect(page.getByText('Completed').first()).toBeVisible();
    const beyond = await page.evaluate(() => {
      const boxes = [document.documentElement, ...document.querySelectorAll('[role="tablist"]')];
      return boxes.map((box) => box.scrollHeight - box.clientHeight);
    });
    expect(beyond.length).toBe(scene.startsWith('runs') ? 1 : 2);
    expect([scene, Math.max(...beyond)]).toEqual([scene, 0]);
  }
});

test('a run that is too large to be exported with texts says so on the page, and another is saved @full @phone-full', async ({
  page,
  stage,
}) => {
  await stage.open('run/fourteen-children');
  const service = 'GET /api/v1/runs/run/otlp';
  const item = page.getByRole('menuitem', { name: 'OpenTelemetry with messages, arguments, results' });
  const sentence = 'The run has 120 MB of events. Export the event log instead, which has all of it.';
  await stage.trouble(service, { kind: 'refused', code: 'too_large', message: sentence, status: 413 }, 1);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await item.click();
  await expect(page.getByRole('region', { name: 'Notifications' })).toContainText(sentence);

  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const download = page.waitForEvent('download');
  await item.click();
  expect((await download).suggestedFilename()).toBe('run-run.otlp.json');
});

function details(page: Page) {
  return page.getByRole('tabpanel');
}

function nodes(page: Page) {
  return page.getByRole('list', { name: 'Graph of this run' }).getByRole('listitem');
}

async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
}
