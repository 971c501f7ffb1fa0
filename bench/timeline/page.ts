import { existsSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { type Frames, measureFrames } from './frames';

/** The page under measurement. */
export interface BenchPage {
  readonly browser: Browser;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Starts the browser. `withoutCompilers` leaves out the compilers of V8, whose machine code counts as memory of a page: it grows while
 * functions become hot, and a page cannot free it.
 */
export function launch({ withoutCompilers = false } = {}): Promise<Browser> {
  const system = process.env.CALLBOARD_TEST_BROWSER ?? '/usr/bin/chromium';
  return chromium.launch({
    ...(existsSync(system) ? { executablePath: system } : {}),
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
      ...(withoutCompilers ? ['--js-flags=--no-opt --no-sparkplug --no-maglev'] : []),
    ],
  });
}

/** Opens a fresh profile, in which the timeline takes most of the page. */
export async function openContext({ browser, headers }: BenchPage): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 1100 },
    extraHTTPHeaders: { ...headers },
  });
  // tsx adds calls of this helper to functions, and the page does not have it.
  await context.addInitScript('globalThis.__name = (value) => value');
  await context.addInitScript(() => {
    const paint = CanvasRenderingContext2D.prototype.putImageData;
    const painted = { first: 0, last: 0 };
    Reflect.set(window, 'benchPainted', painted);
    // Every frame of bars ends with one call of `putImageData`.
    CanvasRenderingContext2D.prototype.putImageData = function (this: CanvasRenderingContext2D, ...given: unknown[]) {
      Reflect.apply(paint, this, given);
      painted.last = performance.now();
      painted.first ||= painted.last;
    };
    try {
      localStorage.setItem('callboard.panel.run-timeline', '900');
    } catch {
      // A page without storage, such as the blank one, has no panels.
    }
  });
  return context;
}

/** Opens a run. Resolves once bars are painted. */
export async function openRun(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(address);
  await page.waitForFunction(() => Reflect.get(window, 'benchPainted')?.first > 0, undefined, { timeout: 120_000 });
  return page;
}

/** Returns the milliseconds from the start of a navigation to the first bars, each time in a fresh profile. */
export async function firstBars(bench: BenchPage, run: string, times: number): Promise<readonly number[]> {
  const found: number[] = [];
  for (let count = 0; count < times; count++) {
    const context = await openContext(bench);
    const page = await openRun(context, `${bench.url}/r/${run}`);
    found.push(await page.evaluate(() => Reflect.get(window, 'benchPainted').first as number));
    await context.close();
  }
  return found;
}

/** Chooses the height of lanes by the name of the choice. */
export async function chooseHeight(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Lanes', exact: true }).click();
  await page.getByRole('menuitemradio', { name }).click();
  await page.waitForTimeout(300);
}

/** Zooms in, then pans to both sides and zooms out and in, one step per frame. */
export async function panAndZoom(bench: BenchPage, page: Page, frames: number): Promise<Frames> {
  const wheel = `
    const box = document.querySelector('canvas[role=img]').parentElement;
    const { left, width, top } = box.getBoundingClientRect();
    const turn = (init) => box.dispatchEvent(new WheelEvent('wheel', {
      bubbles: true, cancelable: true, clientX: left + width * 0.4, clientY: top + 100, ...init }));
    const part = Math.floor((frame * 6) / ${frames});
    if (part < 2) turn({ deltaX: 20 });
    else if (part < 4) turn({ deltaX: -20 });
    else turn({ deltaY: part === 4 ? 4 : -4, ctrlKey: true });
  `;
  await page.evaluate(() => {
    const box = document.querySelector('canvas[role=img]')?.parentElement;
    const { left = 0, width = 0, top = 0 } = box?.getBoundingClientRect() ?? {};
    for (let turn = 0; turn < 6; turn++) {
      const init = { bubbles: true, cancelable: true, clientX: left + width / 2, clientY: top + 100 };
      setTimeout(() => box?.dispatchEvent(new WheelEvent('wheel', { ...init, deltaY: -60, ctrlKey: true })), turn * 40);
    }
  });
  await page.waitForTimeout(600);
  return await measureFrames(bench.browser, page, frames, wheel);
}

/** Moves the play-head to another place in every frame. */
export async function scrub(bench: BenchPage, page: Page, frames: number): Promise<Frames> {
  const step = `
    const strip = document.querySelector('[data-moment-strip]');
    const { left, width, top } = strip.getBoundingClientRect();
    const share = (frame * 0.618) % 1;
    const init = { bubbles: true, cancelable: true, clientX: left + width * share, clientY: top + 5, buttons: 1, button: 0, pointerId: 1 };
    strip.dispatchEvent(new PointerEvent('pointermove', init));
  `;
  return await measureFrames(bench.browser, page, frames, step);
}

/** Types a query. Returns the milliseconds from each key to the first results for the text so far. */
export async function searchTimes(page: Page, query: string): Promise<readonly number[]> {
  await page.getByRole('searchbox', { name: 'Search this run' }).focus();
  const times: number[] = [];
  for (const letter of query) {
    await page.evaluate(() => {
      const found = document.querySelector('[data-search-count]');
      const shown = new Promise<number>((resolve) => {
        let begun = performance.now();
        window.addEventListener('keydown', (event) => (begun = event.timeStamp), { capture: true, once: true });
        new MutationObserver((_, observer) => {
          observer.disconnect();
          requestAnimationFrame(() => resolve(performance.now() - begun));
        }).observe(found ?? document.body, { subtree: true, childList: true, characterData: true, attributes: true });
      });
      Reflect.set(window, 'benchFound', shown);
    });
    await page.keyboard.type(letter);
    times.push(await page.evaluate(() => Reflect.get(window, 'benchFound') as Promise<number>));
    await page.waitForTimeout(100);
  }
  return times;
}

/** Returns the bytes of script objects and array buffers of a page after a garbage collection. */
export async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  const usage: { usedSize: number; backingStorageSize?: number } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usage.usedSize + (usage.backingStorageSize ?? 0);
}

/** The heap of a page in bytes, at three times of opening and closing a run. */
interface HeapWhileOpened {
  readonly afterSecond: number;
  /** After so many times that V8 has compiled what is used. */
  readonly warm: number;
  readonly last: number;
}

const warmCycles = 11;

/** Opens and closes a run `cycles` times within one page. */
export async function openAndClose(bench: BenchPage, run: string, cycles: number): Promise<HeapWhileOpened> {
  const context = await openContext(bench);
  const page = await context.newPage();
  await page.goto(`${bench.url}/runs`);
  const link = page.locator(`a[href^="/r/${run}"]`).first();
  let afterSecond = 0;
  let warm = 0;
  for (let cycle = 1; cycle <= cycles; cycle++) {
    await link.click();
    await page.locator('canvas[role=img]').waitFor();
    await page.waitForTimeout(300);
    await page.goBack();
    await link.waitFor();
    if (cycle === 2) afterSecond = await heapOf(page);
    if (cycle === warmCycles) warm = await heapOf(page);
  }
  const last = await heapOf(page);
  await context.close();
  return { afterSecond, warm, last };
}

/** Returns the gzipped size of the scripts that the run page loads, and the addresses on other hosts that it asked for. */
export async function scriptsOf(
  bench: BenchPage,
  run: string,
): Promise<{ bytes: number; elsewhere: readonly string[] }> {
  const context = await openContext(bench);
  const page = await context.newPage();
  const bodies: Promise<Buffer>[] = [];
  const elsewhere: string[] = [];
  page.on('response', (response) => {
    if (!response.url().startsWith(bench.url)) elsewhere.push(response.url());
    if (response.request().resourceType() === 'script') bodies.push(response.body());
  });
  await page.goto(`${bench.url}/r/${run}`);
  await page.waitForFunction(() => Reflect.get(window, 'benchPainted')?.first > 0);
  await page.waitForTimeout(500);
  let bytes = 0;
  for (const body of bodies) bytes += gzipSync(await body, { level: 9 }).length;
  await context.close();
  return { bytes, elsewhere };
}
