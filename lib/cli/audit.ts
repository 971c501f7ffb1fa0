import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { appClient } from './app-client';
import { checkAuditLines } from './check-audit-lines';
import { faultOf } from './fault-of';
import { printNote, printResult } from './print';

const usage = 'callboard audit [--check] [FILE]';

/**
 * `audit [--check] [FILE]`: prints the audit log of the app that runs here as JSON lines. With `--check` it checks the log of the app,
 * or an exported file, and prints how many entries it has and the hash of the last one. Exit code 0: printed, or the chain is
 * whole, 1: an entry was changed or is missing, 2: it could not be read.
 */
export async function audit(args: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { check: { type: 'boolean', default: false } },
    });
    if (positionals.length > 1) throw new Error(`Give one file at most. Usage: ${usage}`);
    const [file] = positionals;
    if (file !== undefined && !values.check) throw new Error(`A file can only be checked. Usage: ${usage}`);
    const lines = createInterface({ input: file === undefined ? await logOfApp() : createReadStream(file) });
    if (values.check) return await checkLines(lines);
    for await (const line of lines) printResult(`${line}\n`);
    return 0;
  } catch (error) {
    printNote(`${faultOf(error)}\n`);
    return 2;
  }
}

async function logOfApp(): Promise<Readable> {
  const { body } = await appClient().send('/api/v1/audit/export');
  return Readable.from(body === null ? [] : body.pipeThrough(new TextDecoderStream()));
}

async function checkLines(lines: AsyncIterable<string>): Promise<number> {
  const { fault, first, head } = await checkAuditLines(lines);
  if (fault !== undefined) {
    printResult(`${fault}\n`);
    return 1;
  }
  const part = first === undefined || first === 1 ? '' : ` It begins with entry ${first}.`;
  printResult(`${head.count} entries, and nothing was changed.${part} The last is ${head.seq}: ${head.hash}\n`);
  return 0;
}
