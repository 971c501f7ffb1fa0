import type { Page } from '@playwright/test';
import { type AppProcess, startApp } from './app-process';
import { seriousFaults } from './pages';
import { accept, invite, makeProject, newPerson, setUp, withAccounts } from './people';
import { expect, test } from './test';

/** Ada administers a project, Rae reviews it. Each hears of what the other does. */

test.describe.configure({ mode: 'serial' });

let app: AppProcess;
let project: string;
let ada: Page;
let rae: Page;

test.beforeAll(async ({ browser }) => {
  app = await startApp(withAccounts);
  ada = await newPerson(browser, app.url);
  rae = await newPerson(browser, app.url);
  await setUp(ada, app, 'Ada');
  project = await makeProject(ada, 'Office', {
    'agent-cards/lead.md': '---\nname: lead\nmodel: passthrough\n---\nLead.\n',
  });
  await ada.goto(`/p/${project}/members`);
  await accept(rae, await invite(ada, 'Rae', 'reviewer'), 'Rae');
});

test.afterAll(async () => {
  for (const person of [ada, rae]) await person?.context().close();
  await app?.stop();
});

const bell = (page: Page) => page.getByRole('link', { name: /^Notices/ }).first();
const notices = (page: Page) => page.getByRole('list', { name: 'Notices' });

test('a reviewer sees the count of notices, follows one to the review, and its author hears of the decision @full', async () => {
  await rae.clock.install();
  await rae.goto('/');
  await expect(bell(rae)).toHaveAccessibleName('Notices');
  await ada.goto(`/p/${project}/reviews`);
  await ada.getByLabel('Title').fill('First graph');
  await ada.getByRole('button', { name: 'Open review' }).click();
  await expect(ada.getByRole('heading', { name: 'First graph' })).toBeVisible();

  // The count is read each half minute, which passes at once here.
  await expect(async () => {
    await rae.clock.fastForward('00:30');
    await expect(bell(rae)).toHaveAccessibleName(/1 not read/, { timeout: 2_000 });
  }).toPass();
  await bell(rae).click();
  await expect(notices(rae)).toContainText('Ada asks for review 1 of Office: First graph');
  expect(await seriousFaults(rae)).toEqual([]);
  await notices(rae).getByRole('link').click();
  await expect(rae.getByRole('heading', { name: 'First graph' })).toBeVisible();
  await expect(bell(rae)).toHaveAccessibleName('Notices');
  await rae.getByRole('region', { name: 'Decision', exact: true }).getByRole('button', { name: 'Approve' }).click();
  await expect(rae.getByRole('list', { name: 'Verdicts' })).toContainText('Rae approved');

  await ada.goto('/notices');
  await expect(notices(ada)).toContainText('Rae approved review 1 of Office: First graph');
  await ada.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(ada.getByRole('button', { name: 'Mark all as read' })).toBeHidden();
});

test('a person turns notices of reviews off, and the choice stays @full', async () => {
  await rae.goto('/notices');
  const box = rae.getByRole('checkbox', { name: 'Reviews here' });
  await expect(box).toBeChecked();
  await box.click();
  await expect(box).not.toBeChecked();
  await rae.reload();
  await expect(rae.getByRole('checkbox', { name: 'Reviews here' })).not.toBeChecked();
  await expect(rae.getByRole('checkbox', { name: 'Reviews by mail' })).toHaveCount(0);
});

test('an admin sets from which cost and time on a run sends a notice @full', async () => {
  await ada.goto('/settings/notifications');
  const form = ada.getByRole('form', { name: 'Notify about expensive or slow runs' });
  await form.getByRole('combobox', { name: 'Project of the limit' }).click();
  await ada.getByRole('option', { name: 'Office', exact: true }).click();
  await form.getByLabel('Seconds').fill('30');
  await form.getByRole('button', { name: 'Save limit' }).click();
  await expect(form.getByRole('status')).toHaveText('Saved.');
  await ada.reload();
  await form.getByRole('combobox', { name: 'Project of the limit' }).click();
  await ada.getByRole('option', { name: 'Office', exact: true }).click();
  await expect(form.getByLabel('Seconds')).toHaveValue('30');
});
