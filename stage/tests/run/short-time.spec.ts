import type { Page } from '@playwright/test';
import { seriousFaults } from '@/e2e/pages';
import { expect, type Stage, test } from '../stage';

/** Time in which nothing works is drawn short on the axis of a run. */

const day = 86_400_000;

test('a wait of three days takes little room, the play-head goes over it, and a switch shows it as it was', async ({
  page,
  stage,
}) => {
  await stage.open('run/waited-three-days');
  const short = page.getByRole('button', { name: 'Shorten time without work' });
  await expect(short).toHaveAttribute('aria-pressed', 'true');

  // Of a run of four seconds and three days, the middle of the axis is near the wait, and the parts beside it have their seconds.
  expect(await momentAt(page, stage, 0.1)).toBeLessThan(2_000);
  expect(await momentAt(page, stage, 0.9)).toBeGreaterThan(3 * day);
  const [a, b] = [await momentAt(page, stage, 0.6), await momentAt(page, stage, 0.8)];
  expect(b - a).toBeGreaterThan(500);
  expect(b - a).toBeLessThan(2_000);

  // The slider has the same places.
  const slider = page.getByRole('slider', { name: 'Moment of the run' });
  await slider.focus();
  await page.keyboard.press('PageDown');
  await stage.idle();
  expect(momentOf(page)).toBeLessThan(b);
  expect(momentOf(page)).toBeGreaterThan(3 * day);

  // A zoom stays with what is drawn: after it, less than two seconds are in view.
  for (let press = 0; press < 3; press++) await page.getByRole('button', { name: 'Zoom in' }).click();
  await stage.idle();
  expect(widthOf(page)).toBeLessThan(2_000);
  await page.getByRole('button', { name: 'Whole run' }).click();

  await short.click();
  await expect(short).toHaveAttribute('aria-pressed', 'false');
  const middle = await momentAt(page, stage, 0.5);
  expect(middle).toBeGreaterThan(day);
  expect(middle).toBeLessThan(2 * day);
  expect(await seriousFaults(page)).toEqual([]);
});

/** Sets the play-head by a click on the axis, and returns its moment in milliseconds. */
async function momentAt(page: Page, stage: Stage, share: number): Promise<number> {
  const strip = page.locator('[data-moment-strip]');
  const box = await strip.boundingBox();
  if (box === null) throw new Error('There is no axis.');
  await strip.click({ position: { x: box.width * share, y: box.height / 2 } });
  await stage.idle();
  return momentOf(page);
}

/** Returns how many milliseconds are in view. */
function widthOf(page: Page): number {
  const [from = 0, to = Number.POSITIVE_INFINITY] = (new URL(page.url()).searchParams.get('t') ?? '')
    .split('-')
    .filter((part) => part !== '')
    .map(Number);
  return to - from;
}

function momentOf(page: Page): number {
  return Number(new URL(page.url()).searchParams.get('at'));
}
