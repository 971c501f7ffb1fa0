// Runs the web process, which serves the built app, or with `dev` its sources. It ends when its parent process has ended.
import { createRequire } from 'node:module';
import { appFolder, load } from './typescript.mjs';
import { startWatchdog } from './watchdog.mjs';

// Next loads every page in one go at the start, which takes long where other programs need the processor.
const seconds = Number(process.env.CALLBOARD_WATCHDOG_SECONDS ?? 0);
startWatchdog({ process: 'web', seconds, startSeconds: 6 * seconds });

const { surviveOutputErrors } = await load('lib/server/steady-output.ts');
surviveOutputErrors();

if (process.connected) {
  process.on('disconnect', () => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.exit(0), 2_000).unref();
  });
}

process.umask(0o077);
// Messages are expected before anything else is awaited, because the launcher may send both at once.
const { receiveVariables } = await load('lib/server/process-variables.ts');
const { expectDatabaseUrl } = await load('lib/server/database-url.ts');
expectDatabaseUrl();
// Set in memory only: /proc does not show variables that are set after the start.
Object.assign(process.env, await receiveVariables());
const { setSentPrices } = await load('lib/server/settings/price-variable.ts');
setSentPrices();

const require = createRequire(import.meta.url);
const http = require('node:http');
const { CALLBOARD_HOST: HOST, PORT } = process.env;
process.chdir(appFolder);
if (process.argv[2] === 'dev') await serveSources();
else await serveBuild();

async function serveBuild() {
  const { standBefore } = await load('lib/server/front/web-front.ts');
  standBefore(http);
  // Next loads every page at the start, and Node would read the source maps of all of them: almost half of the memory of this
  // process, and a sixth of the time of its start.
  process.setSourceMapsEnabled(false);
  process.argv.splice(1, process.argv.length, 'next', 'start', '-H', HOST, '-p', PORT);
  require('next/dist/bin/next');
}

/** In this process: the command `next dev` would start another one, which takes longer and would not get the messages of the launcher. */
async function serveSources() {
  const { before } = await load('lib/server/front/web-front.ts');
  const httpServer = http.createServer();
  const app = require('next')({ dev: true, dir: appFolder, hostname: HOST, port: Number(PORT), httpServer });
  // Listens only when it can answer: until then a browser is refused and tries again.
  await app.prepare();
  httpServer.on('request', before(app.getRequestHandler()));
  httpServer.listen(Number(PORT), HOST);
  // Next writes its cache of compiled code when it is closed.
  process.on('SIGTERM', () => {
    httpServer.closeAllConnections();
    app.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
}
