import type { Page } from '@playwright/test';
import { type FakeOpenAI, startFakeOpenAI } from '../lib/testing/fake-openai';
import { type AppProcess, startApp } from './app-process';
import { graph, openEditor, save, seriousFaults } from './pages';
import { accept, invitedLink, makeProject, newPerson, password, setUp, signIn, withAccounts } from './people';
import { expect, test } from './test';

/** Three people with accounts, each in a browser of their own: one administers, one edits a project, one views it. */

test.describe.configure({ mode: 'serial' });

const files = {
  'agent-cards/helper.md': '---\nname: helper\ndefault: true\nmodel: openai.gpt-office\n---\nHelp.\n',
  'callboard.yaml': 'version: 1\nentry: helper\n',
};
const key = 'sk-of-the-office-4711-never-shown';

let model: FakeOpenAI;
let app: AppProcess;
let project: string;
let ada: Page;
let ed: Page;
let vi: Page;

test.beforeAll(async ({ browser }) => {
  model = await startFakeOpenAI({
    respond: ({ headers }) => ({ text: headers.authorization === `Bearer ${key}` ? 'The key came.' : 'No key came.' }),
  });
  app = await startApp({
    ...withAccounts,
    OPENAI_API_KEY: '',
    OPENAI_BASE_URL: model.url,
  });
  ada = await newPerson(browser, app.url);
  ed = await newPerson(browser, app.url);
  vi = await newPerson(browser, app.url);
});

test.afterAll(async () => {
  for (const person of [ada, ed, vi]) await person?.context().close();
  await app?.stop();
  await model?.close();
});

test('the first person sets up with the printed link, and invites two', async () => {
  await ada.goto(await app.printedAddress());
  expect(await seriousFaults(ada)).toEqual([]);
  await setUp(ada, app, 'Ada');
  project = await makeProject(ada, 'Office', files);

  await ada.goto('/settings/people');
  const link = await invite(ada, 'ed@example.org', 'editor');
  await ed.goto(link);
  expect(await seriousFaults(ed)).toEqual([]);
  await accept(ed, link, 'Ed');
  await accept(vi, await invite(ada, 'vi@example.org', 'viewer'), 'Vi');
  expect(await seriousFaults(ada)).toEqual([]);
});

test('a refused action says its reason, and a new role counts at once', async () => {
  const refusal =
    'You may not start runs and tests in this project. It needs the role runner, and yours is viewer. Ask Ada.';
  const answer = await startAs(vi);
  expect([answer.status, answer.body.error?.message]).toEqual([403, refusal]);
  expect(await runsOf(ada)).toBe(0);

  await ada.reload();
  await choose(ada, 'Role of vi@example.org in Office', 'runner');
  await expect(ada.getByRole('combobox', { name: 'Role of vi@example.org in Office' })).toHaveText('runner');
  expect((await startAs(vi)).status).toBe(202);
});

test('a secret is set by the administrator, used by the run of an editor, and shown to nobody', async () => {
  await openEditor(ed, project);
  await askToRun(ed);
  await expect(ed.getByText('No key came.').first()).toBeVisible();

  await ada.goto('/settings/secrets');
  await choose(ada, 'Secrets of', 'Office');
  await ada.getByRole('button', { name: 'New secret' }).click();
  const dialog = ada.getByRole('dialog', { name: 'New secret' });
  await dialog.getByLabel('Name').fill('OPENAI_API_KEY');
  await dialog.getByLabel('Value').fill(key);
  await dialog.getByRole('button', { name: 'Test' }).click();
  await expect(dialog.getByRole('status')).toBeVisible();
  await dialog.getByRole('button', { name: 'Store' }).click();
  await expect(ada.getByText('OPENAI_API_KEY').first()).toBeVisible();

  await askToRun(ed);
  await expect(ed.getByText('The key came.').first()).toBeVisible();
  for (const person of [ada, ed, vi]) {
    for (const path of ['/settings', '/settings/secrets', `/p/${project}`, '/runs']) {
      const page = await person.request.get(`${app.url}${path}`);
      expect(await page.text()).not.toContain(key);
    }
  }
});

test('a session that is revoked while its page is open loses nothing of the page', async ({ browser }) => {
  const elsewhere = await newPerson(browser, app.url);
  await signIn(elsewhere, 'Ed');
  await openEditor(elsewhere, project);

  await ed.goto('/account');
  await ed
    .getByRole('list', { name: 'Sessions' })
    .getByRole('button', { name: /^Sign out/ })
    .click();
  const notice = elsewhere.getByRole('alert').filter({ hasText: 'You are signed out. What you have not saved' });
  await expect(notice).toBeVisible();
  expect(await seriousFaults(elsewhere)).toEqual([]);
  await typeInstruction(elsewhere, 'Help twice.');
  await elsewhere.keyboard.press('ControlOrMeta+s');
  await expect(elsewhere.getByText(/You are signed out\. Sign in again, then/).first()).toBeVisible();

  // Signs in again in another tab, and the page goes on.
  const [tab] = await Promise.all([elsewhere.context().waitForEvent('page'), notice.getByRole('link').click()]);
  await signIn(tab, 'Ed');
  await expect(tab).toHaveURL(new RegExp(`/p/${project}`));
  await tab.close();
  await elsewhere.bringToFront();
  await expect(notice).toBeHidden();
  await save(elsewhere);
  expect(await cardOf(ed)).toContain('Help twice.');
  await elsewhere.context().close();
});

test('a deactivated person is signed out at once, on every page and stream', async () => {
  await vi.goto('/inbox');
  await ada.goto('/settings/people');
  await ada.getByRole('button', { name: 'Deactivate vi@example.org' }).click();
  await expect(ada.getByRole('button', { name: 'Activate vi@example.org', exact: true })).toBeVisible();
  expect((await startAs(vi)).status).toBe(401);
  await expect(vi.getByRole('alert').filter({ hasText: 'You are signed out. What you have not saved' })).toBeVisible();
  await vi.goto('/');
  await expect(vi).toHaveURL(/\/sign-in/);
  await vi.getByLabel('E-mail').fill('vi@example.org');
  await vi.getByLabel('Password').fill(password);
  await vi.getByRole('button', { name: 'Sign in' }).click();
  await expect(vi).toHaveURL(/\/sign-in/);
});

async function choose(page: Page, name: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** Starts a run as a script of the page, signed in by its cookie. */
async function startAs(page: Page): Promise<{ status: number; body: { error?: { message: string } } }> {
  return await page.evaluate(async (project) => {
    const answer = await fetch(`/api/v1/projects/${project}/runs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'Help us' }),
    });
    return { status: answer.status, body: await answer.json() };
  }, project);
}

async function cardOf(page: Page): Promise<string> {
  return await page.evaluate(
    async (project) => await (await fetch(`/api/v1/projects/${project}/files`)).text(),
    project,
  );
}

async function typeInstruction(page: Page, text: string): Promise<void> {
  await graph(page).getByText('helper', { exact: true }).first().click();
  await page.getByRole('textbox', { name: /^Instruction/ }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

async function invite(page: Page, email: string, role: string): Promise<string> {
  const form = page.getByRole('form', { name: 'Invite' });
  await form.getByLabel('E-mail').fill(email);
  await form.getByRole('combobox', { name: 'To' }).click();
  await page.getByRole('option', { name: 'Office', exact: true }).click();
  await form.getByRole('combobox', { name: 'As' }).click();
  await page.getByRole('option', { name: role, exact: true }).click();
  await form.getByRole('button', { name: 'Invite' }).click();
  return await invitedLink(page, email);
}

async function askToRun(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Run', exact: true }).click();
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Help us');
  await page.locator('form').getByRole('button', { name: 'Run', exact: true }).click();
}

/** Returns how many runs of the project an administrator sees. */
async function runsOf(page: Page): Promise<number> {
  return await page.evaluate(async () => {
    const { groups } = await (await fetch('/api/v1/runs')).json();
    return groups.filter((group: unknown) => JSON.stringify(group).includes('Help us')).length;
  });
}
