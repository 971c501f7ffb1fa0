import type { Browser, Page } from '@playwright/test';
import { type AppProcess, startApp } from './app-process';
import { openEditor, seriousFaults } from './pages';
import { expect, test } from './test';
import { signedOut } from './test-token';

/** People of one project: its admin manages them, a viewer looks at everything and is offered nothing else. */

test.describe.configure({ mode: 'serial', timeout: 300_000 });

const files = {
  'agent-cards/helper.md': '---\nname: helper\ndefault: true\n---\nHelp.\n',
  'callboard.yaml': 'version: 1\nentry: helper\nscripts:\n  helper:\n    - turns:\n        - text: Done.\n',
};
const password = 'three lamps and a river';

let app: AppProcess;
let project = '';

test.beforeAll(async () => {
  app = await startApp({ CALLBOARD_ACCOUNTS: '1', CALLBOARD_OPEN: '' });
});

test.afterAll(async () => {
  await app.stop();
});

test('F-03 F-04 F-24 members of a project, what a viewer is offered, and limits', async ({ browser }) => {
  const ada = await newPerson(browser);
  await ada.goto(await app.printedAddress());
  await ada.getByLabel('Name').fill('Ada');
  await ada.getByLabel('E-mail').fill('ada@example.org');
  await ada.getByLabel('Password').fill(password);
  await ada.getByRole('button', { name: 'Make account' }).click();
  await expect(ada.getByRole('heading', { name: 'Projects' })).toBeVisible();
  project = await makeProject(ada);
  const vi = await newPerson(browser);

  await test.step('an admin invites, changes and takes back on the page of the project', async () => {
    await openEditor(ada, project);
    await ada.getByRole('link', { name: 'Members' }).click();
    await expect(ada.getByRole('heading', { name: 'Members' })).toBeVisible();
    await accept(vi, await invite(ada, 'vi@example.org', 'viewer'), 'Vi');
    await invite(ada, 'nobody@example.org', 'runner');
    const open = ada.getByRole('list', { name: 'Open invitations' });
    await expect(open).toContainText('nobody@example.org');
    await pictures(ada, 'members');
    expect(await seriousFaults(ada)).toEqual([]);
    await ada.getByRole('button', { name: 'Take back nobody@example.org' }).click();
    await expect(open).toBeHidden();
    await ada.getByRole('checkbox', { name: 'Vi answers questions' }).click();
    await expect(ada.getByRole('checkbox', { name: 'Vi answers questions' })).not.toBeChecked();
  });

  await test.step('a viewer sees the members and reads the project, and is offered no change', async () => {
    await vi.goto(`/p/${project}/members`);
    await expect(vi.getByRole('list', { name: 'Members' })).toContainText('viewer');
    await expect(vi.getByText(/^You may not change who works on this project\./)).toBeVisible();
    await expect(vi.getByRole('button', { name: /Remove|Invite|Leave/ })).toHaveCount(0);
    expect(await seriousFaults(vi)).toEqual([]);

    await openEditor(vi, project);
    await expect(vi.getByText('Read-only.')).toBeVisible();
    for (const name of ['Undo', 'Add agent', 'Save', 'Add', 'Run']) {
      await expect(vi.getByRole('button', { name, exact: true })).toHaveCount(0);
    }
    await vi.getByLabel('Graph', { exact: true }).getByText('helper').click();
    await expect(vi.getByRole('tabpanel', { name: 'Properties' }).getByRole('textbox').first()).toBeDisabled();
    await vi.keyboard.press('Delete');
    await vi.keyboard.press('n');
    await expect(vi.getByLabel('Graph', { exact: true }).getByText('helper')).toBeVisible();
    await vi.getByRole('tab', { name: 'Card' }).click();
    const text = vi.getByLabel('Text of agent-cards/helper.md');
    await text.click();
    await vi.keyboard.type('changed');
    await expect(text).not.toContainText('changed');
    await pictures(vi, 'viewer');
    expect(await seriousFaults(vi)).toEqual([]);

    await vi.goto('/');
    await vi.getByRole('button', { name: 'Actions of Office' }).click();
    await expect(vi.getByRole('menuitem', { name: 'Members' })).toBeVisible();
    await expect(vi.getByRole('menuitem', { name: /Rename|Delete/ })).toHaveCount(0);
  });

  await test.step('an administrator sets the budget of every project', async () => {
    await ada.goto('/settings');
    const every = ada.getByRole('form', { name: 'Limits: Every project' });
    await every.getByLabel('Runs a month').fill('100');
    await every.getByRole('button', { name: 'Save' }).click();
    const stored = async () => (await (await ada.request.get('/api/v1/limits')).json()).budget.maxRuns;
    await expect.poll(stored).toBe(100);
    await ada.reload();
    await expect(every.getByLabel('Runs a month')).toHaveValue('100');
    await expect(every.getByLabel('US dollars a month')).toHaveValue('');
  });

  await test.step('an admin removes a person, who then sees no project', async () => {
    await ada.goto(`/p/${project}/members`);
    await ada.getByRole('button', { name: 'Remove Vi' }).click();
    await ada.getByRole('button', { name: 'Remove person' }).click();
    await expect(ada.getByText('vi@example.org')).toHaveCount(0);
    await vi.goto(`/p/${project}`);
    await expect(vi.getByText('Nothing is at this address')).toBeVisible();
  });
  for (const person of [ada, vi]) await person.context().close();
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
  await form.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: new RegExp(`^${role}`) }).click();
  await form.getByRole('button', { name: 'Invite' }).click();
  await expect(page.getByRole('list', { name: 'Open invitations' })).toContainText(email);
  return await page.getByRole('status').locator('code').innerText();
}

async function accept(page: Page, link: string, name: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button').first().click();
  await expect(page).toHaveTitle(/Office/);
}

/** Draws the page wide and narrow, light and dark, where `CALLBOARD_PICTURES` names a folder. */
async function pictures(page: Page, name: string): Promise<void> {
  const folder = process.env.CALLBOARD_PICTURES;
  if (folder === undefined) return;
  const size = page.viewportSize();
  for (const width of [1440, 390]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png`, animations: 'disabled' });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (size !== null) await page.setViewportSize(size);
}
