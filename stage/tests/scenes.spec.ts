import { seriousFaults } from '@/e2e/pages';
import { screens } from '../scenes/screens';
import { expect, test } from './stage';

/** Every scene as it opens: it logs no error, each of its services answers, axe finds nothing serious, and nothing is wider than the window. */

const looks = [
  { width: 1440, height: 900, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
] as const;

/** The tests of each screen, and their numbers. */
const parts = screens.flatMap(({ id, tests = 1 }) => Array.from({ length: tests }, (_, part) => ({ id, part, tests })));

for (const { width, height, colorScheme } of looks) {
  test.describe(`${colorScheme}, ${width} pixels wide`, () => {
    test.use({ viewport: { width, height }, colorScheme });
    for (const { id, part, tests } of parts) {
      test(`scenes of '${id}' can be used by everybody, part ${part + 1} of ${tests}`, async ({ page, stage }) => {
        await page.goto('/');
        const links = page.locator(`a[href^="/?scene=${id}/"]`);
        await expect(links.first()).toBeVisible();
        const scenes = await links.evaluateAll((all) => all.map((link) => (link.getAttribute('href') ?? '').slice(8)));
        for (const scene of scenes.filter((_, place) => place % tests === part)) {
          await stage.open(scene);
          expect.soft(await seriousFaults(page), scene).toEqual([]);
          expect.soft(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), scene).toBe(0);
        }
      });
    }
  });
}
