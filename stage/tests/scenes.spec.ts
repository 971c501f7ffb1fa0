import type { Page } from '@playwright/test';
import { seriousFaults } from '@/e2e/pages';
import { screens } from '../scenes/screens';
import { test as base, expect } from './stage';

/**
 * Every scene as it opens: it logs no error, each of its services answers, axe finds nothing serious, and nothing is wider than the window, also
 * when that becomes as narrow as a phone. `npm run test:full` opens them on a phone.
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
  for (let part = 0; part < tests; part++) {
    test(`scenes of '${id}' can be used by everybody, part ${part + 1} of ${tests}`, async ({
      page,
      stage,
      addresses,
    }) => {
      const own = addresses.filter((scene) => scene.startsWith(`${id}/`));
      expect(own.length).toBeGreaterThanOrEqual(tests);
      const size = page.viewportSize() ?? phone;
      for (const scene of own.filter((_, place) => place % tests === part)) {
        await page.setViewportSize(size);
        await stage.open(scene);
        expect.soft(await seriousFaults(page), scene).toEqual([]);
        expect.soft(await sideways(page), `${scene}, ${size.width} pixels`).toBe(0);
        if (size.width === phone.width) continue;
        await page.setViewportSize(phone);
        await stage.idle();
        expect.soft(await sideways(page), `${scene}, ${phone.width} pixels`).toBe(0);
      }
    });
  }
}

/** Returns by how many pixels the page is wider than its window. */
function sideways(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
}
