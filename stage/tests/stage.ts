import { test as base, expect, type Page } from '@playwright/test';
import type {} from '@/lib/testing/idle';
import type { Trouble } from '../memory/backend';
import type {} from '../page/controls';
import type {} from '../scenes/editor';

export { expect };

/** What a test does with a scene besides mouse and keys. */
export interface Stage {
  /** Opens a scene by its address (`editor/empty`), and waits until it is idle. */
  open(scene: string): Promise<void>;
  /** Opens the editor of a project with these files. */
  openEditor(files: Readonly<Record<string, string>>): Promise<void>;
  /** Waits until no request, timer, transition or rendering is under way. */
  idle(): Promise<void>;
  /** Lets time pass for the timers of the page, and waits until it is idle. */
  pass(ms: number): Promise<void>;
  /** Lets the next calls of a service be late, fail or be refused. */
  trouble(service: string, kind: Trouble, times?: number): Promise<void>;
  /** Answers the calls that are late. */
  release(service: string): Promise<void>;
  /** Returns the inputs that a service got, oldest first. */
  inputsOf(service: string): Promise<readonly unknown[]>;
  /** Saves the project of the scene as somebody else would. */
  saveElsewhere(changes: Readonly<Record<string, string>>): Promise<void>;
  /** Returns the saved files of the project of the scene. */
  savedFiles(): Promise<Record<string, string>>;
}

/**
 * The `test` of the stage. Time passes as usual, and `stage.pass` lets more of it pass at once. A test fails when the page logs an error, or
 * calls a service that its scene does not answer.
 */
export const test = base.extend<{ stage: Stage }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
  baseURL: async ({}, use) => {
    await use(process.env.CALLBOARD_STAGE);
  },
  stage: async ({ page }, use) => {
    const faults: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(error.stack ?? error.message));
    // Before the clock, whose own script comes with the context.
    await page.context().addInitScript(() => {
      window.callboardFrame = window.requestAnimationFrame.bind(window);
    });
    await page.clock.install();
    await page.addInitScript({ path: '.stage/idle.js' });
    await use(stageOf(page));
    if (!page.isClosed()) faults.push(...(await missing(page)));
    expect(faults, 'errors that the page logged').toEqual([]);
  },
});

function stageOf(page: Page): Stage {
  const idle = () => page.evaluate(() => window.callboardIdle?.());
  const open = async (scene: string) => {
    await page.goto(`/?scene=${scene}`, { waitUntil: 'commit' });
    await page.locator('html[data-stage=ready]').waitFor();
    await idle();
  };
  return {
    open,
    async openEditor(files) {
      await page.addInitScript((given) => {
        window.stageFiles = given;
      }, files);
      await open('editor/given-by-the-test');
      await expect(page.getByLabel('Graph', { exact: true })).toBeVisible();
    },
    idle,
    async pass(ms) {
      await page.clock.runFor(ms);
      await idle();
    },
    trouble: (service, kind, times) =>
      page.evaluate(([name, what, n]) => window.stage?.trouble(name, what, n), [service, kind, times] as const),
    release: (service) => page.evaluate((name) => window.stage?.release(name), service),
    inputsOf: (service) => page.evaluate((name) => window.stage?.inputsOf(name) ?? [], service),
    saveElsewhere: (changes) => page.evaluate((made) => window.stageProject?.saveElsewhere(made), changes),
    savedFiles: () => page.evaluate(() => ({ ...window.stageProject?.files() })),
  };
}

async function missing(page: Page): Promise<string[]> {
  const services = await page.evaluate(() => window.stage?.missingServices() ?? []);
  return services.map((service) => `The scene does not answer '${service}'`);
}
