import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Bundles a script for child processes of a test into one JavaScript file in `folder`, which Node starts without compiling.
 * `source` is TypeScript, with imports relative to the folder of package.json.
 */
export async function bundleForNode(source: string, folder: string): Promise<string> {
  const outfile = path.join(folder, `script-${randomBytes(4).toString('hex')}.mjs`);
  await build({
    stdin: { contents: source, resolveDir: root, sourcefile: 'script.ts', loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    alias: { '@': root },
    // Packages in the older module format call require for Node's own modules.
    banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);` },
    logLevel: 'error',
  });
  return outfile;
}
