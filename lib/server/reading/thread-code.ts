import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { appFolder } from '@/lib/server/settings/app-folder';

let built: Promise<string> | undefined;

/**
 * Returns the script of a reading thread, bundled from the sources once per process, because a thread inherits neither
 * Next's bundle nor the loader for TypeScript.
 */
export function readingThreadCode(): Promise<string> {
  built ??= bundle(path.join(appFolder, 'lib', 'server', 'reading', 'thread-main.ts'));
  // After a failed build, the next thread builds again.
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
    // In a script that is passed as text, `import()` would resolve packages from the working directory.
    supported: { 'dynamic-import': false },
    absWorkingDir: appFolder,
    logLevel: 'silent',
  });
  const home = JSON.stringify(pathToFileURL(entry).href);
  return `(function (require) {${result.outputFiles[0]?.text}\n})(require('node:module').createRequire(${home}));`;
}
