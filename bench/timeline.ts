import { gunzipSync } from 'node:zlib';
import { openStore } from '@/lib/store/database';
import { largeRun } from '@/lib/testing/large-run';
import { createProject } from './app/client';
import { startBenchServer } from './app/server';
import { oneStep } from './app/starts';
import { startFakeServer } from './fake-server';
import { median, quantile } from './figures';
import { measureFloor } from './timeline/floor';
import type { Frames } from './timeline/frames';
import { showHops, WebHops } from './timeline/hops';
import { type LiveBench, measureLive } from './timeline/live';
import * as page from './timeline/page';
import { type StoredRun, storeRun } from './timeline/store';

const frames = 300;

/**
 * Measures the run page on generated runs: database → columns → browser → paint. `wanted` names sizes (`10k`, `100k`, `1m`) and
 * `live`; an empty list means all.
 */
export async function benchTimeline(wanted: readonly string[]): Promise<void> {
  const has = (name: string) => wanted.length === 0 || wanted.includes(name);
  const model = await startFakeServer({ children: 0, toolCalls: 0, delayMs: 0 });
  const web = new WebHops();
  const server = await startBenchServer({ workers: 1, modelUrl: model.url, env: web.env });
  const store = openStore(server.databaseUrl);
  const browser = await page.launch();
  const bench = { browser, url: server.url, headers: server.headers };
  try {
    const project = await createProject(server, 'Timeline', oneStep);
    const runOf = async (spans: number, lanes: number) => {
      const begun = performance.now();
      const run = await storeRun(store, project, largeRun({ spans, lanes, seed: 1 }));
      console.log(
        `\n${words(run.spans)} spans in ${lanes} lanes, ${words(run.events)} events (written in ${((performance.now() - begun) / 1_000).toFixed(0)} s)`,
      );
      return run;
    };
    await storeRun(store, project, largeRun({ spans: 10, lanes: 2, seed: 1 })).then((run) =>
      page.firstBars(bench, run.id, 1),
    );
    const floor = await measureFloor(bench, frames);
    console.log(
      `floor, a bare canvas: frame gap p95 ${ms(quantile(floor.gapsMs, 0.95))}, script p95 ${ms(quantile(floor.scriptMs, 0.95))}`,
    );
    if (has('10k')) await benchSmall(bench, await runOf(10_000, 100));
    if (has('100k')) await benchLarge(bench, await runOf(100_000, 500), floor);
    if (has('1m')) await benchHuge(bench, await runOf(1_000_000, 2_000), floor);
    const live = { ...bench, web, webPid: server.pids('web')[0] ?? 0 };
    if (has('live')) for (const rate of [2_000, 10_000]) await benchLive(live, store, project, rate);
  } finally {
    await browser.close();
    await store.close();
    await server.stop();
    web.remove();
    model.stop();
  }
}

type Bench = page.BenchPage;

async function benchSmall(bench: Bench, run: StoredRun): Promise<void> {
  show('navigate → first bars, median of 3', median(await page.firstBars(bench, run.id, 3)), 700, 'ms');
  await showBytes(bench, run);
  const { bytes, elsewhere } = await page.scriptsOf(bench, run.id);
  show('JavaScript of the run page, gzipped', bytes / 1_024, 180, 'KB');
  show('requests to other hosts', elsewhere.length, 0, '');
}

async function benchLarge(bench: Bench, run: StoredRun, floor: Frames): Promise<void> {
  show('navigate → first bars, median of 3', median(await page.firstBars(bench, run.id, 3)), 1_500, 'ms');
  await showBytes(bench, run);
  const blank = await page.openContext(bench).then(async (context) => {
    const bytes = await page.heapOf(await context.newPage());
    await context.close();
    return bytes;
  });
  const context = await page.openContext(bench);
  const open = await page.openRun(context, `${bench.url}/r/${run.id}`);
  await open.waitForTimeout(1_000);
  show('memory over an empty page', ((await page.heapOf(open)) - blank) / 1_048_576, 60, 'MB');
  await page.chooseHeight(open, 'Thin (12 px)');
  showFrames('pan and zoom, lanes of 12 px', await page.panAndZoom(bench, open, frames), floor, 6);
  await page.chooseHeight(open, 'Lines (2 px)');
  showFrames('pan and zoom, lanes of 2 px', await page.panAndZoom(bench, open, frames), floor, 10);
  await page.chooseHeight(open, 'Full (24 px)');
  const seek = await page.scrub(bench, open, frames);
  show('seek, frame gap p95', quantile(seek.gapsMs, 0.95), 16.8, 'ms', quantile(floor.gapsMs, 0.95));
  show('seek, script p95', quantile(seek.scriptMs, 0.95), 16, 'ms');
  show('search, key → first result, most', Math.max(...(await page.searchTimes(open, 'distance'))), 50, 'ms');
  await context.close();
  const heap = await page.openAndClose(bench, run.id, 20);
  show('20 × open and close, growth from the second time on', growth(heap.afterSecond, heap.last), 5, '%');
  show('  from the eleventh on, once code is compiled', growth(heap.warm, heap.last), Number.NaN, '%');
  const browser = await page.launch({ withoutCompilers: true });
  try {
    const plain = await page.openAndClose({ ...bench, browser }, run.id, 20);
    show('  from the second on, without machine code', growth(plain.afterSecond, plain.last), Number.NaN, '%');
  } finally {
    await browser.close();
  }
}

/** Returns the growth in percent. */
function growth(before: number, after: number): number {
  return (after / before - 1) * 100;
}

async function benchHuge(bench: Bench, run: StoredRun, floor: Frames): Promise<void> {
  show('navigate → first bars', median(await page.firstBars(bench, run.id, 1)), Number.NaN, 'ms');
  await showBytes(bench, run);
  const context = await page.openContext(bench);
  const open = await page.openRun(context, `${bench.url}/r/${run.id}`);
  for (const height of ['Thin (12 px)', 'Lines (2 px)']) {
    await page.chooseHeight(open, height);
    const { gapsMs, scriptMs } = await page.panAndZoom(bench, open, 120);
    show(`pan and zoom, ${height}: gap p95`, quantile(gapsMs, 0.95), 33, 'ms', quantile(floor.gapsMs, 0.95));
    show('  script p95', quantile(scriptMs, 0.95), Number.NaN, 'ms');
  }
  await context.close();
}

async function benchLive(
  bench: LiveBench,
  store: ReturnType<typeof openStore>,
  project: string,
  rate: number,
): Promise<void> {
  const live = await measureLive(bench, store, project, rate, 8);
  const { writer, web } = live.statements;
  console.log(
    `\nLive at ${words(rate)} events/s: ${words(live.sent)} sent, ${words(live.hops.length)} painted; statements: ${writer} of the writer, ${web} of the web process`,
  );
  const latencyMs = live.hops.map((one) => one.reduce((sum, ms) => sum + ms, 0));
  show('emitted → painted, median', median(latencyMs), Number.NaN, 'ms');
  show('emitted → painted, p95', quantile(latencyMs, 0.95), rate > 2_000 ? Number.NaN : 50, 'ms');
  showHops(live.hops);
  const dropped = live.gapsMs.filter((gap) => gap > 25).length;
  show('dropped frames', dropped, rate > 2_000 ? 0 : Number.NaN, `of ${live.gapsMs.length}`);
}

async function showBytes(bench: Bench, run: StoredRun): Promise<void> {
  const answer = await fetch(`${bench.url}/api/v1/runs/${run.id}/timeline`, { headers: bench.headers });
  const zipped = new Uint8Array(await answer.arrayBuffer());
  show('bytes a span, gzipped', zipped.length / run.spans, 10, 'B', gunzipSync(zipped).length / run.spans);
}

function showFrames(what: string, { gapsMs, scriptMs }: Frames, floor: Frames, scriptGoal: number): void {
  show(`${what}: gap p95`, quantile(gapsMs, 0.95), 17.5, 'ms', quantile(floor.gapsMs, 0.95));
  show('  script p95', quantile(scriptMs, 0.95), scriptGoal, 'ms', quantile(floor.scriptMs, 0.95));
  show('  dropped', (gapsMs.filter((gap) => gap > 25).length / gapsMs.length) * 100, 1, '%');
}

/** Prints a figure with its goal. A goal of `NaN` means that there is none. */
function show(what: string, value: number, goal: number, unit: string, floor?: number): void {
  const shown = `${value < 100 ? value.toFixed(1) : value.toFixed(0)} ${unit}`;
  const verdict = Number.isNaN(goal) ? '' : `goal ≤ ${goal} ${unit}   ${value <= goal ? 'met' : 'GAP'}`;
  console.log(
    `  ${what.padEnd(44)} ${shown.padEnd(14)} ${verdict}${floor === undefined ? '' : `   floor ${floor.toFixed(1)}`}`,
  );
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}

function words(count: number): string {
  return count.toLocaleString('en-US');
}
