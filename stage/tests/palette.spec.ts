import type { Page } from '@playwright/test';
import { node } from '@/e2e/canvas';
import { expect, test } from './stage';

/** The command palette, by keys, on pages with and without a project. */

const palette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' });
const best = (page: Page) => palette(page).getByRole('option', { selected: true });

async function ask(page: Page, text: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  await expect(palette(page).getByRole('combobox')).toBeFocused();
  await page.keyboard.type(text);
}

const everywhere: Readonly<Record<string, string>> = {
  trash: 'Bin',
  audit: 'Audit log',
  'new project': 'New project…',
  secrets: 'Secrets',
  'dark mode': 'Dark theme',
};

for (const [place, scene] of ['projects/several-projects', 'inbox/empty', 'policy/several-rules'].entries()) {
  test(`finds pages, settings, commands and projects on ${scene}${place === 0 ? '' : ' @full'}`, async ({
    page,
    stage,
  }) => {
    await stage.open(scene);
    for (const [query, name] of Object.entries(everywhere)) {
      await ask(page, query);
      await stage.pass(200);
      await expect(palette(page).getByRole('option').filter({ hasText: name }).first(), query).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(palette(page)).toHaveCount(0);
    }
  });
}

test('a page, a project and a theme are chosen by keys', async ({ page, stage }) => {
  await stage.open('notices/empty');
  await ask(page, 'trash');
  await expect(best(page)).toContainText('Bin');
  await page.keyboard.press('Enter');
  await expect(palette(page)).toHaveCount(0);
  await expect(page).toHaveURL(/\/runs\/bin$/);

  await ask(page, 'weather');
  await stage.pass(200);
  await expect(best(page)).toContainText('Weather');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/p\/weather$/);

  await ask(page, 'dark');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('Enter right after the last letter chooses the best match', async ({ page, stage }) => {
  await stage.open('triggers/schedules-and-webhooks');
  await ask(page, '');
  await palette(page)
    .getByRole('combobox')
    .evaluate((field: HTMLInputElement) => {
      const type = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
      type?.call(field, 'chat');
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    });
  await expect(page).toHaveURL(/\/p\/desk\/chat$/);
});

test('a page of a project offers the pages of the project, Export and Publish @full', async ({ page, stage }) => {
  await stage.open('triggers/schedules-and-webhooks');
  for (const [query, name, to] of [
    ['chat', 'Chat', /\/p\/desk\/chat$/],
    ['executions', 'Runs', /\/p\/desk\/runs$|\/runs$/],
    ['invite', 'Members', /\/p\/desk\/members$/],
    ['export', 'Export', /\/p\/desk\?open=export$/],
    ['deploy', 'Publish', /\/p\/desk\?open=publish$/],
  ] as const) {
    await ask(page, query);
    // Enter takes what is listed for the text by then.
    await expect(best(page), query).toContainText(name);
    await page.keyboard.press('Enter');
    await expect(page, query).toHaveURL(to);
  }
});

test('in the editor it gives commands by other words for them, and shows their keys', async ({ page, stage }) => {
  await stage.open('editor/a-desk');
  await ask(page, 'layout');
  await expect(best(page)).toContainText('Tidy');
  await expect(best(page)).toContainText('Shift');
  await page.keyboard.press('Escape');

  await ask(page, 'shortcuts');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toContainText('Duplicate');
  await page.keyboard.press('Escape');

  await ask(page, 'everything');
  await expect(best(page)).toContainText('Select all');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('toolbar', { name: /selected$/ })).toBeVisible();

  await ask(page, 'writer');
  await page.keyboard.press('Enter');
  await expect(node(page, 'agent:writer')).toHaveClass(/selected/);

  await ask(page, 'export');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Export' })).toBeVisible();
});

test('who only views is offered nothing that changes the project @full', async ({ page, stage }) => {
  await stage.open('editor/for-somebody-who-only-views');
  await ask(page, '');
  const option = (name: string) => palette(page).getByRole('option', { name, exact: true });
  await expect(option('Runs').first()).toBeVisible();
  for (const name of ['Publish', 'Add agent', 'Save now', 'Undo', 'Run', 'Secrets of this project']) {
    await expect(option(name), name).toHaveCount(0);
  }
});

test('without an answer of the server the palette says so, and still finds the rest @full', async ({ page, stage }) => {
  await stage.open('notices/empty');
  await stage.trouble('GET /api/v1/projects', { kind: 'offline' });
  await ask(page, 'policy');
  await stage.pass(200);
  await expect(palette(page).getByRole('status')).toContainText('Projects are not searched');
  await expect(palette(page).getByRole('option').first()).toContainText('Policy');
});

test('what is typed before the palette is loaded goes to it and not to the canvas @full', async ({ page, stage }) => {
  await stage.open('editor/a-desk');
  await node(page, 'agent:critic').click();
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('writer');
  await page.keyboard.press('Enter');
  await expect(node(page, 'agent:writer')).toHaveClass(/selected/);
  await expect(palette(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Undo', exact: true })).toBeDisabled();
});

test('the button in the frame opens it, and Escape gives the focus back @full', async ({ page, stage }) => {
  await stage.open('notices/empty');
  const button = page.getByRole('button', { name: 'Search' });
  await button.click();
  await expect(palette(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(button).toBeFocused();
});
