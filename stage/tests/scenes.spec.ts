import type { Page } from '@playwright/test';
import { seriousFaults } from '@/e2e/pages';
import { screens } from '../scenes/screens';
import { test as base, expect, type Stage } from './stage';

/**
 * Scenes as they open: they log no error, each of their services answers, axe finds nothing serious, and nothing is wider than the window. `npm test`
 * opens the first scene of each screen, `npm run test:full` opens every scene, wide and on a phone.
 */

const phone = { width: 390, height: 844 };

const test = base.extend<object, { readonly addresses: readonly string[] }>({
  /** The addresses of all scenes. The list loads every screen, so it is read once. */
  addresses: [
    async ({ browser }, use) => {
      const page = await browser.newPage();
      await page.goto(process.env.CALLBOARD_STAGE ?? '');
      const links = page.locator('a[href^="/?scene="]');
      await expect(links.first()).toBeVisible();
      await use(await links.evaluateAll((all) => all.map((link) => (link.getAttribute('href') ?? '').slice(8))));
      await page.close();
    },
    { scope: 'worker' },
  ],
});

for (const { id, tests = 1 } of screens) {
  test(`the main scene of '${id}' can be used by everybody, also in a narrow window`, async ({
    page,
    stage,
    addresses,
  }) => {
    const [main] = scenesOf(id, addresses);
    if (main === undefined) throw new Error(`The screen '${id}' has no scene`);
    await check(page, stage, main);
    await page.setViewportSize(phone);
    await stage.idle();
    expect(await sideways(page), `${main}, ${phone.width} pixels`).toBe(0);
  });

  for (let part = 0; part < tests; part++) {
    test(`scenes of '${id}' can be used by everybody, part ${part + 1} of ${tests} @full @phone-full`, async ({
      page,
      stage,
      addresses,
    }) => {
      const own = scenesOf(id, addresses);
      expect(own.length).toBeGreaterThanOrEqual(tests);
      for (const scene of own.filter((_, place) => place % tests === part)) await check(page, stage, scene);
    });
  }
}

function scenesOf(id: string, addresses: readonly string[]): string[] {
  return addresses.filter((scene) => scene.startsWith(`${id}/`));
}

/** Opens a scene in the window as it is. */
async function check(page: Page, stage: Stage, scene: string): Promise<void> {
  await stage.open(scene);
  expect.soft(await seriousFaults(page), scene).toEqual([]);
  expect.soft(await sideways(page), scene).toBe(0);
}

/** Returns by how many pixels the page is wider than its window. */
function sideways(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
}
