import type { Browser, Page } from '@playwright/test';
import { type AppProcess, startApp } from './app-process';
import { openEditor, seriousFaults } from './pages';
import { expect, test } from './test';
import { signedOut } from './test-token';

/** Three people with accounts, each in a browser of their own: one administers, one edits a project, one views it. */

test.describe.configure({ mode: 'serial', timeout: 240_000 });

const files = {
  'agent-cards/helper.md': '---\nname: helper\ndefault: true\n---\nHelp.\n',
  'callboard.yaml': 'version: 1\nentry: helper\nscripts:\n  helper:\n    - turns:\n        - text: Done.\n',
};
const password = 'three lamps and a river';

let app: AppProcess;

test.beforeAll(async () => {
  app = await startApp({ CALLBOARD_ACCOUNTS: '1', CALLBOARD_OPEN: '' });
});

test.afterAll(async () => {
  await app.stop();
});

test('F-01 F-02 three people: set-up, invitations, and a refusal with its reason', async ({ browser }) => {
  const ada = await newPerson(browser);
  await ada.goto(await app.printedAddress());
  expect(await seriousFaults(ada)).toEqual([]);
  await ada.getByLabel('Name').fill('Ada');
  await ada.getByLabel('E-mail').fill('ada@example.org');
  await ada.getByLabel('Password').fill(password);
  await ada.getByRole('button', { name: 'Make account' }).click();
  await expect(ada.getByRole('heading', { name: 'Projects' })).toBeVisible();
  const project = await makeProject(ada);

  const ed = await newPerson(browser);
  const vi = await newPerson(browser);
  await ada.goto('/settings/people');
  await accept(ed, await invite(ada, 'ed@example.org', 'editor'), 'Ed');
  await accept(vi, await invite(ada, 'vi@example.org', 'viewer'), 'Vi');
  expect(await seriousFaults(ada)).toEqual([]);

  const refusal =
    'You may not start runs and tests in this project. It needs the role runner, and yours is viewer. Ask Ada.';
  await openEditor(vi, project);
  await askToRun(vi);
  await expect(vi.getByText(refusal)).toBeVisible();
  expect(await runsOf(ada)).toBe(0);
  for (const person of [ada, ed, vi]) await person.context().close();
});

async function newPerson(browser: Browser): Promise<Page> {
  const origins = [{ origin: app.url, localStorage: [{ name: 'callboard.tour', value: 'declined' }] }];
  const context = await browser.newContext({ baseURL: app.url, storageState: { ...signedOut, origins } });
  return await context.newPage();
}

/** Makes the project as a script of the page, signed in by its cookie. */
async function makeProject(page: Page): Promise<string> {
  return await page.evaluate(async (files) => {
    const answer = await fetch('/api/v1/projects', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Office', files }),
    });
    return String((await answer.json()).id);
  }, files);
}

async function invite(page: Page, email: string, role: string): Promise<string> {
  const form = page.getByRole('form', { name: 'Invite' });
  await form.getByLabel('E-mail').fill(email);
  await form.getByRole('combobox', { name: 'To' }).click();
  await page.getByRole('option', { name: 'Office', exact: true }).click();
  await form.getByRole('combobox', { name: 'As' }).click();
  await page.getByRole('option', { name: role, exact: true }).click();
  await form.getByRole('button', { name: 'Invite' }).click();
  await expect(page.getByRole('list', { name: 'Open invitations' })).toContainText(email);
  return await page.getByRole('status').locator('code').innerText();
}

async function accept(page: Page, link: string, name: string): Promise<void> {
  await page.goto(link);
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button').first().click();
  await expect(page).toHaveTitle(/Office/);
}

async function askToRun(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Run', exact: true }).click();
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Help us');
  await page
    .locator('form')
    .getByRole('button', { name: /^(Run|Save and run)$/ })
    .click();
}

/** Returns how many runs of the project an administrator sees. */
async function runsOf(page: Page): Promise<number> {
  return await page.evaluate(async () => {
    const { groups } = await (await fetch('/api/v1/runs')).json();
    return groups.filter((group: unknown) => JSON.stringify(group).includes('Help us')).length;
  });
}
