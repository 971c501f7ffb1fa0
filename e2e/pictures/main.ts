// Makes the pictures of the README with the real app, its production build and a fake model server:
//   node --import tsx e2e/pictures/main.ts
// It writes docs/images/run.png, run-dark.png and replay.webp.
import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium, type Page } from '@playwright/test';
import { startBenchApp } from '../../bench/editor-app';
import { startFakeOpenAI } from '../../lib/testing/fake-openai';
import { animatedWebp, type Frame } from './animated-webp';
import { desk, makeReplies, message } from './desk';

const frameMs = 150;
/** How long the last picture of the replay stays. */
const restMs = 3_000;
/** The height at which the timeline shows all rows of this run. */
const timelinePx = 318;
const folder = 'docs/images';

let reply = makeReplies();
const models = await startFakeOpenAI({ respond: (request) => reply(request) });
process.env.OPENAI_API_KEY = 'none';
process.env.OPENAI_BASE_URL = models.url;
const app = await startBenchApp();
let browser: Browser | undefined;
try {
  const project = await post<{ id: string }>('/api/v1/projects', { name: 'Launch desk', files: desk });
  // The first run of a worker starts threads and servers, which later ones find there.
  await runOf(project.id);
  const run = await runOf(project.id);
  const changed = await callOf(run, 'quote');
  browser = await launch();
  for (const theme of ['light', 'dark'] as const) {
    const page = await openPage(browser, theme, { width: 1440, height: 860 }, 640);
    await page.goto(`${app.url}/r/${run}?span=${changed}`);
    await page.getByRole('tabpanel').getByText('cap_discount').first().waitFor();
    await settle(page);
    writeFileSync(`${folder}/run${theme === 'dark' ? '-dark' : ''}.png`, await page.screenshot());
    await page.context().close();
  }
  const replay = await recordReplay(await openPage(browser, 'light', { width: 1200, height: 720 }, 390), run);
  writeFileSync(`${folder}/replay.webp`, replay);
  console.log(`docs/images/replay.webp: ${Math.round(replay.length / 1000)} kB`);
} finally {
  await browser?.close();
  await app.stop();
  await models.close();
}

function launch(): Promise<Browser> {
  const system = process.env.CALLBOARD_TEST_BROWSER ?? '/usr/bin/chromium';
  return chromium.launch({
    ...(existsSync(system) ? { executablePath: system } : {}),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  });
}

/** Opens a page that is signed in. `historyPx` is the width of the history; the rest of the width is for the details. */
async function openPage(
  from: Browser,
  theme: 'light' | 'dark',
  viewport: { width: number; height: number },
  historyPx: number,
): Promise<Page> {
  const context = await from.newContext({ viewport, colorScheme: theme, reducedMotion: 'reduce', locale: 'en-GB' });
  // The offer of a tour would be in the picture.
  await context.addInitScript(
    ([history, timeline]) => {
      localStorage.setItem('callboard.tour', 'declined');
      localStorage.setItem('callboard.panel.run-history', String(history));
      localStorage.setItem('callboard.panel.run-timeline', String(timeline));
    },
    [historyPx, timelinePx],
  );
  const page = await context.newPage();
  const token = app.headers.authorization?.replace('Bearer ', '') ?? '';
  await page.goto(`${app.url}/?token=${token}`);
  return page;
}

/** Takes a picture of the run at equal distances of its own time, with the graph beside the bars. */
async function recordReplay(page: Page, run: string): Promise<Buffer> {
  await page.goto(`${app.url}/r/${run}?tab=graph`);
  await page.getByRole('list', { name: 'Graph of this run' }).getByRole('listitem').first().waitFor();
  const slider = page.getByLabel('Moment of the run');
  const end = Number(await slider.getAttribute('max'));
  const frames: Frame[] = [];
  for (let at = 0; at < end; at += frameMs * 1000) {
    await slider.fill(String(at));
    await slider.blur();
    await settle(page);
    frames.push({ png: await page.screenshot(), ms: frameMs });
  }
  await slider.fill(String(end));
  await slider.blur();
  await settle(page);
  frames.push({ png: await page.screenshot(), ms: restMs });
  // The app's own pages allow less than an empty one.
  return await animatedWebp(await page.context().newPage(), frames);
}

/** Waits until fonts are there and what is beside the bars, which is drawn less often, has been drawn. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((resolve) => setTimeout(resolve, 250));
  });
}

async function runOf(project: string): Promise<string> {
  reply = makeReplies();
  const { runId } = await post<{ runId: string }>(`/api/v1/projects/${project}/runs`, { message });
  for (;;) {
    const answer = await fetch(`${app.url}/api/v1/runs/${runId}`, { headers: app.headers });
    const { status } = (await answer.json()) as { status: string };
    if (status === 'completed') return runId;
    if (status === 'failed' || status === 'cancelled') throw new Error(`The run ${runId} ended as ${status}.`);
    await sleep(250);
  }
}

/** Returns the number of the event that began the first call of a tool. */
async function callOf(run: string, tool: string): Promise<number> {
  const answer = await fetch(`${app.url}/api/v1/runs/${run}/events?limit=10000&view=slim`, { headers: app.headers });
  const events = (await answer.json()) as { seq: number; kind: string; toolName?: string }[];
  const found = events.find(({ kind, toolName }) => kind === 'tool.started' && toolName === tool);
  if (found === undefined) throw new Error(`The run has no call of ${tool}.`);
  return found.seq;
}

async function post<T>(path: string, body: object): Promise<T> {
  const headers = { ...app.headers, 'content-type': 'application/json' };
  const answer = await fetch(`${app.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}
