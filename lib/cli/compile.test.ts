import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { compile } from '../../bin/compile.mjs';

const run = promisify(execFile);
const entry = 'lib/main.ts';
let root = '';

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard compile-'));
  await mkdir(path.join(root, 'lib'));
  await write('package-lock.json', '{}');
  await write('tsconfig.json', '{"compilerOptions":{"paths":{"@/*":["./*"]}}}');
  await write(entry, "import { words } from '@/lib/words';\nconsole.log(words, import.meta.url);\n");
  await write('lib/words.ts', "export const words: string = 'first';\n");
});
afterEach(() => rm(root, { recursive: true, force: true }));

it('compiles once, and again when a source has changed', async () => {
  const folder = await compile(root, [entry], []);
  expect(await printed(folder)).toContain('first');
  expect(await compile(root, [entry], [])).toBe(folder);
  await write('lib/words.ts', "export const words: string = 'second';\n");
  const next = await compile(root, [entry], []);
  expect(await printed(next)).toContain('second');
  // A process that runs from the former folder may still load parts of it.
  expect(await printed(folder)).toContain('first');
});

it('gives every module its own address, and compiles again in a folder that was moved', async () => {
  await compile(root, [entry], []);
  const moved = `${root} moved`;
  await rename(root, moved);
  try {
    const folder = await compile(moved, [entry], []);
    expect(await printed(folder)).toContain('%20moved/lib/main.ts');
  } finally {
    await rename(moved, root);
  }
});

it('makes packages that many modules need a part of the build, and leaves others to Node', async () => {
  await addPackage('zod', "exports.words = require('node:os').EOL === undefined ? '' : 'zod in the build';");
  await addPackage('pg', "exports.words = 'pg as installed';");
  await write(
    'lib/words.ts',
    "import { words as a } from 'zod';\nimport b from 'pg';\nexport const words = [a, b.words];\n",
  );
  const folder = await compile(root, [entry], []);
  await addPackage('zod', "exports.words = 'zod as installed';");
  await addPackage('pg', "exports.words = 'another pg';");
  expect(await printed(folder)).toContain("[ 'zod in the build', 'another pg' ]");
});

it('when several processes compile at once, each gets a whole build', async () => {
  const folders = await Promise.all(Array.from({ length: 4 }, () => compile(root, [entry], [])));
  for (const folder of folders) expect(await printed(folder)).toContain('first');
  expect(folders).toContain(await compile(root, [entry], []));
});

it('rejects for a source with an error, and works once it has none', async () => {
  await write('lib/words.ts', 'export const words: string =');
  await expect(compile(root, [entry], [])).rejects.toThrow('lib/words.ts:1');
  await write('lib/words.ts', "export const words = 'correct';\n");
  expect(await printed(await compile(root, [entry], []))).toContain('correct');
});

it('rejects where nothing can be written', async () => {
  await write('.compiled', 'a file where the folder should be');
  await expect(compile(root, [entry], [])).rejects.toThrow('.compiled');
});

it('reads a damaged list of sources as none', async () => {
  await compile(root, [entry], []);
  const list = path.join(root, '.compiled', 'current.json');
  await write('.compiled/current.json', (await readFile(list, 'utf8')).slice(0, 20));
  expect(await printed(await compile(root, [entry], []))).toContain('first');
});

async function addPackage(name: string, text: string): Promise<void> {
  await mkdir(path.join(root, 'node_modules', name), { recursive: true });
  await write(`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'main.cjs' }));
  await write(`node_modules/${name}/main.cjs`, text);
}

async function write(file: string, text: string): Promise<void> {
  await writeFile(path.join(root, file), text);
}

async function printed(folder: string): Promise<string> {
  return (await run(process.execPath, [path.join(folder, 'lib/main.js')])).stdout;
}
