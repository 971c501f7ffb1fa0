// Lets Node import Callboard's TypeScript from any working directory.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { appFolder, compile } from './compile.mjs';

export { appFolder };

process.env.CALLBOARD_APP_FOLDER = appFolder;
/** `undefined` where the folder of the app cannot be written, or a source has an error, which the import then reports. */
const compiled = await compile().catch(() => undefined);
if (compiled === undefined) {
  delete process.env.CALLBOARD_COMPILED;
  const { register } = await import('tsx/esm/api');
  register({ tsconfig: join(appFolder, 'tsconfig.json') });
} else {
  process.env.CALLBOARD_COMPILED = compiled;
  // Stacks name the lines of the sources.
  process.setSourceMapsEnabled(true);
}

/** Imports a module of the sources, one of the `entries` in compile.mjs, such as `lib/cli/main.ts`. */
export async function load(file) {
  const name = compiled === undefined ? join(appFolder, file) : join(compiled, file.replace(/\.ts$/, '.js'));
  return await import(pathToFileURL(name).href);
}
