import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const watchdog = new URL('../../bin/watchdog.mjs', import.meta.url).href;

/** Runs a process that blocks its main thread for three seconds, watched with a limit of half a second. Returns how it ended. */
async function endOf(startSeconds: number): Promise<unknown[]> {
  const script = `import { startWatchdog } from ${JSON.stringify(watchdog)};
startWatchdog({ process: 'web', seconds: 0.5, startSeconds: ${startSeconds} });
await new Promise((resolve) => setTimeout(resolve, 1_000));
for (const until = Date.now() + 3_000; Date.now() < until; );
process.exit(0);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    stdio: 'ignore',
    detached: true,
  });
  return await once(child, 'exit');
}

test.each(['bin/web.mjs', 'lib/server/worker-main.ts'])('%s starts it', (entry) => {
  expect(readFileSync(entry, 'utf8')).toMatch(/^\s*startWatchdog\(\{/m);
});

test('a process that blocks is ended, but not while it starts', async () => {
  expect(await Promise.all([endOf(0), endOf(60)])).toEqual([
    [null, 'SIGKILL'],
    [0, null],
  ]);
});

test('a process that is stopped from outside is not noticed: it goes on when it is continued', async () => {
  const script = `import { startWatchdog } from ${JSON.stringify(watchdog)};
startWatchdog({ process: 'web', seconds: 1 });
process.stdin.once('data', () => setTimeout(() => process.exit(7), 500));
setTimeout(() => process.stdout.write('ready'), 500);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  child.kill('SIGSTOP');
  // Another one, which blocks for longer than the limit, is ended meanwhile.
  expect(await endOf(0)).toEqual([null, 'SIGKILL']);
  child.kill('SIGCONT');
  child.stdin.write('end');
  expect(await ended).toEqual([7, null]);
});
