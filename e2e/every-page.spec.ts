import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { type FullApp, startFullApp } from './filled-app';
import { newPerson, setUp } from './people';
import { type Addresses, allScreens, fillForScreens, type Screen } from './screens';
import { expect, test } from './test';

/** Every page of a full app opens. Looks and accessibility are tested on the stage, and of the whole app in
 * full/screens.spec.ts. */

test.describe.configure({ mode: 'serial' });

let app: FullApp;
let ada: Page;
let addresses: Addresses;

test.beforeAll(async ({ browser }) => {
  app = await startFullApp();
  ada = await newPerson(browser, app.url);
  await setUp(ada, app, 'Ada');
  addresses = await fillForScreens(browser, app, ada);
});

test.afterAll(async () => {
  await ada?.context().close();
  await app?.stop();
});

test('each page of the app is in the table of screens', () => {
  const files = readdirSync('app', { recursive: true, encoding: 'utf8' });
  const pages = files.filter((file) => /(^|\/)(page|not-found)\.tsx$/.test(file));
  // These routes answer data or lead elsewhere.
  const data = /^(api|git|v1|oauth\/mcp\/start|share\/run)\//;
  const plain = files.filter(
    (file) =>
      /route\.ts$/.test(file) &&
      !data.test(file) &&
      /export const GET\b/.test(readFileSync(path.join('app', file), 'utf8')),
  );
  const rows = new Set(allScreens.map(({ file }) => file));
  expect([...pages, ...plain].filter((file) => !rows.has(file))).toEqual([]);
  expect([...rows].filter((file) => !files.includes(file))).toEqual([]);
});

const areas = {
  'of a project': ({ file }: Screen) => file.startsWith('p/'),
  'of runs': ({ file }: Screen) => /^(r|runs|compare)\//.test(file),
  'of people and settings': ({ file }: Screen) => /^(account|settings|inbox|notices)\//.test(file),
  'without an account': ({ byStranger }: Screen) => byStranger === true,
} as const;

/** Returns the area of a screen. What belongs nowhere else is of the whole app. */
function areaOf(screen: Screen): string {
  return Object.entries(areas).find(([, has]) => has(screen))?.[0] ?? 'of the whole app';
}

for (const area of [...Object.keys(areas), 'of the whole app']) {
  test(`pages ${area} open with a title, and without a fault`, async ({ browser }) => {
    const page = area === 'without an account' ? await newPerson(browser, app.url) : ada;
    await page.setViewportSize({ width: 1440, height: 900 });
    const said: string[] = [];
    page.on('pageerror', ({ message }) => said.push(message));
    page.on('console', (message) => {
      // A page that is not there says so by its status.
      if (message.type() === 'error' && message.location().url !== page.url()) said.push(message.text());
    });
    for (const screen of allScreens.filter((each) => areaOf(each) === area)) {
      await test.step(screen.name, async () => {
        await page.goto(screen.address(addresses));
        await screen.shown(page);
        await expect(page, screen.name).toHaveTitle(/Callboard/);
      });
    }
    expect(said).toEqual([]);
    if (page !== ada) await page.context().close();
  });
}
