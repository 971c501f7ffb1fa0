import { z } from 'zod';

/** A Callboard that browser tests use, and the folder of its data. */
export interface TestApp {
  readonly port: number;
  /** The port at which it asks models of `openai` (./model-door.ts). */
  readonly modelPort: number;
  readonly data: string;
}

const list = z.array(z.object({ port: z.number(), modelPort: z.number(), data: z.string() }));

/** Returns the apps that Playwright started (playwright.config.ts); none before it has chosen their ports. */
export function readTestApps(): TestApp[] {
  return list.parse(JSON.parse(process.env.CALLBOARD_TEST_APPS ?? '[]'));
}

/** Returns the app of a worker process of Playwright. `index` is its `parallelIndex`. */
export function testAppOf(index: number): TestApp {
  const app = readTestApps()[index];
  if (app === undefined) throw new Error(`No app was started for worker ${index}.`);
  return app;
}
