import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { appFolder } from '@/lib/server/settings/app-folder';
import { compiledFolder } from '@/lib/server/settings/process-env';

const readingEntry = path.join('lib', 'server', 'reading', 'thread-main.ts');
const built = new Map<string, Promise<string>>();

/**
 * Returns the script of a thread whose main is `entry`, bundled from the sources once per process, because a thread inherits neither
 * Next's bundle nor the loader for TypeScript.
 */
export function threadCode(entry: string): Promise<string> {
  const known = built.get(entry);
  if (known !== undefined) return known;
  const building = bundle(path.join(appFolder, entry));
  built.set(entry, building);
  // After a failed build, the next thread builds again.
  building.catch(() => built.delete(entry));
  return building;
}

/** Returns the script of a reading thread. */
export function readingThreadCode(): Promise<string> {
  return threadCode(readingEntry);
}

/**
 * Returns the script as bin/compile.mjs has made it for this process, which has the packages in it too. For processes that stay as
 * they were started: the web process of `npm run dev` takes over changed sources while it runs.
 */
export async function compiledThreadCode(): Promise<string> {
  const folder = compiledFolder();
  if (folder === undefined) return await readingThreadCode();
  const file = path.join(folder, 'lib', 'server', 'reading', 'thread-main.cjs');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? await readingThreadCode() : withRequire(text, path.join(appFolder, readingEntry));
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
  return withRequire(result.outputFiles[0]?.text ?? '', entry);
}

/** Lets the script look for packages from its source, not from the working directory. */
function withRequire(text: string, entry: string): string {
  const home = JSON.stringify(pathToFileURL(entry).href);
  return `(function (require) {${text}\n})(require('node:module').createRequire(${home}));`;
}
