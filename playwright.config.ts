import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defineConfig } from '@playwright/test';
import { signedInBrowser, writeTestToken } from './e2e/test-token';

const port = process.env.CALLBOARD_TEST_PORT ?? '3477';
const data = process.env.CALLBOARD_TEST_DATA ?? mkdtempSync(path.join(tmpdir(), 'callboard-e2e-'));
// Workers read this file again: they must see the folder the first reading made.
process.env.CALLBOARD_TEST_DATA = data;
writeTestToken(data);

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  fullyParallel: false,
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    storageState: signedInBrowser(Number(port)),
    // A trace of every test takes the browser almost as long as the test, so it is made only when asked for.
    trace: process.env.CALLBOARD_TEST_TRACE === undefined ? 'off' : 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CALLBOARD_TEST_BROWSER,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
  projects: [
    { name: 'wide light', use: { viewport: desktop, colorScheme: 'light' } },
    {
      name: 'narrow dark',
      use: { viewport: phone, colorScheme: 'dark' },
      // What is about width or touch, and what people do on a phone.
      testMatch:
        /(decisions|editor|export|first-day|folders|gestures|inspector|run-page|trust|workflows-forms)\.spec\.ts/,
    },
  ],
  webServer: {
    command: 'node bin/callboard.mjs start',
    url: `http://127.0.0.1:${port}/api/health`,
    env: { PORT: port, CALLBOARD_DATA: data, CALLBOARD_WORKERS: '1', CALLBOARD_PYTHON: '1' },
    timeout: 300_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    stdout: 'pipe',
  },
});
