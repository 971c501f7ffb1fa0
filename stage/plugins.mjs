// What the bundle of the stage replaces: Next's parts by small ones of its own, server actions by calls of services in memory.
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

const ownParts = {
  'next/link': 'stage/next/link.tsx',
  'next/navigation': 'stage/next/navigation.ts',
  'next/dynamic': 'stage/next/dynamic.tsx',
};

/** Resolves Next's modules to those of the stage. */
export const nextParts = {
  name: 'next-parts',
  setup(build) {
    build.onResolve({ filter: /^next\// }, ({ path, importer }) => {
      if (!(path in ownParts)) return { errors: [{ text: `The stage has no '${path}' (${importer})` }] };
      return { path: join(root, ownParts[path]) };
    });
  },
};

const directive = /^\s*(?:\/\*[\s\S]*?\*\/\s*|\/\/.*\n\s*)*'use server'/;
const exported = /^export const (\w+) = /gm;

/**
 * Replaces each file of server actions. Its action `save` becomes a call of the service `<folder of the file below app>/<name>.save`,
 * which the scene answers.
 */
export const serverActions = {
  name: 'server-actions',
  setup(build) {
    build.onLoad({ filter: /[\\/]app[\\/].*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!directive.test(text)) return undefined;
      const file = relative(join(root, 'app'), path).replace(/\.ts$/, '');
      const calls = [...text.matchAll(exported)].map(
        ([, name]) => `export const ${name} = (input) => callService(${JSON.stringify(`${file}.${name}`)}, input);`,
      );
      return {
        resolveDir: dirname(path),
        contents: ["import { callService } from '@/stage/memory/backend';", ...calls].join('\n'),
      };
    });
  },
};

const workerAddress = /new URL\('(\.\/[\w-]+)\.ts', import\.meta\.url\)/g;

/** Points `new Worker(new URL('./name.ts', import.meta.url))` to the built script, and lists it in `workers` for its own build. */
export function workerScripts(workers) {
  return {
    name: 'worker-scripts',
    setup(build) {
      build.onLoad({ filter: /[\\/](components|lib)[\\/].*\.tsx?$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        if (!text.includes('new Worker(')) return undefined;
        const contents = text.replaceAll(workerAddress, (_, name) => {
          const file = resolve(dirname(path), `${name}.ts`);
          workers.add(file);
          return JSON.stringify(`/${relative(root, file).replace(/\.ts$/, '.js')}`);
        });
        return { loader: path.endsWith('x') ? 'tsx' : 'ts', contents, resolveDir: dirname(path) };
      });
    },
  };
}
