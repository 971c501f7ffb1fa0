// Builds the web app, unless the existing build was made from the same sources. With --drop-cache the compiler's cache goes afterwards: it is
// as large as the rest, and serves only who builds again.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeNotices } from './notices.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const stampFile = join(root, '.next', 'callboard-sources');
const sources = ['app', 'components', 'lib', 'prisma', 'public'];
const single = [
  'package-lock.json',
  'next.config.ts',
  'tailwind.config.ts',
  'postcss.config.mjs',
  'tsconfig.json',
  'proxy.ts',
];

// Also where the app is built: the launcher and the workers read the generated code.
await import('./generate.mjs');
const stamp = hashSources();
if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) {
  console.log('The web app is built.');
} else {
  console.log('Building the web app. This takes a minute, once.');
  writeNotices(root);
  await step('build', ['node_modules/next/dist/bin/next', 'build']);
  if (process.argv.includes('--drop-cache')) rmSync(join(root, '.next/cache'), { recursive: true, force: true });
  writeFileSync(stampFile, stamp);
}
// The channel to the parent process is closed, because an open one would keep this process alive.
process.disconnect?.();

async function step(name, args) {
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env });
  // A build that survives this process would block the next build.
  const stop = () => {
    child.kill('SIGTERM');
    process.exit(1);
  };
  for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.once(event, stop);
  const status = await new Promise((resolve) => child.once('exit', resolve));
  for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.off(event, stop);
  if (status !== 0) {
    console.error(`The ${name} step failed; see above.`);
    process.exit(1);
  }
}

function hashSources() {
  const hash = createHash('sha256');
  const files = [...single, ...sources.flatMap((folder) => list(folder))];
  for (const file of files.filter((name) => existsSync(join(root, name)))) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

function list(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .filter((name) => !name.includes('/generated/') && !name.endsWith('third-party-notices.txt'))
    .sort();
}
