import { seriousFaults } from '@/e2e/pages';
import { screens } from '../scenes/screens';
import { test as base, expect } from './stage';

/**
 * Every scene as it opens: it logs no error, each of its services answers, axe finds nothing serious, and nothing is wider than the window.
 * Then the window becomes a phone's, and dark.
 */

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

const looks = [
  { width: 1440, height: 900, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
] as const;

for (const { id, tests = 1 } of screens) {
  for (let part = 0; part < tests; part++) {
    test(`scenes of '${id}' can be used by everybody, part ${part + 1} of ${tests}`, async ({
      page,
      stage,
      addresses,
    }) => {
      const own = addresses.filter((scene) => scene.startsWith(`${id}/`));
      expect(own.length).toBeGreaterThanOrEqual(tests);
      for (const scene of own.filter((_, place) => place % tests === part)) {
        for (const { width, height, colorScheme } of looks) {
          await page.setViewportSize({ width, height });
          await page.emulateMedia({ colorScheme });
          if (width === looks[0].width) await stage.open(scene);
          else await stage.idle();
          const what = `${scene}, ${width} pixels, ${colorScheme}`;
          expect.soft(await seriousFaults(page), what).toEqual([]);
          expect.soft(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), what).toBe(0);
        }
      }
    });
  }
}
