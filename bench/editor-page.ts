import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from '@playwright/test';
import type { BenchApp } from './editor-app';
import { type FloorSize, startFloorPage } from './editor-floor';

export interface EditorMeasures {
  readonly firstOpenMs: number;
  readonly openMs: readonly number[];
  readonly drag: DragMeasure;
  readonly panMs: readonly number[];
  readonly zoomMs: readonly number[];
  readonly fieldMs: readonly number[];
  readonly textMs: readonly number[];
  readonly floor: Pick<EditorMeasures, 'openMs' | 'drag' | 'panMs' | 'zoomMs'> & { readonly keyMs: readonly number[] };
}

interface DragMeasure {
  readonly gapsMs: readonly number[];
  readonly fps: number;
}

const opens = 5;
const keys = 30;
const dragSteps = 120;

/** Measures the editor of a project with `files`, and the reference page in the same browser. The browser takes the times. */
export async function measureEditor(
  { url: appUrl, headers }: Pick<BenchApp, 'url' | 'headers'>,
  files: Readonly<Record<string, string>>,
  size: FloorSize,
): Promise<EditorMeasures> {
  const body = JSON.stringify({ name: 'Benchmark', files });
  const made = await fetch(`${appUrl}/api/v1/projects`, {
    method: 'POST',
    body,
    headers: { ...headers, 'Content-Type': 'application/json' },
  });
  const { id } = await made.json();
  const project = `${appUrl}/p/${id}`;
  const browser = await launch();
  try {
    const firstOpenMs = await openTime(browser, project, headers);
    const openMs = await repeat(opens, () => openTime(browser, project, headers));
    const page = await opened(browser, project, headers);
    const drag = await dragNode(page, '[data-id="agent:agent-0"]');
    const panMs = await pan(page);
    const zoomMs = await zoom(page);
    await page.locator('[data-id="agent:agent-0"]').click();
    await page
      .getByRole('tabpanel', { name: 'Properties' })
      .getByRole('textbox', { name: 'Description', exact: true })
      .click();
    await page.keyboard.press('End');
    const fieldMs = await typeKeys(page, '[data-id="agent:agent-0"]');
    await page.getByRole('tab', { name: 'Card' }).click();
    await page.locator('.cm-line', { hasText: 'model:' }).click();
    await page.keyboard.press('End');
    const textMs = await typeKeys(page, '[data-id="agent:agent-0"]');
    await fetch(`${appUrl}/api/v1/projects/${id}`, { method: 'DELETE', headers });
    return { firstOpenMs, openMs, drag, panMs, zoomMs, fieldMs, textMs, floor: await measureFloor(browser, size) };
  } finally {
    await browser.close();
  }
}

async function measureFloor(browser: Browser, size: FloorSize): Promise<EditorMeasures['floor']> {
  const floor = await startFloorPage(size);
  try {
    await openTime(browser, floor.url);
    const openMs = await repeat(opens, () => openTime(browser, floor.url));
    const page = await opened(browser, floor.url);
    const drag = await dragNode(page, '[data-id="0"]');
    const panMs = await pan(page);
    const zoomMs = await zoom(page);
    await page.getByLabel('Name').click();
    return { openMs, drag, panMs, zoomMs, keyMs: await typeKeys(page, '[data-id="0"]') };
  } finally {
    floor.stop();
  }
}

function launch(): Promise<Browser> {
  const system = process.env.CALLBOARD_TEST_BROWSER ?? '/usr/bin/chromium';
  return chromium.launch({
    ...(existsSync(system) ? { executablePath: system } : {}),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  });
}

/** Returns the time from navigation start to the frame after nodes and edges appear, in a fresh profile. */
async function openTime(browser: Browser, url: string, headers: BenchApp['headers'] = {}): Promise<number> {
  const page = await opened(browser, url, headers);
  const time = await page.evaluate(() => Reflect.get(window, 'benchOpened') as Promise<number>);
  await page.context().close();
  return time;
}

async function opened(browser: Browser, url: string, headers: BenchApp['headers'] = {}): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    extraHTTPHeaders: { ...headers },
  });
  const page = await context.newPage();
  // tsx adds calls of this helper to functions, and the page does not have it.
  await page.addInitScript('globalThis.__name = (value) => value');
  await page.addInitScript(() => {
    const painted = new Promise<number>((resolve) => {
      const look = () => {
        const drawn = document.querySelector('.react-flow__node') && document.querySelector('.react-flow__edge-path');
        if (drawn) requestAnimationFrame(() => resolve(performance.now()));
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    Reflect.set(window, 'benchOpened', painted);
  });
  await page.goto(url);
  await page.evaluate(() => Reflect.get(window, 'benchOpened') as Promise<number>);
  await page.waitForTimeout(500);
  return page;
}

/** Moves a node back and forth, one step per frame, and measures the gaps between frames. */
async function dragNode(page: Page, node: string): Promise<DragMeasure> {
  const box = await page.locator(node).boundingBox();
  if (box === null) throw new Error(`No ${node} on the canvas`);
  const frames = await pull(page, { x: box.x + box.width / 2, y: box.y + box.height - 8 }, 60);
  const total = (frames.at(-1) ?? 0) - (frames[0] ?? 0);
  const gapsMs = gapsOf(frames);
  return { gapsMs, fps: (gapsMs.length * 1_000) / total };
}

/** Drags the empty canvas back and forth across a third of its width, so that nodes come into view and leave it. */
async function pan(page: Page): Promise<number[]> {
  return gapsOf(await pull(page, await emptyPlace(page), 240));
}

/** Turns the wheel, out and in again. The view is then where it was. */
async function zoom(page: Page): Promise<number[]> {
  const at = await emptyPlace(page);
  await page.mouse.move(at.x, at.y);
  await recordFrames(page);
  for (const [step] of Array.from({ length: wheelSteps }).entries()) {
    await page.mouse.wheel(0, step < wheelSteps / 2 ? 60 : -60);
    await page.waitForTimeout(8);
  }
  return gapsOf(await framesOf(page));
}

const wheelSteps = 80;

/** Presses the button at a place, moves `reach` pixels to both sides, and releases it. Returns the times of the frames. */
async function pull(page: Page, { x, y }: { readonly x: number; readonly y: number }, reach: number) {
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 8, y + 8);
  await recordFrames(page);
  for (let step = 0; step < dragSteps; step += 1) {
    const away = reach * Math.sin(step / 8);
    await page.mouse.move(x + away, y + away / 2);
    await page.waitForTimeout(8);
  }
  const frames = await framesOf(page);
  await page.mouse.up();
  return frames;
}

/** Returns a place of the canvas where there is neither node nor wire. */
function emptyPlace(page: Page): Promise<{ x: number; y: number }> {
  return page.evaluate(() => {
    const pane = document.querySelector('.react-flow__pane');
    const box = pane?.getBoundingClientRect();
    if (!box) throw new Error('No canvas');
    for (let tries = 0; tries < 2_000; tries += 1) {
      const x = box.left + box.width * (0.3 + 0.4 * ((tries * 0.618) % 1));
      const y = box.top + box.height * (0.2 + (0.6 * tries) / 2_000);
      if (document.elementFromPoint(x, y) === pane) return { x, y };
    }
    throw new Error('The canvas has no empty place');
  });
}

function recordFrames(page: Page): Promise<void> {
  return page.evaluate(() => {
    const frames: number[] = [];
    Reflect.set(window, 'benchFrames', frames);
    const tick = () => {
      // A newer recording ends this one.
      if (Reflect.get(window, 'benchFrames') !== frames || frames.length >= 5_000) return;
      frames.push(performance.now());
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
}

function framesOf(page: Page): Promise<number[]> {
  return page.evaluate(() => [...(Reflect.get(window, 'benchFrames') as number[])]);
}

function gapsOf(frames: readonly number[]): number[] {
  return frames.slice(1).map((at, index) => at - (frames[index] ?? at));
}

/** Types into the focused field. Returns the times from keydown to the frame after the node shows the new text. */
async function typeKeys(page: Page, node: string): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < keys + 5; count += 1) {
    await page.evaluate((selector) => {
      const shown = new Promise<number>((resolve) => {
        const canvas = document.querySelector(selector);
        if (canvas === null) throw new Error(`No ${selector}`);
        let begun = 0;
        window.addEventListener('keydown', (event) => (begun = event.timeStamp), { capture: true, once: true });
        const observer = new MutationObserver(() => {
          observer.disconnect();
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => resolve(performance.now() - begun);
            port2.postMessage(undefined);
          });
        });
        observer.observe(canvas, { subtree: true, childList: true, characterData: true });
      });
      Reflect.set(window, 'benchShown', shown);
    }, node);
    await page.keyboard.press('x');
    times.push(await page.evaluate(() => Reflect.get(window, 'benchShown') as Promise<number>));
    await page.waitForTimeout(40);
  }
  return times.slice(5);
}

async function repeat(times: number, work: () => Promise<number>): Promise<number[]> {
  const values: number[] = [];
  for (let count = 0; count < times; count += 1) values.push(await work());
  return values;
}
