// `npm run test:faults` breaks a running Callboard in many ways (docs/faults.md). Options: `--smoke`, `--long`, `--seed N`, `--only TEXT`.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

for (const args of [
  ['bin/generate.mjs'],
  ['bin/build.mjs'],
  ['--import', 'tsx', 'e2e/faults/main.ts', ...process.argv.slice(2)],
]) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
