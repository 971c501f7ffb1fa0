// Compiles the TypeScript that Node runs (command line, launcher, worker, web process) into JavaScript, unless that was done
// from the same sources. Decision 0042 tells why.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const appFolder = fileURLToPath(new URL('..', import.meta.url));

/** Changed when the way of compiling changes. */
const format = 4;
/** The processes of earlier builds still load parts of them. */
const keptBuilds = 5;
const ownEntries = [
  'lib/cli/main.ts',
  'lib/server/worker-main.ts',
  'lib/server/steady-output.ts',
  'lib/server/process-variables.ts',
  'lib/server/database-url.ts',
  'lib/server/settings/price-variable.ts',
  'lib/server/front/web-front.ts',
];

/** Threads of these processes. Each becomes one script, `.cjs`, because a thread gets its code as text. */
const threadEntries = ['lib/server/reading/thread-main.ts'];

/**
 * Packages that become part of the build with all they import, because Node takes long to find and load their many files. Not
 * those that look for files beside them, or that others of the rest share (`pg`).
 */
const bundledPackages = new Set([
  '@a2a-js/sdk',
  '@babel/parser',
  '@bufbuild/protobuf',
  '@jridgewell/trace-mapping',
  '@modelcontextprotocol/sdk',
  '@noble/hashes',
  'ajv',
  'fflate',
  'lru-cache',
  'openai',
  're2js',
  'yaml',
  'zod',
]);

/**
 * Returns the folder that has the compiled form of each entry: `lib/cli/main.ts` is `lib/cli/main.js` there. Rejects when the
 * sources have an error, or `root` cannot be written. `place` keeps the builds of the same entries.
 */
export async function compile(
  root = appFolder,
  entries = ownEntries,
  threads = threadEntries,
  place = join(root, '.compiled'),
) {
  return upToDate(root, place) ?? (await build(root, place, entries, threads));
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

async function build(root, place, entries, threads) {
  const esbuild = await import('esbuild');
  const began = Date.now();
  const name = `${began.toString(36)}-${randomBytes(4).toString('hex')}`;
  const folder = join(place, name);
  mkdirSync(folder, { recursive: true });
  const shared = {
    absWorkingDir: root,
    outbase: root,
    outdir: folder,
    bundle: true,
    platform: 'node',
    target: 'node20',
    sourcesContent: false,
    metafile: true,
    logLevel: 'silent',
    plugins: [generatedClient, packages, ownAddresses],
  };
  const processes = {
    ...shared,
    entryPoints: entries,
    splitting: true,
    format: 'esm',
    sourcemap: true,
    // Packages in CommonJS ask for modules of Node by `require`, which a module does not have.
    banner: { js: requireForPackages },
  };
  // In a script that is passed as text, `import()` would resolve packages from the working directory.
  const scripts = {
    ...shared,
    entryPoints: threads,
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    supported: { 'dynamic-import': false },
  };
  const made = await Promise.all([processes, scripts].map((options) => esbuild.build(options))).catch((error) => {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}\n');
  const read = made.flatMap(({ metafile }) => Object.keys(metafile.inputs)).filter((file) => !isOfPackage(file));
  const inputs = ['tsconfig.json', 'package-lock.json', ...new Set(read)].map((file) => {
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

const requireForPackages =
  "import { createRequire as createRequireHere } from 'node:module'; const require = createRequireHere(import.meta.url);";

const isOfPackage = (file) => file.split(/[\\/]/).includes('node_modules');

/** Leaves packages to Node, except the bundled ones. */
const packages = {
  name: 'packages',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path, importer, kind }) => {
      if (kind === 'entry-point' || path.startsWith('@/') || isOfPackage(importer)) return undefined;
      const name = path.split('/', path.startsWith('@') ? 2 : 1).join('/');
      return bundledPackages.has(name) ? undefined : { path, external: true };
    });
  },
};

/** Lets every module see its own address, as without a bundle, because some look for files beside them. */
const ownAddresses = {
  name: 'own-addresses',
  setup(build) {
    build.onLoad({ filter: /\.(?:ts|m?js)$/ }, ({ path }) => {
      const contents = readFileSync(path, 'utf8');
      if (!contents.includes('import.meta.url')) return undefined;
      return {
        loader: path.endsWith('.ts') ? 'ts' : 'js',
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
