import { expect, type Locator, type Page } from '@playwright/test';
import { graph } from './pages';

/** A place on the canvas. Nodes are named by id: `agent:lead`, `server:time`. */

export interface Place {
  readonly x: number;
  readonly y: number;
}

export function node(page: Page, id: string): Locator {
  return graph(page).locator(`.react-flow__node[data-id="${id}"]`);
}

export function wires(page: Page): Locator {
  return graph(page).locator('.react-flow__edge');
}

/** Returns the selected nodes, in the order of the page. */
export function selected(page: Page): Locator {
  return graph(page).locator('.react-flow__node.selected');
}

export async function middleOf(target: Locator): Promise<Place> {
  const box = await target.boundingBox();
  if (box === null) throw new Error(`${target} is not on the screen`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Presses the button at `from` and releases it at `to`. `over` runs while the button is still pressed there. */
export async function drag(page: Page, from: Place, to: Place, over?: () => Promise<void>): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await over?.();
  await page.mouse.up();
}

/**
 * Makes the graph smaller, so that it is away from the edge of the canvas. A wire that is held at the edge would move the
 * view.
 */
export async function stepBack(page: Page): Promise<void> {
  const first = graph(page).locator('.react-flow__node').first();
  const width = (await first.boundingBox())?.width ?? 0;
  const { x, y } = await middleOf(graph(page));
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, 240);
  await expect.poll(async () => (await first.boundingBox())?.width).toBeLessThan(width * 0.8);
}

/** Draws a wire from the right side of one node to the left side of another. */
export async function drawWire(page: Page, from: string, to: string, over?: () => Promise<void>): Promise<void> {
  const end = node(page, to).locator('.react-flow__handle.target');
  const start = await middleOf(node(page, from).locator('.react-flow__handle.source'));
  await drag(page, start, await middleOf(end), over);
}

/** Returns a place left of and above everything, where there is neither node nor wire. */
export async function emptyPlace(page: Page): Promise<Place> {
  const box = await graph(page).boundingBox();
  if (box === null) throw new Error('The canvas is not on the screen');
  return { x: box.x + 12, y: box.y + 12 };
}

/** Drags a kind of node from the palette to a place on the canvas, counted from its corner, and gives it a name. */
export async function dropFromPalette(page: Page, label: string, at: Place, name: string): Promise<void> {
  const palette = page.getByRole('region', { name: 'Palette' });
  await palette.getByRole('button', { name: label, exact: true }).dragTo(graph(page), { targetPosition: at });
  const field = graph(page).getByRole('textbox', { name: /^New name of / });
  await field.fill(name);
  await field.press('Enter');
  await expect(node(page, `agent:${name}`)).toBeVisible();
}

/** Puts a text on the clipboard of the page, and pastes it by key where the focus is. */
export async function pasteText(page: Page, text: string): Promise<void> {
  await page.evaluate((copied) => {
    document.addEventListener(
      'copy',
      (event) => {
        event.clipboardData?.setData('text/plain', copied);
        event.preventDefault();
        event.stopImmediatePropagation();
      },
      { capture: true, once: true },
    );
  }, text);
  await page.keyboard.press('ControlOrMeta+c');
  await page.keyboard.press('ControlOrMeta+v');
}
