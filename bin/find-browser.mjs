// Finds a Chromium for the browser tests, installs one if possible, or tells how to install one.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

const known = [
  process.env.CALLBOARD_TEST_BROWSER,
  // It draws no windows of its own, so tests take half as long as with the whole browser.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Returns the path of a Chromium, or throws an error that tells how to install one. */
export function findBrowser() {
  return installed() ?? fetched() ?? fromDebian() ?? missing();
}

function installed() {
  return [...known, chromium.executablePath()].find((path) => path && existsSync(path));
}

function fetched() {
  console.log('No Chromium found; asking Playwright for its own…');
  spawnSync('npx', ['playwright', 'install', 'chromium'], { stdio: 'inherit', timeout: 300_000 });
  return installed();
}

function fromDebian() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined;
  console.log('Installing the chromium package…');
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Older releases have the whole browser only.
  for (const name of ['chromium-headless-shell', 'chromium']) {
    spawnSync('apt-get', ['install', '-y', '-qq', name], { stdio: ['ignore', 'ignore', 'inherit'], env });
    const found = installed();
    if (found !== undefined) return found;
  }
  return undefined;
}

function missing() {
  throw new Error(
    'The browser tests need Chromium. Install it (Debian: apt-get install chromium; elsewhere: npx playwright install ' +
      'chromium) or name one in CALLBOARD_TEST_BROWSER.',
  );
}
