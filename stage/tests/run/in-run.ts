import type { Page } from '@playwright/test';
import type {} from '../../scenes/run';

/** Lets time pass in the run of the scene, in milliseconds. */
export async function letPass(page: Page, ms: number): Promise<void> {
  await page.evaluate((each) => window.stageRun?.pass(each), ms);
}

/** Returns when the first event of a kind came in an instance, in milliseconds after the first one of the run. */
export async function timeOf(page: Page, kind: 'instance.started' | 'tool.started', path: string): Promise<number> {
  const times = await page.evaluate(([each, at]) => window.stageRun?.timesOf(each, at), [kind, path] as const);
  if (times?.[0] === undefined) throw new Error(`The run has no ${kind} in ${path}`);
  return times[0];
}
