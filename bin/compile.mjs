// Compiles the TypeScript that Node runs (command line, launcher, worker, web process) into JavaScript, unless that was done
// from the same sources. Decision 0042 tells why.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const appFolder = fileURLToPath(new URL('..', import.meta.url));

/** Changed when the way of compiling changes. */
const format = 1;
/** The processes of earlier builds still load parts of them. */
const keptBuilds = 5;
const ownEntries = [
  'lib/cli/main.ts',
  'lib/server/worker-main.ts',
  'lib/server/steady-output.ts',
  'lib/server/process-variables.ts',
  'lib/server/database-url.ts',
  'lib/server/web-front.ts',
];

/**
 * Returns the folder that has the compiled form of each entry: `lib/cli/main.ts` is `lib/cli/main.js` there. Rejects when the
 * sources have an error, or `root` cannot be written.
 */
export async function compile(root = appFolder, entries = ownEntries) {
  const place = join(root, '.compiled');
  return upToDate(root, place) ?? (await build(root, place, entries));
}

/** Looks only at sizes and times of the sources, which takes a few milliseconds. */
function upToDate(root, place) {
  try {
    const { name, madeBy, madeFor, inputs } = JSON.parse(readFileSync(join(place, 'current.json'), 'utf8'));
    const isSame = ([file, size, changed]) => {
      const now = statSync(join(root, file));
      return now.size === size && now.mtimeMs === changed;
    };
    return madeBy === format && madeFor === root && inputs.every(isSame) ? join(place, name) : undefined;
  } catch {
    return undefined;
  }
}

async function build(root, place, entries) {
  const esbuild = await import('esbuild');
  const began = Date.now();
  const name = `${began.toString(36)}-${randomBytes(4).toString('hex')}`;
  const folder = join(place, name);
  mkdirSync(folder, { recursive: true });
  const { metafile } = await esbuild
    .build({
      absWorkingDir: root,
      entryPoints: entries,
      outbase: root,
      outdir: folder,
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      packages: 'external',
      keepNames: true,
      sourcemap: true,
      sourcesContent: false,
      metafile: true,
      logLevel: 'silent',
      plugins: [ownAddresses, generatedClient],
    })
    .catch((error) => {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}\n');
  const inputs = ['tsconfig.json', 'package-lock.json', ...Object.keys(metafile.inputs)].map((file) => {
    const { size, mtimeMs } = statSync(join(root, file));
    // What changed meanwhile may or may not have been read, so the next start compiles again.
    return [file, size, mtimeMs < began ? mtimeMs : 0];
  });
  const draft = join(folder, 'current.json');
  writeFileSync(draft, JSON.stringify({ madeBy: format, madeFor: root, name, inputs }));
  // Others see the whole file or the one before, also when several processes compile at once.
  renameSync(draft, join(place, 'current.json'));
  removeOld(place);
  return folder;
}

function removeOld(place) {
  const builds = readdirSync(place, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  for (const name of builds.slice(0, -keptBuilds)) rmSync(join(place, name), { recursive: true, force: true });
}

/** Lets every module see its own address, as without a bundle, because some look for files beside them. */
const ownAddresses = {
  name: 'own-addresses',
  setup(build) {
    build.onLoad({ filter: /\.(?:ts|mjs)$/ }, ({ path }) => {
      const contents = readFileSync(path, 'utf8');
      if (!contents.includes('import.meta.url')) return undefined;
      return {
        loader: 'ts',
        contents: contents.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
      };
    });
  },
};

/** The database client is generated later than this, and is compiled then (generate.mjs). */
const generatedClient = {
  name: 'generated-client',
  setup(build) {
    build.onResolve({ filter: /\/generated\/client$/ }, () => ({
      path: pathToFileURL(join(appFolder, 'lib/store/generated/client.node.mjs')).href,
      external: true,
    }));
  },
};
