import type { Browser, Page } from '@playwright/test';
import { z } from 'zod';

/** The frames of one measurement: gaps between them, and the script of the main thread in each, in milliseconds. */
export interface Frames {
  readonly gapsMs: readonly number[];
  readonly scriptMs: readonly number[];
}

const traceFile = z.object({
  traceEvents: z.array(
    z.looseObject({
      name: z.string(),
      ph: z.string(),
      ts: z.number(),
      dur: z.number().optional(),
      tid: z.number(),
      pid: z.number(),
    }),
  ),
});
type TraceEvent = z.infer<typeof traceFile>['traceEvents'][number];

/** Tasks of the main thread that run script. They may be nested. */
const scripts: ReadonlySet<string> = new Set([
  'FireAnimationFrame',
  'FunctionCall',
  'EventDispatch',
  'TimerFire',
  'RunMicrotasks',
  'HandlePostMessage',
  'EvaluateScript',
]);
/** Two callbacks that begin closer than this belong to one frame. */
const sameFrameUs = 4_000;

/**
 * Runs `step` in the page in each of `count` frames and measures them. `step` gets the number of the frame. Its own time is part
 * of the script.
 */
export async function measureFrames(browser: Browser, page: Page, count: number, step: string): Promise<Frames> {
  await browser.startTracing(page, { categories: ['devtools.timeline'] });
  const times = await page.evaluate(
    async ({ count, step }) => {
      const act = new Function('frame', step);
      const times: number[] = [];
      await new Promise<void>((resolve) => {
        const tick = (at: number) => {
          times.push(at);
          if (times.length > count) return resolve();
          act(times.length - 1);
          requestAnimationFrame(tick);
        };
        requestAnimationFrame(tick);
      });
      return times;
    },
    { count, step },
  );
  const trace = traceFile.parse(JSON.parse((await browser.stopTracing()).toString()));
  return {
    gapsMs: times.slice(1).map((at, i) => at - (times[i] ?? at)),
    scriptMs: scriptPerFrame(trace.traceEvents),
  };
}

function scriptPerFrame(all: readonly TraceEvent[]): readonly number[] {
  const main = all.find(({ name }) => name === 'FireAnimationFrame');
  const tasks = all
    .filter(({ name, ph, tid, pid }) => ph === 'X' && tid === main?.tid && pid === main.pid && scripts.has(name))
    .sort((a, b) => a.ts - b.ts);
  const frames: number[] = [];
  let frameAt = Number.NEGATIVE_INFINITY;
  let until = Number.NEGATIVE_INFINITY;
  for (const { name, ts, dur = 0 } of tasks) {
    if (name === 'FireAnimationFrame' && ts - frameAt > sameFrameUs) {
      frames.push(0);
      frameAt = ts;
    }
    // A nested task is part of the one around it.
    const own = Math.max(0, ts + dur - Math.max(ts, until));
    until = Math.max(until, ts + dur);
    if (frames.length > 0) frames[frames.length - 1] = (frames.at(-1) ?? 0) + own / 1_000;
  }
  return frames;
}
