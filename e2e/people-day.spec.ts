import type { Locator, Page } from '@playwright/test';
import { readEvents, startRun, waitForEnd } from './api';
import { invitations } from './invitations';
import {
  graph,
  lanes,
  openEditor,
  openRun,
  runFacts,
  runProject,
  seriousFaults,
  showPanel,
  showWholeGraph,
} from './pages';
import { expect, freshProject, test } from './test';

/**
 * A day with a graph that asks. Two agents at the third level ask at once, one call is approved with other arguments and one is
 * denied. A remembered approval works until it is revoked.
 */

const project = freshProject('Invitations', invitations);

test('two questions of a run are seen where the person is; one is approved with changes, and one is declined', {
  tag: ['@full', '@phone-full'],
}, async ({ page, baseURL, viewport }) => {
  const isWide = (viewport?.width ?? 0) > 600;
  await openEditor(page, project());
  await runProject(page, 'Invite both');
  const dock = page.getByRole('region', { name: 'Questions to people' });
  await expect(dock).toContainText('Waits for 2 answers since');
  await expect(dock.getByRole('article', { name: 'Question' })).toContainText('lead → office[1] → team[1] →');
  await showPanel(page, 'Canvas');
  await showWholeGraph(page);
  await expect(graph(page).getByRole('img', { name: '1 waiting for people' })).toHaveCount(2);
  expect(await seriousFaults(page)).toEqual([]);

  await showPanel(page, 'Run');
  await openRun(page);
  const run = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await expect(runFacts(page)).toContainText('Waiting for people');
  await expect(lanes(page)).toContainText('Waiting for people');
  await expect(lanes(page)).not.toContainText('Running');
  const history = page.getByRole('list', { name: 'Calls and results' });
  await history
    .getByRole('button', { name: /asked→.*send/ })
    .first()
    .click();
  await editAndApprove(questionCard(page), 'Please come at ten');

  await page.goto(`/inbox?run=${run}`);
  const list = page.getByRole('navigation', { name: 'Questions' });
  await expect(list.getByRole('button')).toHaveCount(1);
  if (!isWide) await list.getByRole('button').click();
  await decline(questionCard(page), 'Not this time.');
  expect(await waitForEnd(baseURL ?? '', run)).toBe('completed');

  // The history shows the rows that it has room for, and on a phone fewer than are looked for here.
  if (isWide) await page.setViewportSize({ width: 1440, height: 1100 });
  await page.goto(`/r/${run}`);
  await expect(runFacts(page)).toContainText(/waited \d/);
  if (isWide) await expect(history.getByRole('button', { name: /answer→ .* after/ })).toHaveCount(2);
  await page.getByRole('button', { name: 'Show as table' }).click();
  await expect(page.getByRole('row', { name: /Question to a person/ })).toHaveCount(2);
  expect(await seriousFaults(page)).toEqual([]);
  const events = await readEvents(baseURL ?? '', run);
  const sent = events.filter(({ kind }) => kind === 'tool.ended').map((event) => JSON.stringify(event.result));
  expect(sent.filter((result) => result.includes('Please come at ten'))).not.toEqual([]);
  expect(JSON.stringify(events)).toContain('Not this time.');
  expect(events.filter(({ kind }) => kind === 'run.suspended').length).toBeGreaterThan(0);
});

test('a remembered approval answers for the person until it is revoked', async ({ page, baseURL }) => {
  const rememberedIn = await startRun(baseURL ?? '', project(), 'again');
  await rememberBob(page, rememberedIn);
  await answerAt(page, rememberedIn, 1);
  const works = await startRun(baseURL ?? '', project(), 'once more');
  await answerAt(page, works, 1);
  await page.goto(`/inbox?project=${project()}`);
  await page.getByRole('button', { name: 'Remembered approvals' }).click();
  const remembered = page.getByRole('dialog', { name: 'Remembered approvals' });
  await expect(remembered.getByRole('listitem')).toHaveCount(1);
  expect(await seriousFaults(page)).toEqual([]);
  await remembered.getByRole('button', { name: 'Revoke' }).click();
  await expect(remembered).toContainText('Nothing is remembered.');
  const asksAgain = await startRun(baseURL ?? '', project(), 'and again');
  await page.goto(`/inbox?run=${asksAgain}`);
  await expect(page.getByRole('navigation', { name: 'Questions' }).getByRole('button')).toHaveCount(2);
});

function questionCard(page: Page): Locator {
  return page.getByRole('article', { name: 'Question' }).last();
}

async function editAndApprove(question: Locator, text: string): Promise<void> {
  const edit = question.getByRole('button', { name: /^Edit and approve/ });
  await expect(edit).toBeEnabled();
  await edit.click();
  const form = question.getByRole('form', { name: 'Edit and approve' });
  await form.getByRole('textbox', { name: 'text' }).fill(text);
  await expect(form.getByRole('status')).toContainText('Changed: text.');
  await form.getByRole('button', { name: 'Approve with changes' }).click();
  await expect(question.page().getByText('Approved with your changes. The run goes on.')).toBeVisible();
}

async function decline(question: Locator, reason: string): Promise<void> {
  const button = question.getByRole('button', { name: /^Decline/ });
  await expect(button).toBeEnabled();
  await button.click();
  await question.getByRole('textbox', { name: 'Reason' }).fill(reason);
  await question.getByRole('button', { name: 'Decline', exact: true }).click();
}

/** Approves the call of Bob in the inbox, and remembers it for the project. */
async function rememberBob(page: Page, run: string): Promise<void> {
  await page.goto(`/inbox?run=${run}`);
  const list = page.getByRole('navigation', { name: 'Questions' });
  await expect(list.getByRole('button')).toHaveCount(2);
  await list.getByRole('button', { name: /bob/ }).click();
  const question = questionCard(page);
  await question.getByRole('button', { name: /^Approve and remember/ }).click();
  const rule = question.getByRole('form', { name: 'Approve and remember' });
  await rule.getByRole('combobox', { name: 'For' }).click();
  await page.getByRole('option', { name: 'The project', exact: true }).click();
  await rule.getByRole('button', { name: 'Approve and remember' }).click();
  await expect(page.getByText('Approved. The run goes on.')).toBeVisible();
}

/** Approves the questions of a run, which must be this many, until the run has ended. */
async function answerAt(page: Page, run: string, count: number): Promise<void> {
  await page.goto(`/inbox?run=${run}`);
  const list = page.getByRole('navigation', { name: 'Questions' });
  await expect(list.getByRole('button')).toHaveCount(count);
  await list.getByRole('button').first().click();
  const approve = questionCard(page).getByRole('button', { name: /^Approve(?! and)/ });
  await expect(approve).toBeEnabled();
  await approve.click();
  expect(await waitForEnd(new URL(page.url()).origin, run)).toBe('completed');
}
