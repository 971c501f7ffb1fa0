import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { createProject, readEvents, startRun, waitForEnd } from './api';
import { seriousFaults } from './pages';
import { expect, test } from './test';
import { testAppOf } from './test-apps';
import { signedIn, signedOut, testToken } from './test-token';

test.describe('a browser that is not signed in', () => {
  test.use({ storageState: signedOut });

  test('opens the printed address as a user does, and stays signed in', async ({ page, context, baseURL }) => {
    await page.goto(`/?token=${testToken}`);
    await expect(page).toHaveURL(`${baseURL}/`);
    await expect(page.getByRole('heading', { name: 'Projects' })).toBeVisible();
    expect(await page.evaluate(() => `${document.referrer} ${document.cookie} ${history.length}`)).not.toContain(
      testToken,
    );
    const later = await context.newPage();
    await later.goto('/settings/environment');
    await expect(later.getByText('Everybody who has the token')).toBeVisible();
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
    expect(cookie?.value).not.toContain(testToken);
  });

  test('is shown how to sign in, and is led to the page it asked for', async ({ page, baseURL }) => {
    const answer = await page.goto('/runs?status=failed');
    expect(answer?.status()).toBe(401);
    await expect(page.getByText('npx callboard token')).toBeVisible();
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByLabel('Token').fill('not the token');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toContainText('That is not the token');
    await page.getByLabel('Token').fill(`${baseURL}/?token=${testToken}`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page).toHaveURL(`${baseURL}/runs?status=failed`);
    await expect(page.getByRole('heading', { name: 'Runs' })).toBeVisible();
  });

  test('signs in without JavaScript @full', async ({ browser, baseURL }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, storageState: signedOut });
    const page = await context.newPage();
    await page.goto(`${baseURL}/settings`);
    await page.getByLabel('Token').fill(testToken);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`${baseURL}/settings`);
    await context.close();
  });
});

test('a link on another site opens a page, and no other request of that site is accepted', async ({
  page,
  baseURL,
}) => {
  const port = new URL(baseURL ?? '').port;
  await page.route('http://chat.example/**', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<a href="${baseURL}/runs">The run</a><img src="${baseURL}/api/v1/runs" alt="">
        <form action="${baseURL}/sign-in" method="post"><input name="token" value="${testToken}"><button>Win</button></form>`,
    }),
  );
  await page.goto('http://chat.example/');
  const read = page.evaluate(
    (url) => fetch(url, { credentials: 'include' }).then((answer) => answer.text()),
    `${baseURL}/api/v1/runs`,
  );
  await expect(read).rejects.toThrow(/Failed to fetch/);
  await page.getByRole('link').click();
  await expect(page).toHaveURL(`http://127.0.0.1:${port}/runs`);
  await expect(page.getByRole('heading', { name: 'Runs' })).toBeVisible();
  await page.goto('http://chat.example/');
  await page.getByRole('button', { name: 'Win' }).click();
  await expect(page.getByText('A page of another site may not use Callboard.')).toBeVisible();
});

test('scripts need the token, and the health address answers everybody', async ({ playwright, baseURL }) => {
  const nobody = await playwright.request.newContext({ baseURL, storageState: signedOut });
  const script = await playwright.request.newContext({ baseURL, storageState: signedOut, extraHTTPHeaders: signedIn });
  expect((await nobody.get('/api/health')).status()).toBe(200);
  const refused = await nobody.get('/api/v1/projects');
  expect([refused.status(), (await refused.json()).error.code]).toEqual([401, 'not_signed_in']);
  expect((await script.get('/api/v1/projects')).status()).toBe(200);
  expect((await nobody.post('/api/v1/samples/pmo')).status()).toBe(401);
  await Promise.all([nobody.dispose(), script.dispose()]);
});

/** Sends a request as it is: no client here tidies the address first. A server that stops reading resets the connection. */
function answerTo(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', () => undefined);
  });
}

const detours = [
  '/api/../settings',
  '/api/%2e%2e/settings',
  '/_next/static/../../settings',
  '/_next/static/%2e%2e/%2e%2e/settings',
  '/_next/static/..%2f..%2fsettings',
  '/_next/static\\..\\..\\settings',
  '//settings',
  '/settings/',
  '/settings.rsc',
  '/settings.segments/_tree.segment.rsc',
  '/index.rsc',
  '/icon.svg/../settings',
  '/logo.svg/../settings',
  '/_next/data/x/settings.json',
  '/_next/image?url=%2Fapi%2Fv1%2Fruns&w=64&q=75',
  '/%73ettings',
  '/SETTINGS',
  '/settings;x',
  '/settings?token=',
  '/settings?token=a&token=b',
  'http://127.0.0.1/settings',
  '/api/v1/../../settings',
  '/api//v1/projects',
  '/API/v1/projects',
];

test('odd addresses and headers of the framework lead to no page without a sign-in', async ({ baseURL }) => {
  const port = Number(new URL(baseURL ?? '').port);
  const host = `127.0.0.1:${port}`;
  const shown: string[] = [];
  for (const address of detours) {
    for (const extra of [
      '',
      'RSC: 1\r\n',
      'x-middleware-subrequest: proxy:proxy:proxy:proxy:proxy\r\n',
      'x-nextjs-data: 1\r\n',
    ]) {
      const answer = await answerTo(
        port,
        `GET ${address} HTTP/1.1\r\nHost: ${host}\r\n${extra}Connection: close\r\n\r\n`,
      );
      // A redirect changes the address to its normal form; the new address is requested too.
      if (!/^HTTP\/1\.1 (?:308|400|401|404) /.test(answer) || /CALLBOARD_DATA|"projects"/.test(answer))
        shown.push(`${address} ${extra}${answer.slice(0, 20)}`);
    }
  }
  expect(shown).toEqual([]);
});

test('a request behind another one on the same connection is guarded by itself', async ({ baseURL }) => {
  const port = Number(new URL(baseURL ?? '').port);
  const head = `HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`;
  const inner = `GET /api/v1/projects ${head}Connection: close\r\n\r\n`;
  const pipelined = await answerTo(
    port,
    `GET /api/v1/samples ${head}Authorization: Bearer ${testToken}\r\n\r\n${inner}`,
  );
  expect(pipelined.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 401']);
  const smuggled = [
    `POST /api/v1/check ${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
    `POST /api/v1/check ${head}Content-Length: 0\r\nContent-Length: 5\r\n\r\n${inner}`,
    `GET /api/v1/projects ${head}Authorization: Bearer ${'x'.repeat(70_000)}\r\n\r\n`,
    `GET /api/v1/projects HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nHost: evil.example\r\nAuthorization: Bearer x\r\nConnection: close\r\n\r\n`,
  ];
  for (const text of smuggled) expect(await answerTo(port, text)).toMatch(/^(?:$|HTTP\/1\.1 (?:400|401|403|431) )/);
});

test('a run of a project reaches neither Callboard nor its database', async ({ baseURL }, { parallelIndex }) => {
  const url = baseURL ?? '';
  const { data } = testAppOf(parallelIndex);
  const { port }: { port: number } = JSON.parse(readFileSync(path.join(data, 'postgres', 'connection.json'), 'utf8'));
  const web = new URL(url).port;
  const including = (address: string) => ({
    'agent-cards/a.md': `---\nname: a\nmodel: passthrough\n---\nRules: {{url:${address}}}\n`,
  });
  const calling = (address: string) => ({
    'agent-cards/a.md': '---\nname: a\nmodel: passthrough\nservers: [home]\n---\nHello\n',
    'fast-agent.yaml': `mcp:\n  servers:\n    home:\n      url: ${address}\n`,
  });
  for (const [files, what] of [
    [including(`${url}/api/health`), 'is Callboard itself'],
    [including(`http://[::ffff:0:127.0.0.1]:${port}/`), "is Callboard's database"],
    [calling(`http://localhost:${web}/api/v1/projects`), 'is Callboard itself'],
    [calling(`http://0x7f000001:${port}/`), "is Callboard's database"],
  ] as const) {
    const run = await startRun(url, await createProject(url, 'Calls home', files), 'Hello');
    await waitForEnd(url, run);
    expect(JSON.stringify(await readEvents(url, run))).toContain(`${what}, which a project may not call`);
  }
});

test('the token is in no log', async ({ page }, { parallelIndex }) => {
  await page.goto(`/?token=${testToken}`);
  await page.goto(`/r/none?token=${testToken}`);
  const logs = path.join(testAppOf(parallelIndex).data, 'logs');
  const files = readdirSync(logs);
  expect(files).toEqual(expect.arrayContaining(['web.log', 'worker.log']));
  for (const file of files) expect(readFileSync(path.join(logs, file), 'utf8')).not.toContain(testToken);
});
