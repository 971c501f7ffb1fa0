import { readFile, stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Folder } from '@/lib/cards/folder';
import { becomesWords, type ImportReport, lostFiles, type ReportedFile, useWords } from '@/lib/cards/import-report';
import { readWithCode } from '@/lib/cards/project/read-with-code';
import { reportOfFolder } from '@/lib/cards/project/report-of-folder';
import { unwrapFolder } from '@/lib/cards/project/unwrap-folder';
import { readZip } from '@/lib/server/folders/zip';
import { faultOf } from './fault-of';
import { printJson, printNote, printResult } from './print';
import { readDiskFolder } from './read-disk-folder';

const usage = 'callboard import FOLDER|FILE.zip --report [--json]';

/**
 * `import FOLDER|FILE.zip --report [--json]`: says what the app would make of each file and each field. Nothing is stored, sent or run.
 * Exit code 0: the report is printed, 2: the folder could not be read.
 */
export async function importReport(args: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { report: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
    });
    const [given, ...others] = positionals;
    if (given === undefined || others.length > 0) throw new Error(`Name one folder or zip: ${usage}`);
    if (!values.report) {
      throw new Error(`This command reports alone: ${usage}. To import, drop the folder on the page of projects.`);
    }
    const folder = await readGiven(given);
    const report = reportOfFolder(folder, readWithCode(folder));
    if (values.json) printJson(report, 2);
    else printResult(describe(report));
    return 0;
  } catch (error) {
    printNote(`${faultOf(error)}\n`);
    return 2;
  }
}

async function readGiven(given: string): Promise<Folder> {
  if ((await stat(given)).isDirectory()) return await readDiskFolder(given);
  if (!given.toLowerCase().endsWith('.zip')) throw new Error(`${given} is neither a folder nor a zip. ${usage}`);
  return unwrapFolder(readZip(await readFile(given))).folder;
}

function describe({ format, files, withoutFile }: ImportReport): string {
  const made = withoutFile.length === 0 ? '' : `, and without a file: ${withoutFile.join(', ')}`;
  const lost = `${lostFiles(files)} of them lose something`;
  const head = `${format}: ${files.length} ${files.length === 1 ? 'file' : 'files'}, ${lost}${made}\n`;
  return `${head}${files.map(linesOf).join('')}`;
}

/** A field that works without a remark is named in one line with the others. */
function linesOf({ file, becomes, names, notes, fields }: ReportedFile): string {
  const lines = [`${file}: ${[becomesWords[becomes], ...names].join(' ')}`];
  for (const { line, message } of notes) lines.push(`  ${file}:${line} ${message}`);
  for (const { field, line, use, notes: said } of fields) {
    for (const { message } of said) lines.push(`  ${file}:${line} ${field} ${useWords[use]}: ${message}`);
  }
  const fine = fields.flatMap(({ field, notes: said }) => (said.length === 0 ? [field] : []));
  if (fine.length > 0) lines.push(`  works: ${fine.join(', ')}`);
  return `${lines.join('\n')}\n`;
}
