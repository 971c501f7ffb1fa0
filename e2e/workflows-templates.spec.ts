import type { Page } from '@playwright/test';
import { lanes, openRun, runFacts, showPanel } from './pages';
import { expect, test } from './test';

/** The templates of workflows, from the list of templates to the answer. */

test('every type of workflow is offered as a template, and what one needs is said @full', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'New project' }).first().click();
  const dialog = page.getByRole('dialog');
  for (const name of ['Chain', 'Parallel', 'Router', 'Evaluator', 'Orchestrator', 'Planner', 'MAKER']) {
    await expect(dialog.getByRole('radio', { name: new RegExp(`^${name} `) })).toContainText('Needs no key');
  }
  const remote = dialog.getByRole('radio', { name: /^Remote agent / });
  await expect(remote).toContainText('Needs its remote agent, see README');
});

test('a text is rated and refined: the template of evaluator_optimizer runs as it is @full', async ({ page }) => {
  await createFromTemplate(page, 'Evaluator');
  await runAsOffered(page, /hiking lamp/);
  await expect(page.getByText(/If it breaks within 5 years, we replace it/).first()).toBeVisible();
  for (const instance of ['copywriter[1]', 'copywriter[2]', 'copywriter[3]', 'reviewer[3]']) {
    await expect(lanes(page).getByText(instance, { exact: true })).toBeVisible();
  }
  const bars = await barsAsTable(page);
  await expect(bars.filter({ hasText: 'Rated attempt' })).toHaveText([
    /Rated attempt 1: POOR, to be refined/,
    /Rated attempt 2: FAIR, to be refined/,
    /Rated attempt 3: EXCELLENT, accepted/,
  ]);
  await expect(bars.filter({ hasText: 'Instance' }).filter({ hasText: 'Completed' })).toHaveCount(7);
});

test('a task fails and the plan goes on: the template of iterative_planner runs as it is @full', async ({ page }) => {
  await createFromTemplate(page, 'Planner');
  await runAsOffered(page, /slow since yesterday/);
  await expect(page.getByText(/asks the tax service once for each item/).first()).toBeVisible();
  for (const instance of ['metrics[1]', 'changes[1]', 'traces[1]', 'traces[2]']) {
    await expect(lanes(page).getByText(instance, { exact: true })).toBeVisible();
  }
  const bars = await barsAsTable(page);
  await expect(bars.filter({ hasText: /Planned step \d/ })).toHaveText([
    /Planned step 1: 2 tasks/,
    /Planned step 2: 1 task/,
    /Planned step 3: 1 task/,
  ]);
  const instances = bars.filter({ hasText: 'Instance' });
  await expect(instances.filter({ hasText: 'traces[1]' })).toContainText('Failed');
  await expect(instances.filter({ hasText: 'traces[2]' })).toContainText('Completed');
});

async function createFromTemplate(page: Page, title: string): Promise<void> {
  await page.goto('/');
  await page.getByRole('button', { name: 'New project' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: new RegExp(`^${title} `) }).click();
  await dialog.getByLabel('Name').fill(`${title} ${Date.now()}`);
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await expect(page).toHaveURL(/\/p\//);
}

/** Runs a new project with the message that its dock offers, and opens the run when it has ended. */
async function runAsOffered(page: Page, message: RegExp): Promise<void> {
  await showPanel(page, 'Run');
  await page.getByRole('tab', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Message', exact: true })).toHaveValue(message);
  await page.locator('form').getByRole('button', { name: 'Run', exact: true }).click();
  await expect(runFacts(page)).toContainText('Completed');
  await openRun(page);
  await expect(runFacts(page)).toContainText('Completed');
}

/** The rows of the timeline as a table. */
async function barsAsTable(page: Page) {
  await page.getByRole('button', { name: 'Show as table' }).click();
  return page.getByRole('table', { name: 'Spans in order of start' }).getByRole('row');
}
