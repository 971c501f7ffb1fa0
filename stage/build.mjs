// Builds the stage into `.stage`: every screen in one page without a server, in a few seconds.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import tailwind from '@tailwindcss/postcss';
import { build, context } from 'esbuild';
import postcss from 'postcss';
import { nextParts, root, serverActions, workerScripts } from './plugins.mjs';

export const builtStage = join(root, '.stage');

/**
 * Builds once, or again at each change when `onBuilt` is given: it is called after each build with the number of errors. Rejects when the
 * first build has errors and nobody watches.
 */
export async function buildStage({ onBuilt } = {}) {
  rmSync(builtStage, { recursive: true, force: true });
  mkdirSync(builtStage, { recursive: true });
  writeFileSync(join(builtStage, 'index.html'), readFileSync(join(root, 'stage/index.html')));
  const workers = new Set();
  const isTest = onBuilt === undefined;
  const made = isTest ? { ...shared, ...production } : shared;
  const page = {
    ...made,
    entryPoints: { page: 'stage/page/main.tsx', style: 'app/globals.css' },
    splitting: true,
    plugins: [nextParts, serverActions, workerScripts(workers), styles],
  };
  if (isTest) {
    await build(page);
    markLaterCode();
    await buildIdle();
    await buildWorkers(made, workers);
    return;
  }
  const told = {
    name: 'told',
    setup: (each) => each.onEnd(({ errors }) => buildWorkers(made, workers).then(() => onBuilt(errors.length))),
  };
  const watched = await context({ ...page, plugins: [...page.plugins, told] });
  await watched.watch();
}

const shared = {
  absWorkingDir: root,
  outdir: builtStage,
  outbase: root,
  bundle: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  sourcemap: true,
  logLevel: 'error',
  loader: { '.woff2': 'file' },
  define: { 'process.env.NODE_ENV': '"development"' },
  alias: { '@': root.slice(0, -1) },
};

/** Tests load small files, because each opens the page anew. */
const production = {
  minify: true,
  keepNames: true,
  sourcemap: false,
  define: { 'process.env.NODE_ENV': '"production"' },
};

/** Lets the script that says when a page is idle know of code that is loaded later. */
function markLaterCode() {
  const scripts = readdirSync(builtStage, { recursive: true }).filter((name) => name.endsWith('.js'));
  for (const script of scripts) {
    const file = join(builtStage, script);
    const text = readFileSync(file, 'utf8');
    const marked = text.replace(/\bimport\("[./][^"]*"\)/g, (code) => `(globalThis.callboardLoads??(a=>a))(${code})`);
    if (marked !== text) writeFileSync(file, marked);
  }
}

/** Builds the script that says when a page is idle. Tests load it before the scripts of the page, so it is no module. */
export async function buildIdle() {
  await build({ ...shared, sourcemap: false, format: 'iife', entryPoints: { idle: 'lib/testing/idle.ts' } });
}

function buildWorkers(made, workers) {
  return build({ ...made, entryPoints: [...workers], plugins: [nextParts] });
}

/** Makes the style sheet with Tailwind, which reads all classes of the sources. */
const styles = {
  name: 'styles',
  setup(each) {
    each.onLoad({ filter: /globals\.css$/ }, async ({ path }) => {
      const made = await postcss([tailwind({ base: root })]).process(readFileSync(path, 'utf8'), { from: path });
      return { contents: made.css, loader: 'css', resolveDir: join(root, 'app') };
    });
  },
};
