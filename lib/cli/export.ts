import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { vscode } from '@/lib/cards/dialects/vscode/vscode';
import { exportForDialect } from '@/lib/cards/export/export-for-dialect';
import { exportForFastAgent } from '@/lib/cards/export/export-for-fast-agent';
import { type ExportReport, isComplete } from '@/lib/cards/export/export-report';
import { encodeFile, fileSize } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import { writeZip } from '@/lib/server/folders/zip';
import { faultOf } from './fault-of';
import { printJson, printNote, printResult } from './print';
import { readDiskFolder } from './read-disk-folder';

const usage = 'callboard export FOLDER [--for fast-agent|vscode] [--out DIR|FILE.zip] [--json]';

type Target = 'fast-agent' | 'vscode';

interface Options {
  readonly folder: string;
  /** `undefined` for an unchanged copy. */
  readonly target: Target | undefined;
  readonly out: string;
  readonly json: boolean;
}

/**
 * `export FOLDER [--for fast-agent|vscode] [--out DIR|FILE.zip] [--json]`: writes a copy of a folder, unchanged, in a form that the
 * released loader of fast-agent accepts, or as custom agents of VS Code. Never overwrites files. Prints the path of the copy, or the report with `--json`; the
 * report for users goes to stderr. Exit code 0: complete, 1: the report names something that was left out, 2: nothing was
 * written.
 */
export async function exportFolder(args: readonly string[]): Promise<number> {
  try {
    const options = readOptions(args);
    const folder = await readWhole(options.folder);
    const { folder: exported, report } = exportFor(options.target, folder);
    if (options.out.endsWith('.zip')) await writeFile(options.out, writeZip(exported), { flag: 'wx' });
    else await writeFolder(options.out, exported);
    printNote(describe(report));
    if (options.json) printJson({ out: options.out, ...report }, 2);
    else printResult(`${options.out}\n`);
    return isComplete(report) ? 0 : 1;
  } catch (error) {
    printNote(`${messageOf(error)}\n`);
    return 2;
  }
}

function exportFor(target: Target | undefined, folder: Folder) {
  if (target === 'fast-agent') return exportForFastAgent(folder);
  return target === 'vscode' ? exportForDialect(folder, vscode) : { folder, report: nothing };
}

const nothing: ExportReport = { notes: [], problems: [] };

function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { for: { type: 'string' }, out: { type: 'string' }, json: { type: 'boolean', default: false } },
  });
  const [folder, ...others] = positionals;
  if (folder === undefined || others.length > 0) throw new Error(`Name one folder: ${usage}`);
  const target = values.for;
  if (target !== undefined && target !== 'fast-agent' && target !== 'vscode') {
    throw new Error(`There is no export for '${target}'. Write --for fast-agent or --for vscode, or leave it out.`);
  }
  const name = path.basename(path.resolve(folder));
  return {
    folder,
    target,
    out: values.out ?? `${name}${target === undefined ? '' : `-${target}`}.zip`,
    json: values.json,
  };
}

/** Reads a folder. Throws if it exceeds a limit, so that no file is left out. */
async function readWhole(root: string): Promise<Folder> {
  if (!(await stat(root)).isDirectory()) throw new Error(`${root} is not a folder. Name the folder of the project.`);
  const folder = await readDiskFolder(root);
  for (const [name, file] of folder) {
    const { size } = await stat(path.join(root, name));
    if (size !== fileSize(file))
      throw new Error(`${path.join(root, name)} has ${size} bytes, which is more than 10 MiB. Move it elsewhere.`);
  }
  return folder;
}

async function writeFolder(out: string, folder: Folder): Promise<void> {
  await mkdir(out, { recursive: true });
  if ((await readdir(out)).length > 0) throw new Error(`${out} is not empty. Name a new folder.`);
  for (const [name, file] of folder) {
    const where = path.join(out, name);
    await mkdir(path.dirname(where), { recursive: true });
    await writeFile(where, encodeFile(file), { flag: 'wx' });
  }
}

function describe(report: ExportReport): string {
  const notes = report.notes.map((note) => `${note.file}:${note.line} ${note.kind}: ${note.message}\n`);
  const problems = report.problems.map(
    ({ file, line, code, message }) => `${file}:${line} error: ${message} [${code}]\n`,
  );
  return [...notes, ...problems].join('');
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const file = 'path' in error ? String(error.path) : '';
  return 'code' in error && error.code === 'EEXIST' ? `${file} exists. Name another with --out.` : faultOf(error);
}
