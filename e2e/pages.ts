import { readFileSync } from 'node:fs';
import { expect, type Locator, type Page } from '@playwright/test';

/** These functions do what a user does on each screen, in words and at any width. */

/** Shows a panel. On a phone the editor shows one panel at a time. */
export async function showPanel(page: Page, name: 'Outline' | 'Canvas' | 'Inspector' | 'Run'): Promise<void> {
  const switcher = page.getByRole('navigation', { name: 'Panels' });
  if (await switcher.isVisible()) await switcher.getByRole('button', { name }).click();
}

export async function openProject(page: Page, name: string): Promise<void> {
  await page.goto('/');
  await page.getByRole('link', { name, exact: true }).first().click();
  await expect(page).toHaveURL(/\/p\//);
  await showPanel(page, 'Canvas');
  await expect(graph(page)).toBeVisible();
}

/** Opens the editor of a project by its id and waits until it is drawn, because earlier clicks are lost. */
export async function openEditor(page: Page, project: string): Promise<void> {
  await page.goto(`/p/${project}`);
  await expect(graph(page)).toBeVisible();
}

/** Goes to another page of the project by its bar. A narrow window has the pages in a menu. */
export async function goToPage(page: Page, name: string): Promise<void> {
  const bar = page.getByRole('navigation', { name: 'Pages of the project' });
  if (await bar.isVisible()) return await bar.getByRole('link', { name, exact: true }).click();
  await page.getByRole('button', { name: /^Pages of the project/ }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

/** Shows the whole graph, also on a phone, where a project opens with the part round its entry agent. */
export async function showWholeGraph(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Fit View' }).click();
}

export function graph(page: Page): Locator {
  return page.getByLabel('Graph', { exact: true });
}

/** Saves what is on the screen now, instead of in a moment, and waits until it is saved. */
export async function save(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+s');
  await expectSaveState(page, 'Saved');
}

/** Waits for what the editor says about saving. */
export async function expectSaveState(page: Page, state: 'Saved' | 'Saving…' | 'Not saved'): Promise<void> {
  await expect(page.locator('header').getByRole('status')).toHaveText(state);
}

/** Saves now, and waits until the saved files are as expected. */
export async function expectSavedFiles(
  page: Page,
  read: () => Promise<Record<string, string>>,
  expected: Record<string, string>,
): Promise<void> {
  await save(page);
  await expect.poll(read).toEqual(expected);
}

/** Expects that nothing was changed since the project was opened, or that all of it was undone. */
export async function expectNoEdits(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Undo', exact: true })).toBeDisabled();
  await expectSaveState(page, 'Saved');
}

/** Starts a run from the dock. Resolves when the dock shows the run, which may have ended by then. */
export async function runProject(page: Page, message: string): Promise<void> {
  await showPanel(page, 'Run');
  await page.getByRole('tab', { name: 'Run', exact: true }).click();
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill(message);
  const link = page.getByRole('link', { name: /Open run/ });
  const before = (await link.isVisible()) ? await link.getAttribute('href') : null;
  await page.locator('form').getByRole('button', { name: 'Run', exact: true }).click();
  await expect(link).toBeVisible();
  await expect(link).not.toHaveAttribute('href', before ?? '');
}

/** Chooses a model by typing its whole name into a picker of models. */
export async function pickModel(page: Page, picker: Locator, model: string): Promise<void> {
  await picker.click();
  await page.keyboard.type(model);
  await page.keyboard.press('Enter');
  await expect(picker).toHaveText(model);
}

/** Goes from the dock to the run's own page. */
export async function openRun(page: Page): Promise<void> {
  await page.getByRole('link', { name: /Open run/ }).click();
  await expect(page).toHaveURL(/\/r\//);
}

/** Returns status, duration and tokens of the shown run, in the head of its own page or in the dock. */
export function runFacts(page: Page): Locator {
  return page.getByTitle('Duration', { exact: true }).locator('..');
}

/** Returns the names of the instances on the timeline, top to bottom. */
export function lanes(page: Page): Locator {
  return page.getByRole('tree', { name: 'Instances' });
}

export const themes = ['light', 'dark'] as const;

/** Draws the page wide and narrow, light and dark, where `CALLBOARD_PICTURES` names a folder. */
export async function pictures(page: Page, name: string): Promise<void> {
  const size = page.viewportSize();
  for (const width of [1440, 390]) {
    for (const colorScheme of themes) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await picture(page, `${name}-${width}-${colorScheme}`);
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (size !== null) await page.setViewportSize(size);
}

const highestPicture = 3_200;

/** Draws the page as it is now, also what is below the fold, where `CALLBOARD_PICTURES` names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.CALLBOARD_PICTURES;
  const size = page.viewportSize();
  if (folder === undefined || size === null) return;
  // A page scrolls inside `main`.
  const whole = await page.evaluate(() =>
    Math.max(...[document.documentElement, ...document.querySelectorAll('main')].map((each) => each.scrollHeight)),
  );
  const height = Math.min(Math.max(size.height, whole), highestPicture);
  await page.setViewportSize({ width: size.width, height });
  await page.screenshot({ path: `${folder}/${name}.png`, animations: 'disabled' });
  await page.setViewportSize(size);
}

/** Returns faults that axe calls serious or critical, as `rule: element`: those of the page, or below the first match of `within`. */
export async function seriousFaults(page: Page, within = 'html'): Promise<string[]> {
  // While a page is refreshed its title may be taken away and put back.
  await page.waitForFunction(() => document.title !== '');
  const isThere = await page.evaluate(() => Reflect.has(window, 'axe'));
  if (!isThere) await page.evaluate(axeSource);
  return page.evaluate(async (within) => {
    const axe: unknown = Reflect.get(window, 'axe');
    if (typeof axe !== 'object' || axe === null) throw new Error('axe is not there');
    // No rule that runs reads style sheets, so none is loaded again.
    const options = { resultTypes: ['violations'], preload: false, iframes: false };
    const part = document.querySelector(within);
    if (part === null) throw new Error(`Nothing matches ${within}`);
    const result = await Reflect.get(axe, 'run').call(axe, part, options);
    return result.violations
      .filter((found: { impact: string }) => found.impact === 'serious' || found.impact === 'critical')
      .flatMap((found: { id: string; nodes: { target: string[] }[] }) =>
        found.nodes.map((node) => `${found.id}: ${node.target.join(' ')}`),
      );
  }, within);
}

const axeSource = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
