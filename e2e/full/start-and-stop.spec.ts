import { readFileSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { startApp } from '../app-process';
import { expect, test } from '../test';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}

test('npm start that is asked to end leaves no process behind', async () => {
  const app = await startApp();
  const processes = app.processes();
  expect(processes.length).toBeGreaterThan(3);
  await app.stop();
  // Compilers end by themselves when the process that used them has ended.
  await expect.poll(() => processes.filter(isAlive)).toEqual([]);
});

test('npm run dev serves pages from their sources, and runs use code as it was last saved', async ({ browser }) => {
  const app = await startApp({}, { script: 'dev' });
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(app.signInUrl, { timeout: 120_000 });
    await expect(page.getByRole('link', { name: 'Project office', exact: true }).first()).toBeVisible();

    const [worker] = app.pids('worker');
    utimesSync('lib/runtime/run/run-loop.ts', new Date(), new Date());
    await expect.poll(() => app.printed()).toContain('runtime/run/run-loop.ts changed. Starting the worker again.');
    await expect.poll(() => app.pids('worker')).not.toContain(worker);
    await expect
      .poll(() => readFileSync(path.join(app.dataFolder, 'logs/worker.log'), 'utf8').split('worker ready').length)
      .toBe(3);
  } finally {
    await context.close();
    await app.stop();
  }
});
