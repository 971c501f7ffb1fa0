// Runs the web process: `next start` of the built app, or `next dev` of its sources (`dev`). It ends when its parent
// process has ended.
import { createRequire } from 'node:module';
import { appFolder } from './typescript.mjs';
import { startWatchdog } from './watchdog.mjs';

startWatchdog({ process: 'web', seconds: Number(process.env.CALLBOARD_WATCHDOG_SECONDS ?? 0) });

const { surviveOutputErrors } = await import('../lib/server/steady-output.ts');
surviveOutputErrors();

if (process.connected) {
  process.on('disconnect', () => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.exit(0), 2_000).unref();
  });
}

process.umask(0o077);
// The variables are set only in memory, because /proc does not show variables that are set after the start.
const { receiveVariables } = await import('../lib/server/process-variables.ts');
Object.assign(process.env, await receiveVariables());

const require = createRequire(import.meta.url);
const { standBefore } = await import('../lib/server/web-front.ts');
standBefore(require('node:http'));
process.chdir(appFolder);
process.argv.splice(
  1,
  process.argv.length,
  'next',
  process.argv[2] === 'dev' ? 'dev' : 'start',
  '-H',
  process.env.HOST,
  '-p',
  process.env.PORT,
);
require('next/dist/bin/next');
