// Generates the database client (lib/store/generated) from prisma/schema.prisma, unless it is up to date.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);
const manifest = require.resolve('prisma/package.json');
const output = join(root, 'lib/store/generated');
const stamp = join(output, '.stamp');

const wanted = createHash('sha256')
  .update(readFileSync(join(root, 'prisma/schema.prisma')))
  .update(readFileSync(manifest))
  .digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  const result = spawnSync(process.execPath, [join(dirname(manifest), 'build/index.js'), 'generate'], {
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
  writeFileSync(stamp, wanted);
}
