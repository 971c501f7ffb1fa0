#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Callboard needs Node 20.19 or newer; this is ${process.version}. Install a newer one from nodejs.org.`,
  );
  process.exit(2);
}

const args = process.argv.slice(2);
if (args[0] === 'start' || args[0] === 'dev') {
  // The client is generated before the import of code that uses it.
  const generate = fileURLToPath(new URL('generate.mjs', import.meta.url));
  const { status } = spawnSync(process.execPath, [generate], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

await import('./typescript.mjs');
const { main } = await import('../lib/cli/main.ts');
process.exitCode = await main(args);
