// Generates the database client (lib/store/generated) from prisma/schema.prisma, unless it is up to date: as TypeScript, and
// compiled for programs that run without a compiler (compile.mjs).
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);
const output = join(root, 'lib/store/generated');
const stamp = join(output, '.stamp');
/** Changed when this file makes something else. */
const format = 3;

// The CLI has the version of the client. A built app does without the CLI.
const { version } = require('@prisma/client/package.json');
const wanted = createHash('sha256')
  .update(readFileSync(join(root, 'prisma/schema.prisma')))
  .update(version)
  .update(String(format))
  .digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  const cli = join(dirname(require.resolve('prisma/package.json')), 'build/index.js');
  const result = spawnSync(process.execPath, [cli, 'generate'], {
    cwd: root,
    encoding: 'utf8',
    // Prisma does not run the schema engine here, but downloads its binary if none is given. Any executable is accepted.
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' },
  });
  if (result.status !== 0) {
    console.error(
      `The database client could not be made:\n${result.stdout ?? ''}${result.stderr ?? result.error ?? ''}`,
    );
    process.exit(1);
  }
  mkdirSync(output, { recursive: true });
  const { build } = await import('esbuild');
  await build({
    entryPoints: [join(output, 'client.ts')],
    outfile: join(output, 'client.node.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    keepNames: true,
    logLevel: 'error',
  });
  writeFileSync(stamp, wanted);
}
