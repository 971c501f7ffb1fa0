import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { appFolder } from '@/lib/server/app-folder';

let built: Promise<string> | undefined;

/**
 * The main of a reading thread as one script, made once per process from the sources: a thread inherits neither Next's bundle
 * nor the loader that runs TypeScript.
 */
export function readingThreadCode(): Promise<string> {
  built ??= bundle(path.join(appFolder, 'lib', 'server', 'reading', 'thread-main.ts'));
  // A build that failed is tried again with the next thread.
  built.catch(() => {
    built = undefined;
  });
  return built;
}

async function bundle(entry: string): Promise<string> {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    // `import()` in a script given as text would look for packages from the working directory.
    supported: { 'dynamic-import': false },
    absWorkingDir: appFolder,
    logLevel: 'silent',
  });
  const home = JSON.stringify(pathToFileURL(entry).href);
  return `(function (require) {${result.outputFiles[0]?.text}\n})(require('node:module').createRequire(${home}));`;
}
