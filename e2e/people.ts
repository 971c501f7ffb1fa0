import { type Browser, expect, type Page } from '@playwright/test';
import type { AppProcess } from './app-process';
import { signedOut } from './test-token';

/** These functions give people accounts, projects and places in them, each person in a browser of their own. */

/** The password of everybody here. */
export const password = 'three lamps and a river';

/** What an app that asks everybody to sign in is started with. */
export const withAccounts = { CALLBOARD_ACCOUNTS: '1', CALLBOARD_OPEN: '' } as const;

/** Opens a browser that nobody has signed in with. Close its context when the test is over. */
export async function newPerson(browser: Browser, url: string): Promise<Page> {
  const origins = [{ origin: url, localStorage: [{ name: 'callboard.tour', value: 'declined' }] }];
  const context = await browser.newContext({ baseURL: url, storageState: { ...signedOut, origins } });
  return await context.newPage();
}

/** Follows the link that the first start prints. Who does it administers the installation. */
export async function setUp(page: Page, app: AppProcess, name: string): Promise<void> {
  const printed = new URL(await app.printedAddress());
  await page.goto(`${printed.pathname}${printed.search}`);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('E-mail').fill(addressOf(name));
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Make account' }).click();
  await expect(page.getByRole('heading', { name: 'Projects' })).toBeVisible();
}

/** Makes a project as a script of the page, signed in by its cookie. Returns its id. */
export async function makeProject(page: Page, name: string, files: Record<string, string>): Promise<string> {
  return await page.evaluate(
    async (body) => {
      const answer = await fetch('/api/v1/projects', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return String((await answer.json()).id);
    },
    { name, files },
  );
}

/** Invites on the page *Members* of a project, which is open. Returns the link. */
export async function invite(page: Page, name: string, role: string): Promise<string> {
  const form = page.getByRole('form', { name: 'Invite' });
  await form.getByLabel('E-mail').fill(addressOf(name));
  await form.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: new RegExp(`^${role}`) }).click();
  await form.getByRole('button', { name: 'Invite' }).click();
  return await invitedLink(page, addressOf(name));
}

/** Waits until a form has invited, and returns the link, which is shown once. */
export async function invitedLink(page: Page, email: string): Promise<string> {
  await expect(page.getByRole('list', { name: 'Open invitations' })).toContainText(email);
  return await page.getByRole('status').locator('code').innerText();
}

/** Follows an invitation and makes the account. */
export async function accept(page: Page, link: string, name: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button').first().click();
  await expect(page).not.toHaveURL(/\/invite/);
}

/** Signs in on the page *Sign in*, and opens it first where it is not open. */
export async function signIn(page: Page, name: string): Promise<void> {
  if (!/\/sign-in/.test(page.url())) await page.goto('/sign-in');
  await page.getByLabel('E-mail').fill(addressOf(name));
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).not.toHaveURL(/\/sign-in/);
}

function addressOf(name: string): string {
  return `${name.toLowerCase()}@example.org`;
}
