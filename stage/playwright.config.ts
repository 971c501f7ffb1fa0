import { defineConfig } from '@playwright/test';

const phone = { width: 390, height: 844 };
const isWhole = process.env.CALLBOARD_TEST_TAGGED !== undefined;

/** Tests of single screens, with services in memory. They need no server, no database and no worker (stage/README.md). */
export default defineConfig({
  testDir: 'tests',
  outputDir: '../test-results/stage',
  fullyParallel: true,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 20_000 },
  retries: 0,
  // `npm run test:full` has these. A file that is named runs whole.
  grepInvert: isWhole ? [] : /@full/,
  reporter: [['list']],
  globalSetup: './tests/build-and-serve.ts',
  use: {
    // The page stays open between tests: cleaned by Playwright, with the scripts that it has compiled.
    reuseContext: true,
    screenshot: 'only-on-failure',
    viewport: { width: 1440, height: 900 },
    colorScheme: 'light',
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
    { name: 'wide' },
    // What is about width or touch, and what people do on a phone.
    { name: 'narrow', grep: isWhole ? /@phone/ : /@phone(?!-)/, use: { viewport: phone, colorScheme: 'dark' } },
  ],
});
