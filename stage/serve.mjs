// `npm run stage` shows every screen with services in memory: it builds, serves, and builds again at each change.
// `serveStage` alone serves the built files, for tests.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { buildStage, builtStage } from './build.mjs';

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.map': 'application/json',
  '.woff2': 'font/woff2',
};

/**
 * Serves the built stage on a port of loopback; a free one by default. Resolves to its address. A path without a file is the page. A browser
 * keeps the files of a stage that is built only once.
 */
export function serveStage(port = 0, { isBuiltOnce = false } = {}) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://stage');
    const asked = join(builtStage, normalize(pathname));
    const isFile = asked.startsWith(builtStage) && existsSync(asked) && statSync(asked).isFile();
    const file = isFile ? asked : join(builtStage, 'index.html');
    response.writeHead(200, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      ...(isFile && isBuiltOnce && { 'cache-control': 'max-age=3600' }),
    });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}`));
  });
}

if (process.argv[1]?.endsWith('serve.mjs')) {
  if (!process.argv.includes('--only-serve')) {
    let isFirst = true;
    await buildStage({
      onBuilt: async (errors) => {
        if (!isFirst) return console.log(errors === 0 ? 'Built again. Reload the page.' : `${errors} errors`);
        isFirst = false;
        console.log(`The stage is at ${await serveStage(Number(process.env.PORT ?? 0))}`);
      },
    });
  } else {
    await buildStage();
    console.log(`The stage is at ${await serveStage(Number(process.env.PORT ?? 0))}`);
  }
}
