// `npm test` runs unit, property and store tests, then the app in a real browser. It stops at the first part that fails.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { compile } from './compile.mjs';
import { findBrowser } from './find-browser.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const only = process.argv[2];
const wanted = process.argv.slice(3);

await need('Generated code', ['bin/generate.mjs']);
// Once here, and not by each of the tests that begin at the same time.
await compile();
if (only !== 'e2e') await need('Unit, property and store tests', ['node_modules/vitest/vitest.mjs', 'run']);
if (only !== 'unit') {
  await need('Build', ['bin/build.mjs']);
  await browserTests();
}

/**
 * Runs the browser tests that the arguments name, or all of them two at a time: a test mostly waits. What runs at the same time
 * has an app and a database of its own, so a test sees no others.
 */
async function browserTests() {
  const ports = await freePorts(wanted.length === 0 && availableParallelism() > 1 ? 2 : 1);
  const code = await run('Browser tests', ['node_modules/@playwright/test/cli.js', 'test', ...wanted], {
    CALLBOARD_TEST_BROWSER: findBrowser(),
    CALLBOARD_TEST_PORTS: ports.join(','),
  });
  if (code !== 0) process.exit(code);
}

async function need(title, args) {
  const code = await run(title, args);
  if (code !== 0) process.exit(code);
}

/** Runs a script with Node. Resolves to its exit code, 1 when a signal ended it. */
function run(title, args, env = {}) {
  console.log(`\n── ${title}`);
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Finds ports that nothing listens on. They are held together, so that they differ. */
async function freePorts(count) {
  const servers = await Promise.all(Array.from({ length: count }, listen));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function listen() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}
