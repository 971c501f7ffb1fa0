import { createServer, request as httpRequest, type Server } from 'node:http';
import type { CDPSession, Page } from '@playwright/test';
import { codeAt } from '../lib/server/accounts/one-time-code';
import { freePort } from '../lib/server/ports';
import { type AppProcess, startApp } from './app-process';
import { seriousFaults } from './pages';
import { accept, newPerson, password, setUp, withAccounts } from './people';
import { expect, test } from './test';

/** A person adds a second factor and a passkey, and signs in with them, behind a proxy at the public address. */

test.describe.configure({ mode: 'serial' });

const email = 'ada@example.org';

let app: AppProcess;
let proxy: Server;
/** The public address, and that of the app itself. Browsers take names below localhost as safe, so passkeys work there. */
let open: string;
let page: Page;
let secret: string;
let codes: readonly string[];

test.beforeAll(async ({ browser }) => {
  const port = await freePort();
  open = `http://callboard.localhost:${port}`;
  app = await startApp({ ...withAccounts, CALLBOARD_PUBLIC_URL: open });
  proxy = createServer((request, response) => {
    const { method, url, headers } = request;
    const passed = httpRequest(`${app.url}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
  page = await newPerson(browser, open);
});

test.afterAll(async () => {
  await page?.context().close();
  proxy?.closeAllConnections();
  proxy?.close();
  await app?.stop();
});

async function givePassword(who: Page): Promise<void> {
  await who.goto('/sign-in?to=/account');
  await who.getByLabel('E-mail').fill(email);
  await who.getByLabel('Password').fill(password);
  await who.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function giveCode(who: Page, code: string): Promise<void> {
  await who.getByLabel('Code', { exact: true }).fill(code);
  await who.getByRole('button', { name: 'Continue' }).click();
}

const part = (who: Page) => who.getByRole('region', { name: 'Second factor' });
const nextCode = () => codeAt(secret, Date.now() + 30_000);

test('a person reads the QR code or the secret, confirms, and keeps backup codes', async () => {
  await setUp(page, app, 'Ada');
  await page.goto('/account');
  await part(page).getByLabel('Your password').fill('not this one at all');
  await part(page).getByRole('button', { name: 'Set up a second factor' }).click();
  await expect(part(page)).toContainText('The present password is not right.');
  await part(page).getByLabel('Your password').fill(password);
  await part(page).getByRole('button', { name: 'Set up a second factor' }).click();
  await expect(part(page).getByRole('img', { name: 'QR code for the app' })).toBeVisible();
  secret = (await part(page).locator('code').innerText()).replaceAll(' ', '');
  expect(await seriousFaults(page)).toEqual([]);
  await part(page).getByLabel('Code', { exact: true }).fill('000000');
  await part(page).getByRole('button', { name: 'Switch on' }).click();
  await expect(part(page)).toContainText('This code is not right.');
  await part(page).getByLabel('Code', { exact: true }).fill(codeAt(secret, Date.now()));
  await part(page).getByRole('button', { name: 'Switch on' }).click();
  const kept = part(page).getByRole('list', { name: 'Backup codes' }).getByRole('listitem');
  await expect(kept).toHaveCount(10);
  codes = await kept.allInnerTexts();
  expect(await seriousFaults(page)).toEqual([]);
  await part(page).getByRole('button', { name: 'I have kept them' }).click();
  await expect(part(page)).toContainText('10 backup codes are left.');
});

test('the password alone opens nothing, a wrong code says so, and the right one leads on', async ({ browser }) => {
  const other = await newPerson(browser, open);
  await givePassword(other);
  await expect(other).toHaveURL(/\/sign-in\/code/);
  expect(await seriousFaults(other)).toEqual([]);
  await giveCode(other, '000000');
  await expect(other.getByRole('alert')).toContainText('This code is not right');
  await giveCode(other, nextCode());
  await expect(other).toHaveURL(/\/account$/);
  await expect(part(other)).toContainText('10 backup codes are left.');
  await other.context().clearCookies();
  await givePassword(other);
  await giveCode(other, codes[0] ?? '');
  await expect(part(other)).toContainText('9 backup codes are left.');
  await other.context().close();
});

test('if everybody needs a second factor, a person without one sees only the page Account', async ({ browser }) => {
  await page.goto('/settings/people');
  await page.getByRole('checkbox', { name: /needs a second factor/ }).click();
  await expect(page.getByRole('checkbox', { name: /needs a second factor/ })).toBeChecked();
  const form = page.getByRole('form', { name: 'Invite' });
  await form.getByLabel('E-mail').fill('bo@example.org');
  await form.getByRole('button', { name: 'Invite' }).click();
  const link = await page.getByRole('status').locator('code').innerText();
  const bo = await newPerson(browser, open);
  await accept(bo, link, 'Bo');
  await expect(bo).toHaveURL(/\/account$/);
  await expect(part(bo).getByRole('alert')).toContainText('Everybody here needs a second factor.');
  expect(await seriousFaults(bo)).toEqual([]);
  await bo.goto('/runs');
  await expect(bo).toHaveURL(/\/account$/);
  expect(await bo.evaluate(async () => (await fetch('/api/v1/tokens')).status)).toBe(403);
  await part(bo).getByLabel('Your password').fill(password);
  await part(bo).getByRole('button', { name: 'Set up a second factor' }).click();
  const own = (await part(bo).locator('code').innerText()).replaceAll(' ', '');
  await part(bo).getByLabel('Code', { exact: true }).fill(codeAt(own, Date.now()));
  await part(bo).getByRole('button', { name: 'Switch on' }).click();
  await part(bo).getByRole('button', { name: 'I have kept them' }).click();
  await bo.goto('/runs');
  await expect(bo).toHaveURL(/\/runs$/);
  await page.reload();
  await page.getByRole('button', { name: 'Reset second factor of bo@example.org' }).click();
  await expect(page.getByRole('button', { name: 'Reset second factor of bo@example.org' })).toBeHidden();
  await bo.goto('/runs');
  await expect(bo).toHaveURL(/\/sign-in/);
  await bo.context().close();
});

test('a passkey is added, signs in without a code, works at no other address, and is removed', async () => {
  const device = await authenticator(page);
  await page.goto('/account');
  await page.getByRole('textbox', { name: 'Name of the passkey' }).fill('My laptop');
  await page.getByLabel('Your password, for the passkey').fill('not this password');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByRole('region', { name: 'Passkeys' }).getByRole('alert')).toContainText(
    'password is not right',
  );
  await page.getByLabel('Your password, for the passkey').fill(password);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByRole('list', { name: 'Passkeys' })).toContainText('My laptop');
  expect((await device.credentials()).map(({ rpId }) => rpId)).toEqual(['callboard.localhost']);
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();

  await page.goto('/sign-in?to=/account');
  const credential = await page.evaluate(async () => {
    const form = document.getElementById('passkey');
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(form?.dataset.options ?? ''));
    return JSON.stringify(await navigator.credentials.get({ publicKey }));
  });
  // The same answer, sent to the app under another of its names.
  const { port } = new URL(app.url);
  const elsewhere = `http://localhost:${port}`;
  const refused = await fetch(`${elsewhere}/sign-in/passkey`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: elsewhere, 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ credential, to: '/' }),
  });
  expect([refused.status, refused.headers.getSetCookie()]).toEqual([401, []]);
  expect(await refused.text()).toContain('This passkey could not be checked.');

  // Each page asks for an answer of its own, which counts once.
  await page.goto('/sign-in?to=/account');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByRole('list', { name: 'Passkeys' })).toContainText('used');
  await page.getByRole('button', { name: 'Remove My laptop' }).click();
  await expect(page.getByRole('list', { name: 'Passkeys' })).not.toContainText('My laptop');
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.goto('/sign-in');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByRole('alert')).toContainText('This passkey could not be checked.');
});

test('the second factor is switched off with the password, and then no code is asked for', async () => {
  await givePassword(page);
  await giveCode(page, codes[1] ?? '');
  await page.goto('/settings/people');
  await page.getByRole('checkbox', { name: /needs a second factor/ }).click();
  await expect(page.getByRole('checkbox', { name: /needs a second factor/ })).not.toBeChecked();
  await page.goto('/account');
  await part(page).getByLabel('Your password').fill(password);
  await part(page).getByRole('button', { name: 'Switch off' }).click();
  await expect(part(page).getByRole('button', { name: 'Set up a second factor' })).toBeVisible();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await givePassword(page);
  await expect(page).toHaveURL(/\/account$/);
});

/** Gives the browser of a page a device that keeps passkeys and checks its person. */
async function authenticator(who: Page) {
  const session: CDPSession = await who.context().newCDPSession(who);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    credentials: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
  };
}
