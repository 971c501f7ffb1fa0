import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startApp } from '../app-process';
import { expect, test } from '../test';
import { signedOut } from '../test-token';

/** Returns files and folders that the group or others may read, change or enter. */
function openToOthers(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    // Links to the packages of the app, which servers of a folder find beside it, are left out.
    (name) => !name.includes('node_modules') && (statSync(path.join(folder, name)).mode & 0o077) !== 0,
  );
}

test('a new installation prints an address that opens signed in, and keeps its files to itself', async ({
  browser,
}) => {
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'callboard-new-'));
  chmodSync(dataFolder, 0o755);
  const context = await browser.newContext({ storageState: signedOut });
  const page = await context.newPage();
  const app = await startApp({}, { dataFolder });
  try {
    const address = await app.printedAddress();
    const token = new URL(address).searchParams.get('token') ?? '';
    await page.goto(address);
    await expect(page).toHaveURL(`${app.url}/`);
    await page.getByRole('link', { name: 'Runs' }).click();
    const sampleRun = page.getByRole('link', { name: /Completed.*Daily report, please/ });
    await expect(sampleRun).toBeVisible({ timeout: 60_000 });
    await page.getByRole('link', { name: 'Projects' }).click();
    await page.getByRole('link', { name: 'Project office', exact: true }).first().click();
    await expect(page.getByLabel('Graph', { exact: true })).toBeVisible();

    const env = { ...process.env, CALLBOARD_DATA: dataFolder };
    const printed = execFileSync(process.execPath, ['bin/callboard.mjs', 'token'], { env, encoding: 'utf8' });
    expect(printed).toBe(`${token}\n`);
    const authorization = `Bearer ${token}`;
    const started = await context.request.post(`${page.url().replace('/p/', '/api/v1/projects/')}/runs`, {
      headers: { authorization },
      data: { message: 'Daily report, please' },
    });
    const { runId } = await started.json();
    const status = async () => (await (await context.request.get(`${app.url}/api/v1/runs/${runId}`)).json()).status;
    await expect.poll(status, { timeout: 60_000 }).toBe('completed');
    expect(statSync(dataFolder).mode & 0o777).toBe(0o700);
    expect(openToOthers(dataFolder)).toEqual([]);
    for (const part of existsSync('/proc/self/environ') ? (['worker', 'web'] as const) : []) {
      expect([part, app.pids(part).length > 0]).toEqual([part, true]);
      for (const pid of app.pids(part)) {
        expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain(token);
        expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain(token);
      }
    }
    for (const file of readdirSync(path.join(dataFolder, 'logs'))) {
      expect(readFileSync(path.join(dataFolder, 'logs', file), 'utf8')).not.toContain(token);
    }
  } finally {
    await app.stop();
  }

  const open = await startApp({ CALLBOARD_OPEN: '1' }, { dataFolder });
  try {
    expect(await open.printedAddress()).toBe(open.url);
    const stranger = await browser.newPage({ storageState: signedOut });
    await stranger.goto(`${open.url}/settings/environment`);
    await expect(stranger.getByText('Everybody on this machine', { exact: true })).toBeVisible();
    expect((await stranger.request.get(`${open.url}/api/v1/projects`)).status()).toBe(200);
    await stranger.close();
  } finally {
    await open.stop();
    await context.close();
    rmSync(dataFolder, { recursive: true, force: true });
  }
});
