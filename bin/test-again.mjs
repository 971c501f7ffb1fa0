// npm run test:again FILE -- ROUNDS: repeats one test file beside two busy processes, and stops at the first round that fails.
import { spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { partOf } from './test/parts.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const [file, given = '20', ...others] = process.argv.slice(2);
const rounds = Number(given);
if (file === undefined || !(rounds > 0)) {
  console.error('Name a test file and the number of rounds: npm run test:again lib/base/trim.test.ts -- 50');
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'callboard-again-'));
const load = [1, 2].map(() => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
process.once('exit', () => {
  for (const busy of load) busy.kill('SIGKILL');
});
let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    stopping = true;
  });
}

for (let round = 1; round <= rounds && !stopping; round += 1) {
  const began = performance.now();
  const output = join(folder, `round-${round}.log`);
  const end = await runOnce(output);
  console.log(`Round ${round} of ${rounds}: ${end}, ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  if (end !== 'passed') {
    console.log(`Its output is ${output}; pictures of browser tests are in test-results/.`);
    process.exit(1);
  }
}
rmSync(folder, { recursive: true });
process.exit(stopping ? 1 : 0);

/** Resolves to `passed`, or to how it ended. */
async function runOnce(output) {
  const child = spawn(process.execPath, ['bin/test.mjs', partOf(file), file, ...others], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = () => child.kill('SIGTERM');
  process.once('SIGTERM', stop);
  const log = createWriteStream(output);
  for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
  const [code, signal] = await new Promise((resolve) => child.once('close', (...end) => resolve(end)));
  process.off('SIGTERM', stop);
  log.end();
  await finished(log);
  return code === 0 ? 'passed' : `failed (${signal ?? `exit code ${code}`})`;
}
