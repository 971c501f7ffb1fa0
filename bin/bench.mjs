// Runs the benchmarks: `npm run bench` for the engine, or with the name of another part. The engine runs compiled, as in a
// worker: tsx keeps the name of each function at its own cost, which nobody pays who uses Callboard.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { appFolder, compile } from './compile.mjs';

const names = process.argv.slice(2);
const engine = 'bench/engine';
const program =
  names.length === 0
    ? [
        join(
          await compile(appFolder, [`${engine}.ts`], [], join(appFolder, 'node_modules/.cache/callboard-bench')),
          `${engine}.js`,
        ),
      ]
    : ['--import', 'tsx', join(appFolder, 'bench/main.ts'), ...names];
const child = spawn(process.execPath, ['--max-semi-space-size=64', '--expose-gc', ...program], { stdio: 'inherit' });
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === null ? 0 : 1);
});
