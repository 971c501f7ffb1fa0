import { chromium } from 'playwright';
import { spawn } from 'node:child_process';
import { rmSync, mkdtempSync } from 'node:fs';
import { startFakeOpenAI } from '../lib/testing/fake-openai';

const width = Number(process.argv[2] ?? 1440);
const height = width === 390 ? 844 : 900;
const model = await startFakeOpenAI({ respond: () => ({ text: 'Hello from the model.' }) });
const data = mkdtempSync('/tmp/jdata-');
const port = 4400 + (width === 390 ? 1 : 0);
const app = spawn('node', ['bin/callboard.mjs', 'start'], { env: { ...process.env, PORT: String(port), CALLBOARD_DATA: data, CALLBOARD_WORKERS: '1', OPENAI_BASE_URL: model.url }, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
let out = '';
app.stdout.setEncoding('utf8').on('data', (t) => { out += t; });
while (!/token=\S+/.test(out)) await new Promise((r) => setTimeout(r, 500));
const token = out.match(/http\S+token=\S+/)![0];
const b = await chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args: ['--no-sandbox'] });
const page = await (await b.newContext({ viewport: { width, height }, hasTouch: false })).newPage();
page.setDefaultTimeout(40_000);
let clicks = 0;
await page.exposeFunction('countInput', () => { clicks += 1; });
await page.addInitScript(() => { addEventListener('pointerdown', () => Reflect.get(window, 'countInput')(), { capture: true }); localStorage.setItem('callboard.tour', 'declined'); });
const shot = (n: string) => page.screenshot({ path: `/tmp/j/${width}-${n}.png` });
try {
  await page.goto(token);
  await page.getByRole('button', { name: 'New project' }).first().waitFor();
  await shot('0-first');
  clicks = 0;
  await page.getByRole('button', { name: 'New project' }).first().click();
  await page.getByRole('dialog').waitFor();
  await shot('1-dialog');
  console.log((await page.getByRole('dialog').innerText()).slice(0, 1500));
  const step = process.argv[3];
  if (step !== undefined) {
    await page.getByRole('button', { name: /Set key/ }).first().click();
    await shot('2-key');
    console.log('---', (await page.getByRole('dialog').last().innerText()).slice(0, 800));
    await page.keyboard.type('sk-test-1234567890abcdef');
    await shot('3-key');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText(/ready to run on|works/i).first().waitFor().catch(() => undefined);
    await shot('4-after');
    console.log('---', (await page.getByRole('dialog').last().innerText()).slice(0, 800), clicks);
  }
} catch (e) { console.log(String(e)); await shot('error'); }
await b.close(); await model.close();
process.kill(-app.pid!); setTimeout(() => { rmSync(data, { recursive: true, force: true }); process.exit(0); }, 3000);
