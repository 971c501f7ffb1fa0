import type { Browser, Page } from '@playwright/test';
import { type FullApp, startFullApp } from '../filled-app';
import { picture, seriousFaults, themes } from '../pages';
import { newPerson, setUp } from '../people';
import { type Addresses, allScreens, fillForScreens, heading } from '../screens';
import { expect, test } from '../test';

/** Every screen of a full app: wide and narrow, light and dark, without faults of accessibility, and none scrolls sideways. */

test.describe.configure({ mode: 'serial' });

let app: FullApp;
let ada: Page;
let addresses: Addresses;

test.beforeAll(async ({ browser }) => {
  app = await startFullApp();
  ada = await newPerson(browser, app.url);
});

test.afterAll(async () => {
  await ada?.context().close();
  await app?.stop();
});

test('the set-up page, and the app is filled', async ({ browser }) => {
  const printed = new URL(await app.printedAddress());
  await ada.goto(`${printed.pathname}${printed.search}`);
  await look(ada, 'setup', [1440, 390]);
  await setUp(ada, app, 'Ada');
  addresses = await fillForScreens(browser, app, ada);
});

for (const width of [1440, 390]) {
  test(`no screen has a fault at ${width} pixels, light or dark, and none scrolls sideways`, async ({ browser }) => {
    const [signedIn, stranger] = [await copyOf(browser, width), await newPerson(browser, app.url)];
    await stranger.setViewportSize({ width, height: 900 });
    for (const { name, address, shown, byStranger, isPlain } of allScreens) {
      const page = byStranger ? stranger : signedIn;
      await test.step(name, async () => {
        await page.goto(address(addresses));
        await shown(page);
        await look(page, name, [width], isPlain ?? false);
      });
    }
    await test.step('error', async () => {
      await signedIn.addInitScript(() => {
        // The server draws the counts of tokens, and the browser cannot.
        Number.prototype.toLocaleString = () => {
          throw new Error('No numbers today');
        };
      });
      await signedIn.goto('/runs');
      await heading('This page could not be shown')(signedIn);
      await look(signedIn, 'error', [width], false);
    });
    for (const page of [signedIn, stranger]) await page.context().close();
  });
}

/** Opens another browser with the session of Ada. */
async function copyOf(browser: Browser, width: number): Promise<Page> {
  const storageState = await ada.context().storageState();
  const context = await browser.newContext({ baseURL: app.url, storageState, viewport: { width, height: 900 } });
  return await context.newPage();
}

/** Checks the page that is open. A narrow one is tried a little narrower too. Plain pages choose their theme when they are loaded. */
async function look(page: Page, name: string, widths: readonly number[], isPlain = true): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      if (isPlain) await page.reload();
      // Colours that are still changing have any contrast.
      await page.evaluate(async () => {
        const changing = document.getAnimations().filter((each) => each instanceof CSSTransition);
        await Promise.allSettled(changing.map((each) => each.finished));
      });
      await picture(page, `${name}-${width}-${colorScheme}`);
      // A time that is written anew while axe looks has the colours of both themes.
      await expect.soft
        .poll(() => seriousFaults(page), { message: `${name}, ${width} pixels, ${colorScheme}`, timeout: 10_000 })
        .toEqual([]);
    }
    for (const narrow of width < 400 ? [width, 320] : [width]) {
      await page.setViewportSize({ width: narrow, height: 900 });
      const over = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      await expect.soft.poll(over, `${name} scrolls sideways at ${narrow} pixels`).toBeLessThanOrEqual(0);
    }
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
  }
}
