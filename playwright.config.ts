import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defineConfig } from '@playwright/test';
import { readTestApps } from './e2e/test-apps';
import { writeTestToken } from './e2e/test-token';

/**
 * The apps that the tests use, one for each worker process of Playwright, so that what runs at the same time shares nothing. The
 * environment hands the list to those processes: they read this file again.
 */
const apps = readTestApps();
if (apps.length === 0) {
  for (const pair of (process.env.CALLBOARD_TEST_PORTS ?? '3477:3478').split(',')) {
    const [port = 0, modelPort = 0] = pair.split(':').map(Number);
    apps.push({ port, modelPort, data: mkdtempSync(path.join(tmpdir(), 'callboard-e2e-')) });
  }
  process.env.CALLBOARD_TEST_APPS = JSON.stringify(apps);
  for (const { data } of apps) writeTestToken(data);
}

/** Makes a path absolute, because e2e/full/playwright.config.ts reads this file too. */
const root = (name: string) => path.join(import.meta.dirname, name);

const server = {
  cwd: root('.'),
  // No test waits for it: the tests begin when all apps have started.
  timeout: 120_000,
  reuseExistingServer: false,
  stdout: 'pipe' as const,
};

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

export default defineConfig({
  testDir: root('e2e'),
  // They have a configuration of their own.
  testIgnore: /e2e[\\/]full[\\/]/,
  // `npm run test:full` has these. A file that is named runs whole.
  grepInvert: process.env.CALLBOARD_TEST_TAGGED === undefined ? /@full/ : [],
  outputDir: root('test-results/e2e'),
  fullyParallel: false,
  workers: apps.length,
  // A day of a user has many steps: 45 s on a slow machine with two apps.
  timeout: 120_000,
  // A test that fails once has found something.
  retries: 0,
  // How long to wait before a state counts as never reached; how fast the app is, bench/ says.
  expect: { timeout: 30_000 },
  reporter: [['list']],
  use: {
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
      // What people do on a phone. Looks of all widths are tested on the stage.
      grep: /@phone(?!-)/,
    },
  ],
  webServer: apps.flatMap(({ port, modelPort, data }) => [
    { ...server, command: `node --import tsx e2e/model-door.ts ${modelPort}`, port: modelPort },
    {
      ...server,
      command: 'node bin/callboard.mjs start',
      url: `http://127.0.0.1:${port}/api/health`,
      env: {
        PORT: String(port),
        CALLBOARD_DATA: data,
        CALLBOARD_WORKERS: '1',
        CALLBOARD_PYTHON: '1',
        OPENAI_BASE_URL: `http://127.0.0.1:${modelPort}/v1`,
      },
      gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 15_000 },
    },
  ]),
});
