#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Callboard needs Node 20.19 or newer; this is ${process.version}. Install a newer one from nodejs.org.`,
  );
  process.exit(2);
}

const args = process.argv.slice(2);
const { load } = await import('./typescript.mjs');
const { mainOfProcess } = await load('lib/cli/main.ts');
process.exitCode = await mainOfProcess(args);
