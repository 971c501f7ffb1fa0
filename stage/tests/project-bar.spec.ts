import type { Page } from '@playwright/test';
import { goToPage } from '@/e2e/pages';
import { expect, test } from './stage';

/** The bar of every page of a project. */

const bar = (page: Page) => page.getByRole('navigation', { name: 'Pages of the project' });
const path = (page: Page) => new URL(page.url()).pathname;
const words = ['Editor', 'Chat', 'Runs', 'Tests', 'Revisions', 'Reviews', 'Triggers'];

const scenes: Readonly<Record<string, string>> = {
  'editor/a-desk': 'Editor',
  'chat/none-yet': 'Chat',
  'runs/of-a-project': 'Runs',
  'run/fourteen-children': 'Runs',
  'tests/passed-and-failed': 'Tests',
  'revisions/several-revisions': 'Revisions',
  'reviews/several-reviews': 'Reviews',
  'review/withdrawn': 'Reviews',
  'triggers/schedules-and-webhooks': 'Triggers',
};

test('every page of a project has the same bar, with the page marked, and the way back', {
  tag: '@phone-full',
}, async ({ page, stage, viewport }) => {
  const places: (number | undefined)[] = [];
  for (const [scene, name] of Object.entries(scenes)) {
    await stage.open(scene);
    await expect(page.locator('header').getByText('Desk', { exact: true }).first(), scene).toBeVisible();
    await expect(page.getByRole('link', { name: 'All projects' }), scene).toHaveAttribute('href', '/');
    if ((viewport?.width ?? 0) < 1024) {
      await page.getByRole('button', { name: `Pages of the project, ${name} is shown` }).click();
      await expect(page.getByRole('menuitem', { name, exact: true }), scene).toHaveAttribute('aria-current', 'page');
      await expect(page.getByRole('menuitem')).toHaveText(words);
      await page.keyboard.press('Escape');
    } else {
      await expect(bar(page).getByRole('link'), scene).toHaveText(words);
      await expect(bar(page).locator('[aria-current=page]'), scene).toHaveText(name);
      places.push((await bar(page).boundingBox())?.x);
    }
  }
  expect(new Set(places).size, 'the words stay where they are').toBeLessThanOrEqual(1);
});

test('the runs of the project are one click away, and its other pages too', { tag: '@phone' }, async ({
  page,
  stage,
}) => {
  await stage.open('editor/a-desk');
  for (const [name, to] of [
    ['Runs', '/p/desk/runs'],
    ['Chat', '/p/desk/chat'],
    ['Triggers', '/p/desk/triggers'],
    ['Editor', '/p/desk'],
  ] as const) {
    await goToPage(page, name);
    expect(path(page)).toBe(to);
  }
});

test('the words are walked and opened by keys @full', async ({ page, stage }) => {
  await stage.open('reviews/several-reviews');
  await page.getByRole('link', { name: 'All projects' }).focus();
  await page.keyboard.press('Tab');
  await expect(bar(page).getByRole('link', { name: 'Editor' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(path(page)).toBe('/p/desk/runs');
});

test('Export and Publish of another page open their dialogs in the editor, once', async ({ page, stage }) => {
  await stage.open('triggers/schedules-and-webhooks');
  await page.locator('header').getByRole('link', { name: 'Export', exact: true }).click();
  expect(page.url()).toContain('/p/desk?open=export');
  await page.locator('header').getByRole('link', { name: 'Publish', exact: true }).click();
  expect(page.url()).toContain('/p/desk?open=publish');

  await stage.open('editor/asked-to-export');
  await expect(page.getByRole('dialog', { name: 'Export' })).toBeVisible();
  expect(new URL(page.url()).search).toBe('');
});

test('in the editor Export opens its dialog at once, also from the menu of a phone', {
  tag: ['@full', '@phone-full'],
}, async ({ page, stage, viewport }) => {
  await stage.open('editor/a-desk');
  if ((viewport?.width ?? 0) < 640) {
    await page.getByRole('button', { name: 'More of the project' }).click();
    await page.getByRole('menuitem', { name: 'Export', exact: true }).click();
  } else await page.locator('header').getByRole('button', { name: 'Export', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Export' })).toBeVisible();
});

test('who only views is offered no Publish and no secrets', { tag: ['@full', '@phone-full'] }, async ({
  page,
  stage,
}) => {
  for (const scene of ['editor/for-somebody-who-only-views', 'reviews/for-somebody-who-only-views']) {
    await stage.open(scene);
    await expect(page.locator('header').getByText('Publish', { exact: true })).toHaveCount(0);
    await page.getByRole('button', { name: 'More of the project' }).click();
    await expect(page.getByRole('menuitem', { name: 'Members' })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: /Publish|Secrets/ })).toHaveCount(0);
    await page.keyboard.press('Escape');
  }
});

test('a filter of the runs of a project stays within the project @full', async ({ page, stage }) => {
  await stage.open('runs/of-a-project-for-somebody-who-only-views');
  await expect(page.getByRole('button', { name: /^Status/ })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Project/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/p/desk/runs');
  const asked = await stage.inputsOf('GET /api/v1/runs');
  expect(asked.at(-1)).toMatchObject({ query: { project: 'desk' } });
});
