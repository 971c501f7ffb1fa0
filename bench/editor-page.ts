import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from '@playwright/test';
import type { BenchApp } from './editor-app';
import { startFloorPage } from './editor-floor';

export interface EditorMeasures {
  readonly firstOpenMs: number;
  readonly openMs: readonly number[];
  readonly drag: DragMeasure;
  readonly fieldMs: readonly number[];
  readonly textMs: readonly number[];
  readonly floor: { readonly openMs: readonly number[]; readonly drag: DragMeasure; readonly keyMs: readonly number[] };
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
    await page.locator('[data-id="agent:agent-0"]').click();
    await page
      .getByRole('tabpanel', { name: 'Properties' })
      .getByRole('textbox', { name: 'Model', exact: true })
      .click();
    await page.keyboard.press('End');
    const fieldMs = await typeKeys(page, '[data-id="agent:agent-0"]');
    await page.getByRole('tab', { name: 'Card' }).click();
    await page.locator('.cm-line', { hasText: 'model:' }).click();
    await page.keyboard.press('End');
    const textMs = await typeKeys(page, '[data-id="agent:agent-0"]');
    await fetch(`${appUrl}/api/v1/projects/${id}`, { method: 'DELETE', headers });
    return { firstOpenMs, openMs, drag, fieldMs, textMs, floor: await measureFloor(browser) };
  } finally {
    await browser.close();
  }
}

async function measureFloor(browser: Browser): Promise<EditorMeasures['floor']> {
  const floor = await startFloorPage();
  try {
    await openTime(browser, floor.url);
    const openMs = await repeat(opens, () => openTime(browser, floor.url));
    const page = await opened(browser, floor.url);
    const drag = await dragNode(page, '[data-id="0"]');
    await page.getByLabel('Name').click();
    return { openMs, drag, keyMs: await typeKeys(page, '[data-id="0"]') };
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
  const [x, y] = [box.x + box.width / 2, box.y + box.height - 8];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 8, y + 8);
  await page.evaluate(() => {
    const frames: number[] = [];
    Reflect.set(window, 'benchFrames', frames);
    const tick = () => {
      frames.push(performance.now());
      if (frames.length < 5_000) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  for (let step = 0; step < dragSteps; step += 1) {
    const away = 60 * Math.sin(step / 8);
    await page.mouse.move(x + away, y + away / 2);
    await page.waitForTimeout(8);
  }
  const frames = await page.evaluate(() => [...(Reflect.get(window, 'benchFrames') as number[])]);
  await page.mouse.up();
  const gapsMs = frames.slice(1).map((at, index) => at - (frames[index] ?? at));
  const total = (frames.at(-1) ?? 0) - (frames[0] ?? 0);
  return { gapsMs, fps: (gapsMs.length * 1_000) / total };
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
