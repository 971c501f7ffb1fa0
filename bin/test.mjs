// `npm test` runs unit, property and store tests, then the app in a real browser. It stops at the first part that fails.
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { findBrowser } from './find-browser.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const only = process.argv[2];

run('Generated code', ['bin/generate.mjs']);
if (only !== 'e2e') run('Unit, property and store tests', ['node_modules/vitest/vitest.mjs', 'run']);
if (only !== 'unit') {
  run('Build', ['bin/build.mjs']);
  run('Browser tests', ['node_modules/@playwright/test/cli.js', 'test', ...process.argv.slice(3)], {
    CALLBOARD_TEST_BROWSER: findBrowser(),
    CALLBOARD_TEST_PORT: String(await freePort()),
  });
}

function run(title, args, env = {}) {
  console.log(`\n── ${title}`);
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (status !== 0) process.exit(status ?? 1);
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
